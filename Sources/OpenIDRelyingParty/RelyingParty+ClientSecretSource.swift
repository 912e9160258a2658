// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Posts a form for a client id that need not be this provider's own, proven by `client_secret_post` with a secret
    /// of ``ProviderConfiguration/clientSecretSource``. Sent once; the source is told what the provider made of its
    /// secret.
    /// - Parameters:
    ///   - parameters: the form without client id and secret.
    ///   - accessToken: for an endpoint that asks for a bearer token besides.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``, temporary where the provider
    ///   is down, and with the provider's own error where it sent one.
    package func post(
        _ step: RelyingPartyError.Step,
        to endpoint: AbsoluteURL,
        _ parameters: [(String, String)],
        clientID: String,
        accessToken: Secret? = nil,
        deadline: NIODeadline = .now() + RelyingParty.requestTimeout,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<ProviderResponse> {
        guard !clientID.isEmpty else {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(step, "no client id is configured"))
        }
        guard let source = configuration.clientSecretSource else {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(step, "no client secret is configured"))
        }
        let secret: Secret
        do {
            secret = try source.clientSecret(forClientID: clientID, now: clock.now())
        } catch {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(step, "\(error)"))
        }
        let authentication = ClientAuthentication(
            method: .clientSecretPost, clientID: clientID, clientSecret: secret.exposed)
        return send(
            step, to: endpoint, authorization: accessToken.map { "Bearer " + $0.exposed },
            form: FormURLEncoding.encode(parameters + authentication.parameters),
            maximumBytes: TokenResponse.maximumBytes, deadline: deadline, on: eventLoop
        ).flatMapThrowing { response in
            if response.status == 200 {
                source.clientSecret(forClientID: clientID, wasAccepted: true)
                return response
            }
            // A server that is down may say so in any form; what it says then is not a response to the client.
            guard response.status < 500, response.status != 429,
                let error = RevocationRequest.refusal(json: Array(response.body.readableBytesView))
            else { throw RelyingPartyError.status(step, response.status) }
            if error.code == "invalid_client" { source.clientSecret(forClientID: clientID, wasAccepted: false) }
            throw RelyingPartyError.provider(step, error)
        }
    }
}
