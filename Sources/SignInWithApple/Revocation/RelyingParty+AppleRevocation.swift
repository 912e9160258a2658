// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty

extension RelyingParty {
    /// Ends at Apple what a person allowed: what App Review asks for when an account is deleted. Apple treats the
    /// person's next sign-in as the first one, with consent and name.
    ///
    /// Each request has a client secret made for it. A token that is revoked already does no harm.
    /// - Parameters:
    ///   - token: the refresh token, or, where there is none, the access token.
    ///   - hint: which of the two it is.
    ///   - bundleID: the app whose native credential gave the token; nil for tokens of the web flow.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    public func revokeAppleToken(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        bundleID: String? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        revoke(token, hint: hint, clientID: bundleID ?? configuration.clientID, on: eventLoop)
    }

    /// The same with the authorization code that a native app got: it is exchanged first, and its tokens are revoked.
    /// - Parameters:
    ///   - authorizationCode: as the app got it; good for five minutes and once.
    ///   - bundleID: the app.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    public func revokeAppleAuthorization(
        code authorizationCode: Secret,
        bundleID: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        revoke(authorizationCode: authorizationCode.exposed, clientID: bundleID, on: eventLoop)
    }

    /// The async overload of ``revokeAppleToken(_:hint:bundleID:on:)``, on any loop of the given group.
    public func revokeAppleToken(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        bundleID: String? = nil,
        using group: any EventLoopGroup
    ) async throws {
        try await revokeAppleToken(token, hint: hint, bundleID: bundleID, on: group.any()).get()
    }

    /// The async overload of ``revokeAppleAuthorization(code:bundleID:on:)``, on any loop of the given group.
    public func revokeAppleAuthorization(
        code authorizationCode: Secret,
        bundleID: String,
        using group: any EventLoopGroup
    ) async throws {
        try await revokeAppleAuthorization(code: authorizationCode, bundleID: bundleID, on: group.any()).get()
    }
}
