// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Posts a form for a client ID that may differ from this provider's own, authenticated by `client_secret_post`
    /// with a secret from ``ProviderConfiguration/clientSecretSource``.
    ///
    /// The request is sent once, and the source is told whether the provider accepted its secret.
    /// - Parameters:
    ///   - parameters: The form without the client ID and the client secret.
    ///   - accessToken: A bearer token, for an endpoint that also requires one.
    /// - Returns: The response. It fails with ``RelyingPartyError``: a temporary one if the
    ///   provider is down, and the provider's own error if it sent one.
    package func post(
        _ step: RelyingPartyError.Step,
        to endpoint: AbsoluteURL,
        _ parameters: [(String, String)],
        clientID: String,
        accessToken: Secret? = nil,
        in scope: RequestScope
    ) -> Eventual<ProviderResponse> {
        guard !clientID.isEmpty else {
            return .failure(RelyingPartyError.unusable(step, "no client id is configured"))
        }
        guard let source = configuration.clientSecretSource else {
            return .failure(RelyingPartyError.unusable(step, "no client secret is configured"))
        }
        let secret: Secret
        do {
            secret = try source.clientSecret(forClientID: clientID, now: clock.now())
        } catch {
            return .failure(RelyingPartyError.unusable(step, "\(error)"))
        }
        let authentication = ClientAuthentication(
            method: .clientSecretPost, clientID: clientID, clientSecret: secret.exposed)
        let form = parameters + authentication.parameters
        return send(
            step, to: endpoint, authorization: accessToken.map { "Bearer " + $0.exposed },
            form: FormURLEncoding.encode(form), maximumBytes: TokenResponse.maximumBytes, in: scope
        ).flatMapThrowing { [self] response in
            if response.status == 200 {
                source.clientSecret(forClientID: clientID, wasAccepted: true)
                return response
            }
            // A response with a temporary status says nothing about the client secret, whatever its body is.
            guard response.status < 500, response.status != 429,
                let error = RevocationRequest.refusal(json: Array(response.body.readableBytesView))
            else { throw RelyingPartyError.status(step, response.status) }
            if error.code == "invalid_client" { source.clientSecret(forClientID: clientID, wasAccepted: false) }
            throw explained(
                .provider(step, error), by: response, sent: form, secrets: accessToken.map { [$0.exposed] } ?? [])
        }
    }
    /// Posts a form like its overload, to one of the endpoints that the metadata name.
    package func post(
        _ step: RelyingPartyError.Step,
        to endpoint: MutualTLSEndpoint,
        _ metadata: ProviderMetadata,
        _ parameters: [(String, String)],
        clientID: String,
        in scope: RequestScope
    ) -> Eventual<ProviderResponse> {
        do throws(ProviderMetadataError) {
            let url = try metadata.required(endpoint, isMutualTLS: false)
            return post(step, to: url, parameters, clientID: clientID, in: scope)
        } catch {
            return .failure(RelyingPartyError.unusable(step, "\(error)"))
        }
    }
}
