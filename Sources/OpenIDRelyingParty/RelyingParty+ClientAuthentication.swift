// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// The client authentication method: the configured one, or else the strongest one that both sides support.
    func clientAuthenticationMethod(
        _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) -> ClientAuthenticationMethod {
        // The source makes a secret when one is needed; the configuration holds none.
        if configuration.clientSecretSource != nil { return configuration.clientAuthentication ?? .clientSecretPost }
        // A configured key that cannot be read is an error. Treating it as absent would make this client a public one.
        if configuration.clientAuthentication ?? .privateKeyJWT == .privateKeyJWT,
            let error = clientKeys.error(in: \.clientSigningKey, \.clientSigningAlgorithm)
        {
            throw .unusable(step, error)
        }
        let method = clientKeys.credentials.method(
            configured: configuration.clientAuthentication, announced: metadata.clientAuthenticationMethods,
            announcedSigningAlgorithms: metadata.clientAuthenticationSigningAlgorithms)
        if let method { return method }
        if let configured = configuration.clientAuthentication {
            throw .unusable(step, "the client has no credential for \(configured.name)")
        }
        let announced = (metadata.clientAuthenticationMethods + metadata.clientAuthenticationSigningAlgorithms)
            .joined(separator: ", ")
        throw .unusable(
            step, "the provider announces no client authentication that this client is configured for: \(announced)")
    }

    /// The client authentication of one request.
    func clientAuthentication(
        by method: ClientAuthenticationMethod, _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) -> ClientAuthentication {
        if let source = configuration.clientSecretSource {
            do {
                let secret = try source.clientSecret(forClientID: configuration.clientID, now: clock.now())
                return ClientAuthentication(
                    method: method, clientID: configuration.clientID, clientSecret: secret.exposed)
            } catch {
                throw .unusable(step, "\(error)")
            }
        }
        if method == .clientSecretBasic, let basic = clientKeys.basic { return basic }
        do {
            return try clientKeys.credentials.authentication(
                by: method,
                audience: configuration.clientAssertionAudience == .issuer
                    ? configuration.issuer : metadata.tokenEndpoint.text,
                announcedSigningAlgorithms: metadata.clientAuthenticationSigningAlgorithms, now: clock.now())
        } catch {
            throw .unusable(step, error.description)
        }
    }

    /// Posts a form with this client's authentication to one of the provider's endpoints. The request is sent once.
    func post(
        _ form: [(String, String)],
        to endpoint: MutualTLSEndpoint,
        _ step: RelyingPartyError.Step,
        _ metadata: ProviderMetadata,
        maximumBytes: Int,
        in scope: RequestScope
    ) -> Eventual<ProviderResponse> {
        let method: ClientAuthenticationMethod
        let url: AbsoluteURL
        let proof: ClientAuthentication
        do throws(RelyingPartyError) {
            method = try clientAuthenticationMethod(metadata, step)
            guard let known = metadata.endpoint(endpoint, isMutualTLS: method.isMutualTLS) else {
                throw .unusable(step, "the provider has no \(endpoint.rawValue)")
            }
            url = known
            guard mayAuthenticate(by: method, at: url) else {
                throw .unusable(
                    step, "\(method.name) goes over http only with metadata-network trusted-with-secret")
            }
            proof = try clientAuthentication(by: method, metadata, step)
        } catch {
            return .failure(error)
        }
        // A pushed authorization request already names the client, and must name it once only.
        let added = proof.parameters.filter { mine in !form.contains { $0.0 == mine.0 } }
        let response = send(
            step, to: url, authorization: proof.authorization, form: FormURLEncoding.encode(form + added),
            showsCertificate: method.isMutualTLS, maximumBytes: maximumBytes, in: scope)
        guard let source = configuration.clientSecretSource else { return response }
        return response.flatMapThrowing { [self] response in
            tell(source, response)
            return response
        }
    }

    /// Whether the client may authenticate by a method at an endpoint. Metadata that came over http may have been replaced on
    /// the way, so a secret then goes to the issuer's own origin alone, whatever the endpoint's scheme is.
    private func mayAuthenticate(by method: ClientAuthenticationMethod, at url: AbsoluteURL) -> Bool {
        guard readsMetadataOverHTTP, configuration.metadataNetwork != .trustedWithSecret,
            [.clientSecretBasic, .clientSecretPost, .clientSecretJWT].contains(method)
        else { return true }
        guard url.isHTTPS, let issuer = AbsoluteURL(configuration.issuer) else { return false }
        return url.origin.hasSameBytes(as: issuer.origin)
    }

    /// Tells the source of the client secret whether the provider accepted it.
    private func tell(_ source: any ClientSecretSource, _ response: ProviderResponse) {
        if response.status == 200 || response.status == 201 {
            source.clientSecret(forClientID: configuration.clientID, wasAccepted: true)
        } else if RevocationRequest.refusal(json: Array(response.body.readableBytesView))?.code == "invalid_client" {
            source.clientSecret(forClientID: configuration.clientID, wasAccepted: false)
        }
    }
}
