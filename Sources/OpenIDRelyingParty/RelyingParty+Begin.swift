// SPDX-License-Identifier: Apache-2.0

import Synchronization
import JOSE
public import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Returns the authorization URL to which the user agent is sent.
    /// - Parameters:
    ///   - endpoint: What ``authorizationEndpoint(of:)`` returned.
    ///   - rawNonce: The nonce before the provider's own form of it is applied.
    ///   - additionalScopes: Scopes beyond the configured ones.
    ///   - parameters: Parameters beyond the configured ones. A parameter of the same name replaces the configured one.
    ///   - dpop: The proofs of the login, to whose key the code is bound; `nil` without DPoP.
    package func authorizationURL(
        endpoint: AbsoluteURL,
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String] = [],
        parameters: [(name: String, value: String)] = [],
        dpop: DPoPLogin? = nil
    ) -> String {
        // Few apps add scopes or parameters of their own, so the beginning of the URL is usually cached.
        guard additionalScopes.isEmpty, parameters.isEmpty else {
            return authorizationRequest(
                state: state, rawNonce: rawNonce, codeChallenge: codeChallenge, additionalScopes: additionalScopes,
                parameters: parameters, dpop: dpop
            ).url(endpoint: endpoint)
        }
        return AuthorizationRequest.url(
            behind: authorizationURLPrefix(endpoint), state: state,
            nonce: configuration.profile.nonce(fromRaw: rawNonce),
            codeChallenge: configuration.responseType.hasCode ? codeChallenge : nil,
            dpopThumbprint: dpop?.key.thumbprint)
    }

    private func authorizationURLPrefix(_ endpoint: AbsoluteURL) -> String {
        knownURLPrefix.withLock { known in
            if let known, known.endpoint.hasSameBytes(as: endpoint.text) { return known.prefix }
            let prefix = authorizationRequest(
                state: "", rawNonce: "", codeChallenge: "", additionalScopes: [], parameters: []
            ).urlPrefix(endpoint: endpoint)
            known = (endpoint: endpoint.text, prefix: prefix)
            return prefix
        }
    }

    /// The authorization request, to be put into a URL or pushed to the provider.
    func authorizationRequest(
        state: String,
        rawNonce: String,
        codeChallenge: String,
        additionalScopes: [String],
        parameters: [(name: String, value: String)],
        dpop: DPoPLogin? = nil
    ) -> AuthorizationRequest {
        let configured = configuration.authorizationParameters.compactMap { mine in
            parameters.contains { $0.name == mine.name } ? nil : (name: mine.name, value: mine.value)
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
            claims: configuration.claimsParameter,
            resource: configuration.resources)
        request.dpopThumbprint = dpop?.key.thumbprint
        request.includesDefaultResponseMode = configuration.sendsDefaultResponseMode
        // The ID token must carry one of the configured classes, so the request asks for them. If an app asks for
        // `acr_values` of its own, the ID token is still checked against the configured ones.
        if !configuration.requiredACRValues.isEmpty, !request.parameters.contains(where: { $0.name == "acr_values" }) {
            request.parameters.append(
                (name: "acr_values", value: configuration.requiredACRValues.joined(separator: " ")))
        }
        return request
    }

    /// Begins a sign-in and returns the URL to which the user agent is sent, with the values to keep in its session
    /// until the callback.
    /// - Parameters:
    ///   - parameters: Further parameters of the authorization request, for example `login_hint`. Reserved ones are
    ///     ignored.
    ///   - maximumAge: The value of `max_age`; only whole seconds count.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    public func begin(
        parameters: [AuthorizationParameter] = [],
        maximumAge: Duration? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignInStart> {
        // A token in a query would end up in browser histories, logs and Referer fields (OAuth 2.0 Multiple Response
        // Types, section 3).
        if configuration.responseType.hasIDToken, configuration.responseMode.carrier == .query {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.authorization, "an ID token is never requested in a query"))
        }
        let scope = RequestScope(on: eventLoop)
        return metadata(in: scope).flatMap { [self] metadata in
            let random = SecureRandom.bytes(80)
            let verifier = CodeVerifier(bytes: Array(random[..<32]))
            let state = Base64URL.encode(random[32..<56])
            let nonce = Base64URL.encode(random[56...])
            // A `max_age` among the parameters is enforced as well.
            let seconds = maximumAge?.components.seconds
            let age = seconds.map { [(name: "max_age", value: String($0))] } ?? []
            let others = parameters.filter { seconds == nil || $0.name != "max_age" }
            let enforced = seconds ?? Self.maximumAge(in: parameters) ?? configuration.maximumAge
            let seed = configuration.usesDPoP ? SecureRandom.bytes(32) : nil
            let dpop: DPoPLogin?
            do {
                dpop = try seed.map { seed throws(RelyingPartyError) in DPoPLogin(key: try Self.dpopKey(seed: seed)) }
            } catch {
                return .failure(error)
            }
            let pending = PendingSignIn(
                state: state, nonce: Secret(nonce), codeVerifier: Secret(verifier.value),
                maximumAge: enforced.map { .seconds($0) }, dpopSeed: seed.map { Secret(Base64URL.encode($0)) })
            return authorizationRedirect(
                metadata: metadata, state: state, rawNonce: nonce, codeChallenge: verifier.challenge,
                parameters: others.map { (name: $0.name, value: $0.value) } + age, dpop: dpop, in: scope
            ).flatMapThrowing { SignInStart(url: $0, pending: pending) }
        }.future(on: eventLoop)
    }

    private static func maximumAge(in parameters: [AuthorizationParameter]) -> Int64? {
        parameters.first { $0.name == "max_age" }.flatMap { Int64($0.value) }
    }
}

extension ProviderConfiguration {
    /// The `max_age` among the parameters of every authorization request, in seconds; `nil` if it is not among them.
    package var maximumAge: Int64? {
        authorizationParameters.first { $0.name == "max_age" }.flatMap { Int64($0.value) }
    }
}
