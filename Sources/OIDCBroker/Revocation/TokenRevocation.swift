// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// The revocation of a token or a code at a provider, with the client ID to which it was issued.
struct TokenRevocation {
    /// The reason why a token is not revoked although the provider responded.
    enum Refusal: Error, CustomStringConvertible {
        /// The token is that of another user.
        case otherPerson
        /// The provider does not say whose token it is.
        case unknownPerson

        var description: String {
            switch self {
            case .otherPerson: "the token is another person's"
            case .unknownPerson: "the provider does not say whose the token is"
            }
        }
    }

    /// The result of a revocation that the provider did not refuse.
    enum Completion: Sendable {
        /// The provider revoked it.
        case revoked
        /// The provider does not know the token, or no longer, which is equivalent to a revoked one.
        case unknown
    }

    let provider: ProviderEntry
    /// The client ID to which the token or code was issued: the broker's own at the provider, or a native app's.
    let clientID: String
    let eventLoop: any EventLoop

    /// Revokes a token.
    func revoke(_ token: Secret, hint: TokenTypeHint?) -> EventLoopFuture<Completion> {
        let relyingParty = provider.relyingParty
        let future =
            isOwnClient
            ? relyingParty.revoke(token, hint: hint, on: eventLoop)
            : relyingParty.revoke(token, hint: hint, clientID: clientID, on: eventLoop)
        return Self.completion(of: future)
    }

    /// Revokes the grant of a native app's code, by exchanging it and revoking the result, which is not passed on.
    /// - Parameter subject: The required subject at the provider; `nil` for any.
    func revoke(code: Secret, subject: String? = nil) -> EventLoopFuture<Completion> {
        provider.relyingParty.exchangeNative(code: code.exposed, clientID: clientID, on: eventLoop)
            .flatMap { response -> EventLoopFuture<Completion> in
                if let subject {
                    do throws(Refusal) {
                        try validate(response.idToken, subject)
                    } catch {
                        return eventLoop.makeFailedFuture(error)
                    }
                }
                if let token = response.refreshToken { return revoke(Secret(token), hint: .refreshToken) }
                guard let token = response.accessToken else {
                    return eventLoop.makeFailedFuture(
                        RelyingPartyError.unusable(.revocation, "the code gave no token that could be revoked"))
                }
                return revoke(Secret(token), hint: .accessToken)
            }
            .flatMapErrorThrowing { try Self.completion(after: $0) }
    }

    /// Revokes a refresh token of one user, after the provider has confirmed whose it is.
    func revoke(_ token: Secret, of issued: IssuedIDToken) -> EventLoopFuture<Completion> {
        owned(token, by: issued)
            .flatMap { token in revoke(token, hint: .refreshToken) }
            .flatMapErrorThrowing { try Self.completion(after: $0) }
    }

    /// Returns the refresh token to revoke, which the provider may have rotated. Fails if it is not that user's.
    private func owned(_ token: Secret, by issued: IssuedIDToken) -> EventLoopFuture<Secret> {
        let relyingParty = provider.relyingParty
        guard !isOwnClient else {
            return relyingParty.refresh(
                token, issuer: issued.upstreamIssuer, subject: issued.upstreamSubject, on: eventLoop
            ).flatMapThrowing { tokens in
                guard tokens.claims != nil else { throw Refusal.unknownPerson }
                return tokens.refreshToken ?? token
            }.flatMapErrorThrowing { error in
                // An invalid ID token does not prove that the token is this user's.
                guard (error as? RelyingPartyError)?.finding == nil else { throw Refusal.otherPerson }
                throw error
            }
        }
        return relyingParty.metadata(on: eventLoop).future(on: eventLoop).flatMap { metadata in
            relyingParty.post(
                .refresh, to: metadata.tokenEndpoint,
                [("grant_type", "refresh_token"), ("refresh_token", token.exposed)], clientID: clientID, on: eventLoop)
        }.flatMapThrowing { response in
            let response = try RefreshResponse(status: response.status, json: Array(response.body.readableBytesView))
            guard let idToken = response.idToken else { throw Refusal.unknownPerson }
            try validate(idToken, issued.upstreamSubject)
            return response.refreshToken.map { Secret($0) } ?? token
        }
    }

    /// Validates that an ID token from the token endpoint is that user's, for this client.
    private func validate(_ idToken: String, _ subject: String) throws(Refusal) {
        guard
            let claims = UnverifiedIDTokenPayload.claims(
                of: idToken, issuer: provider.relyingParty.configuration.issuer),
            claims["aud"]?.text?.hasSameBytes(as: clientID) == true, let found = claims["sub"]?.text
        else { throw .unknownPerson }
        guard found.hasSameBytes(as: subject) else { throw .otherPerson }
    }

    private var isOwnClient: Bool { clientID.hasSameBytes(as: provider.relyingParty.configuration.clientID) }

    private static func completion(of future: EventLoopFuture<Void>) -> EventLoopFuture<Completion> {
        future.map { .revoked }.flatMapErrorThrowing { try completion(after: $0) }
    }

    /// The result for an error by which the provider says that a token or code is invalid, or no longer valid.
    private static func completion(after error: any Error) throws -> Completion {
        let code = (error as? RelyingPartyError)?.providerError?.code
        guard code == "invalid_grant" || code == "invalid_token" else { throw error }
        return .unknown
    }
}
