// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// The URL a browser is sent to.
    /// - Parameters:
    ///   - rawNonce: the nonce before the provider's own form of it.
    ///   - additionalScopes: beyond the configured ones.
    ///   - parameters: beyond the configured ones; a parameter of the same name wins over the configured one.
    package func authorizationURL(
        metadata: ProviderMetadata,
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String] = [],
        parameters: [(name: String, value: String)] = []
    ) -> String {
        let configured = configuration.authorizationParameters.filter { mine in
            !parameters.contains { $0.name == mine.name }
        }
        let request = AuthorizationRequest(
            clientID: configuration.clientID,
            redirectURI: configuration.redirectURI,
            scopes: configuration.scopes + additionalScopes.filter { !configuration.scopes.contains($0) },
            state: state,
            nonce: configuration.profile.nonce(fromRaw: rawNonce),
            codeChallenge: codeChallenge,
            responseMode: configuration.responseMode,
            parameters: configured + parameters)
        return request.url(endpoint: metadata.authorizationEndpoint)
    }

    /// Begins a sign-in: where to send the browser, and what to keep in its session until it returns.
    /// - Parameters:
    ///   - parameters: further parameters of the authorization request, for example `login_hint`; reserved ones are ignored.
    ///   - maximumAge: `max_age`, seconds.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    public func begin(
        parameters: [(name: String, value: String)] = [],
        maximumAge: Int64? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<(url: String, pending: PendingSignIn)> {
        metadata(on: eventLoop).map { [self] metadata in
            let random = SecureRandom.bytes(80)
            let verifier = CodeVerifier(bytes: Array(random[..<32]))
            let state = Base64URL.encode(random[32..<56])
            let nonce = Base64URL.encode(random[56...])
            let age = maximumAge.map { [(name: "max_age", value: String($0))] } ?? []
            let url = authorizationURL(
                metadata: metadata, state: state, rawNonce: nonce, codeChallenge: verifier.challenge,
                parameters: parameters + age)
            return (
                url,
                PendingSignIn(
                    state: state, nonce: Secret(nonce), codeVerifier: Secret(verifier.value), maximumAge: maximumAge)
            )
        }
    }
}
