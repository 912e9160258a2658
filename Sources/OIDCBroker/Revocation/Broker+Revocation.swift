// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
public import OpenIDRelyingParty

extension Broker {
    /// Revokes a token at a provider, for example when a user deletes their account, as Apple's App Review requires.
    /// It succeeds only if the provider says that the token is revoked, or that it does not know it. An error that names
    /// an invalid refresh token says that one that replaced it may still be valid.
    ///
    /// - Parameters:
    ///   - token: The provider's refresh token or access token.
    ///   - hint: Which of the two it is.
    ///   - provider: The provider's name or ID.
    ///   - audience: The native app's client ID to which the token was issued; `nil` for tokens of the web flow.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future of the given event loop. It fails with `RelyingPartyError`, temporary if the provider is
    ///   unavailable.
    public func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        provider: String,
        audience: String? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        guard let entry = current.provider(named: WireText(provider)) else { return Self.unknownProvider(eventLoop) }
        guard audience != nil || entry.hasWebFlow else {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.revocation, "the provider has no client-id: an audience is needed"))
        }
        let revocation = TokenRevocation(
            provider: entry, clientID: audience ?? entry.relyingParty.configuration.clientID, eventLoop: eventLoop)
        return revocation.revoke(token, hint: hint).flatMapErrorThrowing { throw Self.publicError($0) }
            .future(on: eventLoop)
    }

    /// Revokes the grant of an authorization code that a native app received: the code is exchanged, and the resulting
    /// token is revoked. A code that was already used is an error, since its token may still be valid.
    ///
    /// - Parameters:
    ///   - code: The code as the app received it.
    ///   - provider: The provider's name or ID.
    ///   - audience: The app's client ID; for Apple its bundle ID.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future of the given event loop. It fails with `RelyingPartyError`, temporary if the provider is
    ///   unavailable.
    public func revoke(
        authorizationCode code: Secret,
        provider: String,
        audience: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        guard let entry = current.provider(named: WireText(provider)) else { return Self.unknownProvider(eventLoop) }
        return TokenRevocation(provider: entry, clientID: audience, eventLoop: eventLoop).revoke(code: code)
            .flatMapErrorThrowing { throw Self.publicError($0) }.future(on: eventLoop)
    }

    /// The async overload of ``revoke(_:hint:provider:audience:on:)``, on any event loop of the given group.
    public func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        provider: String,
        audience: String? = nil,
        using group: any EventLoopGroup
    ) async throws {
        try await group.submit { self.revoke(token, hint: hint, provider: provider, audience: audience, on: $0) }
    }

    /// The async overload of ``revoke(authorizationCode:provider:audience:on:)``, on any event loop of the given group.
    public func revoke(
        authorizationCode code: Secret,
        provider: String,
        audience: String,
        using group: any EventLoopGroup
    ) async throws {
        try await group.submit { self.revoke(authorizationCode: code, provider: provider, audience: audience, on: $0) }
    }

    private static func publicError(_ error: any Error) -> any Error {
        guard let refusal = error as? TokenRevocation.Refusal else { return error }
        return RelyingPartyError.unusable(.revocation, refusal.description)
    }

    private static func unknownProvider(_ eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        eventLoop.makeFailedFuture(RelyingPartyError.unusable(.revocation, "there is no provider of that name"))
    }
}
