// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// The public keys of this client as a JWK set, for a provider that fetches them; `nil` if it has none.
    package var publicKeySet: [UInt8]? {
        clientKeys.credentials.signingKey == nil && clientKeys.decryptionKeys.isEmpty
            ? nil : clientKeys.publicKeySet.serialized()
    }

    /// The client authentication method at an endpoint: the configured one, or else the strongest one that both sides
    /// support. The revocation endpoint may have methods of its own, which then decide.
    func clientAuthenticationMethod(
        _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step, at endpoint: MutualTLSEndpoint = .token
    ) throws(RelyingPartyError) -> ClientAuthenticationMethod {
        // The source makes a secret when one is needed; the configuration holds none.
        if configuration.clientSecretSource != nil { return configuration.clientAuthentication ?? .clientSecretPost }
        // A configured key that cannot be read is an error. Treating it as absent would make this client a public one.
        if configuration.clientAuthentication ?? .privateKeyJWT == .privateKeyJWT,
            let error = clientKeys.error(in: \.clientSigningKey, \.clientSigningAlgorithm)
        {
            throw .unusable(step, error)
        }
        let usual = clientKeys.credentials.method(
            configured: configuration.clientAuthentication, announced: metadata.clientAuthenticationMethods,
            announcedSigningAlgorithms: metadata.clientAuthenticationSigningAlgorithms)
        if endpoint == .revocation, let method = try revocationMethod(metadata, step, beside: usual) { return method }
        if let configured = configuration.clientAuthentication {
            guard let usual else { throw .unusable(step, "the client has no credential for \(configured.name)") }
            return usual
        }
        if usual != ClientAuthenticationMethod.none { try checkAuthenticationMethods(of: .token, metadata, step) }
        if let usual { return usual }
        throw Self.noMethod(
            step, metadata.clientAuthenticationMethods + metadata.clientAuthenticationSigningAlgorithms)
    }

    /// The method at the revocation endpoint (RFC 8414 section 2); `nil` if it is that of the token endpoint.
    ///
    /// If none is announced, it is `client_secret_basic` for a client that sends its secret to the token endpoint, unless the
    /// operator set another one for a secret that Basic would change. One that proves itself otherwise is not made to send a secret by what is missing.
    private func revocationMethod(
        _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step, beside usual: ClientAuthenticationMethod?
    ) throws(RelyingPartyError) -> ClientAuthenticationMethod? {
        guard usual != ClientAuthenticationMethod.none else { return nil }
        try checkAuthenticationMethods(of: .revocation, metadata, step)
        guard let announced = metadata.revocationAuthenticationMethods else {
            guard usual == .clientSecretPost else { return nil }
            let isOnPurpose = configuration.clientAuthentication != nil && isSecretChangedByFormEncoding
            return isOnPurpose ? nil : .clientSecretBasic
        }
        if let usual, announced.contains(usual.name) { return nil }
        let algorithms = signingAlgorithms(at: .revocation, metadata)
        let method = clientKeys.credentials.method(
            configured: nil, announced: announced, announcedSigningAlgorithms: algorithms)
        guard let method else { throw Self.noMethod(step, announced + algorithms) }
        return method
    }

    private func checkAuthenticationMethods(
        of endpoint: MutualTLSEndpoint, _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) {
        do throws(ProviderMetadataError) {
            try metadata.checkAuthenticationMethods(of: endpoint)
        } catch {
            throw .unusable(step, "\(error)")
        }
    }

    private static func noMethod(_ step: RelyingPartyError.Step, _ announced: [String]) -> RelyingPartyError {
        .unusable(
            step,
            "the provider announces no client authentication that this client is configured for: "
                + announced.joined(separator: ", "))
    }

    /// The names of the signature algorithms of client assertions at an endpoint; empty if none is announced.
    private func signingAlgorithms(at endpoint: MutualTLSEndpoint, _ metadata: ProviderMetadata) -> [String] {
        let own = endpoint == .revocation ? metadata.revocationAuthenticationSigningAlgorithms : []
        return own.isEmpty ? metadata.clientAuthenticationSigningAlgorithms : own
    }

    /// The client authentication of one request.
    func clientAuthentication(
        by method: ClientAuthenticationMethod, at endpoint: MutualTLSEndpoint, _ metadata: ProviderMetadata,
        _ step: RelyingPartyError.Step
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
                audience: try assertionAudience(by: method, metadata),
                announcedSigningAlgorithms: signingAlgorithms(at: endpoint, metadata), now: clock.now())
        } catch {
            throw .unusable(step, "\(error)")
        }
    }

    /// The audience of a client assertion. The token endpoint must be there only if an assertion names it.
    private func assertionAudience(
        by method: ClientAuthenticationMethod, _ metadata: ProviderMetadata
    ) throws(ProviderMetadataError) -> String {
        let isAssertion = method == .privateKeyJWT || method == .clientSecretJWT
        guard isAssertion, configuration.clientAssertionAudience == .tokenEndpoint else { return configuration.issuer }
        return try metadata.required(.token, isMutualTLS: false).text
    }

    /// Posts a form with this client's authentication to one of the provider's endpoints. The request is sent once, except
    /// that one whose proof lacks a nonce is followed by one with it.
    /// - Parameter dpop: The proofs of the login; `nil` without DPoP, and at the revocation endpoint.
    func post(
        _ form: [(String, String)],
        to endpoint: MutualTLSEndpoint,
        _ step: RelyingPartyError.Step,
        _ metadata: ProviderMetadata,
        dpop: DPoPLogin? = nil,
        maximumBytes: Int,
        in scope: RequestScope
    ) -> Eventual<ProviderResponse> {
        let method: ClientAuthenticationMethod
        let url: AbsoluteURL
        do throws(RelyingPartyError) {
            method = try clientAuthenticationMethod(metadata, step, at: endpoint)
            url = try required(endpoint, by: method, metadata, step)
            guard mayAuthenticate(by: method, at: url) else {
                throw .unusable(
                    step, "\(method.name) goes over http only with metadata-network trusted-with-secret")
            }
        } catch {
            return .failure(error)
        }
        return proving(dpop, step, method: "POST", url: url) { [self] proof in
            let authentication: ClientAuthentication
            do throws(RelyingPartyError) {
                authentication = try clientAuthentication(by: method, at: endpoint, metadata, step)
            } catch {
                return .failure(error)
            }
            // A pushed authorization request already names the client, and must name it once only.
            let added = authentication.parameters.filter { mine in !form.contains { $0.0 == mine.0 } }
            let response = send(
                step, to: url, authorization: authentication.authorization,
                form: FormURLEncoding.encode(form + added), proof: proof,
                showsCertificate: showsCertificate(metadata, by: method), maximumBytes: maximumBytes, in: scope)
            guard let source = configuration.clientSecretSource else { return response }
            return response.flatMapThrowing { [self] response in
                tell(source, response)
                return response
            }
        }
    }

    private func required(
        _ endpoint: MutualTLSEndpoint, by method: ClientAuthenticationMethod, _ metadata: ProviderMetadata,
        _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) -> AbsoluteURL {
        do throws(ProviderMetadataError) {
            return try metadata.required(endpoint, isMutualTLS: showsCertificate(metadata, by: method))
        } catch {
            throw .unusable(step, "\(error)")
        }
    }

    /// Whether the client's certificate is shown at the endpoints that it calls: where it authenticates by it, and where
    /// access tokens are bound to it (RFC 8705 section 3), however the client authenticates.
    func showsCertificate(_ metadata: ProviderMetadata) -> Bool {
        guard configuration.clientCertificate != nil else { return false }
        return bindsAccessTokensToCertificate(metadata)
            || (try? clientAuthenticationMethod(metadata, .token))?.isMutualTLS == true
    }

    private func showsCertificate(_ metadata: ProviderMetadata, by method: ClientAuthenticationMethod) -> Bool {
        method.isMutualTLS || (configuration.clientCertificate != nil && bindsAccessTokensToCertificate(metadata))
    }

    private func bindsAccessTokensToCertificate(_ metadata: ProviderMetadata) -> Bool {
        configuration.bindsTokensToCertificate || metadata.bindsAccessTokensToCertificates
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
