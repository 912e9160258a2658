// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty

extension RelyingParty {
    /// Revokes a user's consent at Apple, as App Review requires when an account is deleted. Apple treats the
    /// user's next sign-in as the first one, with consent and name.
    ///
    /// Each request authenticates with a client secret. Revoking a token that is already revoked is harmless.
    /// - Parameters:
    ///   - token: The refresh token or, if there is none, the access token.
    ///   - hint: The kind of the token.
    ///   - bundleID: The app whose native credential gave the token; `nil` if it is from the web flow.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with `RelyingPartyError`.
    public func revokeAppleToken(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        bundleID: String? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        revoke(
            token, hint: hint, clientID: bundleID ?? configuration.clientID, in: RequestScope(on: eventLoop)
        ).future(on: eventLoop)
    }

    /// Revokes a user's consent at Apple with the authorization code of a native app: exchanges the code and revokes
    /// its tokens.
    /// - Parameters:
    ///   - authorizationCode: The code as the app obtained it. It is valid for five minutes and can be used once.
    ///   - bundleID: The bundle ID of the app.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with `RelyingPartyError`.
    public func revokeAppleAuthorization(
        code authorizationCode: Secret,
        bundleID: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        revoke(
            authorizationCode: authorizationCode.exposed, clientID: bundleID, in: RequestScope(on: eventLoop)
        ).future(on: eventLoop)
    }

    /// The async overload of ``revokeAppleToken(_:hint:bundleID:on:)``, which runs on any event loop of the given
    /// group.
    public func revokeAppleToken(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        bundleID: String? = nil,
        using group: any EventLoopGroup
    ) async throws {
        try await group.submit { self.revokeAppleToken(token, hint: hint, bundleID: bundleID, on: $0) }
    }

    /// The async overload of ``revokeAppleAuthorization(code:bundleID:on:)``, which runs on any event loop of the given
    /// group.
    public func revokeAppleAuthorization(
        code authorizationCode: Secret,
        bundleID: String,
        using group: any EventLoopGroup
    ) async throws {
        try await group.submit { self.revokeAppleAuthorization(code: authorizationCode, bundleID: bundleID, on: $0) }
    }
}
