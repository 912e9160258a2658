// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
public import OpenIDRelyingParty

extension Broker {
    /// Ends at a provider what a token stands for, as when a person deletes their account: what Apple's App Review asks
    /// for. A token that is revoked already, or unknown, does no harm.
    ///
    /// - Parameters:
    ///   - token: the provider's refresh token, or its access token.
    ///   - hint: which of the two it is.
    ///   - provider: the provider's name or id.
    ///   - audience: the native app's client id that the token was issued to; `nil` for tokens of the web flow.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: a future of the given event loop; it fails with `RelyingPartyError`, temporary where the provider is
    ///   down.
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
        return revocation.revoke(token, hint: hint).map { _ in }
    }

    /// The same with an authorization code that a native app got: it is exchanged first, and what it gives is revoked.
    /// A code that was used does no harm.
    ///
    /// - Parameters:
    ///   - code: as the app got it.
    ///   - provider: the provider's name or id.
    ///   - audience: the app's client id, for Apple its bundle id.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: a future of the given event loop; it fails with `RelyingPartyError`, temporary where the provider is
    ///   down.
    public func revoke(
        authorizationCode code: Secret,
        provider: String,
        audience: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        guard let entry = current.provider(named: WireText(provider)) else { return Self.unknownProvider(eventLoop) }
        return TokenRevocation(provider: entry, clientID: audience, eventLoop: eventLoop).revoke(code: code)
            .map { _ in }
    }

    /// The async overload of ``revoke(_:hint:provider:audience:on:)``, on any loop of the given group.
    public func revoke(
        _ token: Secret,
        hint: TokenTypeHint? = .refreshToken,
        provider: String,
        audience: String? = nil,
        using group: any EventLoopGroup
    ) async throws {
        try await revoke(token, hint: hint, provider: provider, audience: audience, on: group.any()).get()
    }

    /// The async overload of ``revoke(authorizationCode:provider:audience:on:)``, on any loop of the given group.
    public func revoke(
        authorizationCode code: Secret,
        provider: String,
        audience: String,
        using group: any EventLoopGroup
    ) async throws {
        try await revoke(authorizationCode: code, provider: provider, audience: audience, on: group.any()).get()
    }

    private static func unknownProvider(_ eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        eventLoop.makeFailedFuture(RelyingPartyError.unusable(.revocation, "there is no provider of that name"))
    }
}
