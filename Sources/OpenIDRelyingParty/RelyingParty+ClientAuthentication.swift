// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// How this client proves itself to the provider: as configured, else the strongest way that both sides know.
    func clientAuthenticationMethod(
        _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) -> ClientAuthenticationMethod {
        // The secret is made when it is needed; none stands in the configuration.
        if configuration.clientSecretSource != nil { return configuration.clientAuthentication ?? .clientSecretPost }
        // A key that was given and cannot be read is not as good as none: that would make a public client of this one.
        if configuration.clientAuthentication ?? .privateKeyJWT == .privateKeyJWT,
            let error = clientKeys.error(in: "clientSigningKey")
        {
            throw .unusable(step, error)
        }
        let method = clientKeys.credentials.method(
            configured: configuration.clientAuthentication, announced: metadata.clientAuthenticationMethods,
            announcedSigningAlgorithms: metadata.clientAuthenticationSigningAlgorithms)
        if let method { return method }
        if let configured = configuration.clientAuthentication {
            throw .unusable(step, "the client has nothing to prove itself with by \(configured.name)")
        }
        throw .unusable(step, "the provider announces no client authentication that is supported")
    }

    /// The proof for one request.
    func clientAuthentication(
        by method: ClientAuthenticationMethod, _ step: RelyingPartyError.Step
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
                by: method, issuer: configuration.issuer, now: clock.now())
        } catch {
            throw .unusable(step, error.description)
        }
    }

    /// Posts a form, with the client's proof, to one of the provider's endpoints. Sent once.
    func post(
        _ form: [(String, String)],
        to endpoint: MutualTLSEndpoint,
        _ step: RelyingPartyError.Step,
        _ metadata: ProviderMetadata,
        maximumBytes: Int,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        let method: ClientAuthenticationMethod
        let url: AbsoluteURL
        let proof: ClientAuthentication
        do throws(RelyingPartyError) {
            method = try clientAuthenticationMethod(metadata, step)
            guard let known = metadata.endpoint(endpoint, isMutualTLS: method.isMutualTLS) else {
                throw .unusable(step, "the provider has no \(endpoint.rawValue)")
            }
            url = known
            proof = try clientAuthentication(by: method, step)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        // A request that names the client already, as a pushed one does, names it once.
        let added = proof.parameters.filter { mine in !form.contains { $0.0 == mine.0 } }
        let response = send(
            step, to: url, authorization: proof.authorization, form: FormURLEncoding.encode(form + added),
            showsCertificate: method.isMutualTLS, maximumBytes: maximumBytes, deadline: deadline, on: eventLoop)
        if let source = configuration.clientSecretSource {
            response.whenSuccess { [self] response in tell(source, response) }
        }
        return response
    }

    /// Tells whoever made the secret what the provider made of it.
    private func tell(_ source: any ClientSecretSource, _ response: ProviderResponse) {
        if response.status == 200 || response.status == 201 {
            source.clientSecret(forClientID: configuration.clientID, wasAccepted: true)
        } else if RevocationRequest.refusal(json: Array(response.body.readableBytesView))?.code == "invalid_client" {
            source.clientSecret(forClientID: configuration.clientID, wasAccepted: false)
        }
    }
}
