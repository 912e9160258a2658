// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDConnect

extension RelyingParty {
    /// The async overload of `begin`, which runs on any event loop of the given group.
    public func begin(
        parameters: [AuthorizationParameter] = [],
        maximumAge: Duration? = nil,
        using group: any EventLoopGroup
    ) async throws -> SignInStart {
        try await group.submit { self.begin(parameters: parameters, maximumAge: maximumAge, on: $0) }
    }

    /// The async overload of `complete`, which runs on any event loop of the given group.
    public func complete(
        authorizationResponse parameters: String,
        pending: PendingSignIn,
        using group: any EventLoopGroup
    ) async throws -> VerifiedSignIn {
        try await group.submit { self.complete(authorizationResponse: parameters, pending: pending, on: $0) }
    }

    /// The async overload of ``userInfo(accessToken:subject:on:)``, which runs on any event loop of the given group.
    public func userInfo(
        accessToken: Secret,
        subject: String,
        using group: any EventLoopGroup
    ) async throws -> Claims {
        try await group.submit { self.userInfo(accessToken: accessToken, subject: subject, on: $0) }
    }

    /// The async overload of ``refresh(_:issuer:subject:nonce:authenticationTime:on:)``, which runs on any event loop
    /// of the given group.
    public func refresh(
        _ refreshToken: Secret,
        issuer: String,
        subject: String,
        nonce: String? = nil,
        authenticationTime: Int64? = nil,
        using group: any EventLoopGroup
    ) async throws -> RefreshedTokens {
        try await group.submit {
            self.refresh(
                refreshToken, issuer: issuer, subject: subject, nonce: nonce, authenticationTime: authenticationTime,
                on: $0)
        }
    }

    /// The async overload of ``revoke(_:hint:on:)``, which runs on any event loop of the given group.
    public func revoke(_ token: Secret, hint: TokenTypeHint? = nil, using group: any EventLoopGroup) async throws {
        try await group.submit { self.revoke(token, hint: hint, on: $0) }
    }
}
