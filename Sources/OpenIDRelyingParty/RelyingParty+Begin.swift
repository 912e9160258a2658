// SPDX-License-Identifier: Apache-2.0

import Synchronization
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
        // Nearly always an app adds nothing of its own: the beginning of the URL is known then.
        guard additionalScopes.isEmpty, parameters.isEmpty else {
            return authorizationRequest(
                state: state, rawNonce: rawNonce, codeChallenge: codeChallenge, additionalScopes: additionalScopes,
                parameters: parameters
            ).url(endpoint: metadata.authorizationEndpoint)
        }
        return AuthorizationRequest.url(
            behind: authorizationURLPrefix(metadata), state: state,
            nonce: configuration.profile.nonce(fromRaw: rawNonce),
            codeChallenge: configuration.responseType.hasCode ? codeChallenge : nil)
    }

    private func authorizationURLPrefix(_ metadata: ProviderMetadata) -> String {
        let endpoint = metadata.authorizationEndpoint
        return knownURLPrefix.withLock { known in
            if let known, known.endpoint.hasSameBytes(as: endpoint.text) { return known.prefix }
            let prefix = authorizationRequest(
                state: "", rawNonce: "", codeChallenge: "", additionalScopes: [], parameters: []
            ).urlPrefix(endpoint: endpoint)
            known = (endpoint: endpoint.text, prefix: prefix)
            return prefix
        }
    }

    /// The request itself, for a URL or to be pushed.
    func authorizationRequest(
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String],
        parameters: [(name: String, value: String)]
    ) -> AuthorizationRequest {
        let configured = configuration.authorizationParameters.filter { mine in
            !parameters.contains { $0.name == mine.name }
        }
        var request = AuthorizationRequest(
            clientID: configuration.clientID,
            redirectURI: configuration.redirectURI,
            scopes: configuration.scopes + additionalScopes.filter { !configuration.scopes.contains($0) },
            state: state,
            nonce: configuration.profile.nonce(fromRaw: rawNonce),
            codeChallenge: codeChallenge,
            responseMode: configuration.responseMode,
            parameters: configured + parameters,
            responseType: configuration.responseType,
            claims: configuration.claimsRequest,
            resource: configuration.resources)
        // What the ID token must say is asked for; an app may ask for more, and its token is held to the same.
        if !configuration.requiredACRs.isEmpty, !request.parameters.contains(where: { $0.name == "acr_values" }) {
            request.parameters.append((name: "acr_values", value: configuration.requiredACRs.joined(separator: " ")))
        }
        return request
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
        // A token in a query would stand in histories, logs and Referer fields (OAuth 2.0 Multiple Response Types).
        if configuration.responseType.hasIDToken, configuration.responseMode == .query {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.authorization, "an ID token is never asked for in a query"))
        }
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return metadata(on: eventLoop, deadline: deadline).future(on: eventLoop).flatMap { [self] metadata in
            let random = SecureRandom.bytes(80)
            let verifier = CodeVerifier(bytes: Array(random[..<32]))
            let state = Base64URL.encode(random[32..<56])
            let nonce = Base64URL.encode(random[56...])
            // A `max_age` that stands among the parameters is held to as well.
            let age = maximumAge.map { [(name: "max_age", value: String($0))] } ?? []
            let others = maximumAge == nil ? parameters : parameters.filter { $0.name != "max_age" }
            let maximumAge =
                maximumAge ?? Self.maximumAge(in: parameters)
                ?? Self.maximumAge(in: configuration.authorizationParameters)
            let pending = PendingSignIn(
                state: state, nonce: Secret(nonce), codeVerifier: Secret(verifier.value), maximumAge: maximumAge)
            return authorizationRedirect(
                metadata: metadata, state: state, rawNonce: nonce, codeChallenge: verifier.challenge,
                parameters: others + age, deadline: deadline, on: eventLoop
            ).map { (url: $0, pending: pending) }
        }
    }

    private static func maximumAge(in parameters: [(name: String, value: String)]) -> Int64? {
        parameters.first { $0.name == "max_age" }.flatMap { Int64($0.value) }
    }
}
