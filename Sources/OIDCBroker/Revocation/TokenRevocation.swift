// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The revocation of a token or a code at a provider, with the client ID to which it was issued.
///
/// It succeeds only if the provider says that the token is revoked, or that it does not know it (RFC 7009 section 2.2).
struct TokenRevocation {
    /// The reason why a token is not revoked although the provider responded.
    enum Refusal: Error, Equatable, CustomStringConvertible {
        /// The token is that of another user.
        case otherPerson
        /// The ID token of the response is missing or is not for this client.
        case unknownPerson
        /// The provider sent no ID token with the refresh and has no UserInfo endpoint.
        case noIDTokenAndNoUserInfo
        /// UserInfo does not confirm the user.
        case userInfoRefused
        /// UserInfo cannot be reached.
        case userInfoUnavailable
        /// The provider does not know the refresh token or code, or no longer. What was issued for it may be valid.
        case notValid

        /// Whether the same request may succeed later.
        var isTemporary: Bool { self == .userInfoUnavailable }

        var description: String {
            switch self {
            case .otherPerson: "The token or code is another user's."
            case .unknownPerson: "The provider does not say whose the token or code is."
            case .noIDTokenAndNoUserInfo:
                "The provider does not say whose the token is: it sent no ID token, and has no UserInfo endpoint."
            case .userInfoRefused: "UserInfo did not confirm that the token is this user's."
            case .userInfoUnavailable: "The provider is not available."
            case .notValid:
                "The token or code is unknown to the provider, or has expired. One that replaced it may still be valid."
            }
        }
    }

    let provider: ProviderEntry
    /// The client ID to which the token or code was issued: the broker's own at the provider, or a native app's.
    let clientID: String
    let eventLoop: any EventLoop
    /// What the requests to the provider are traced with; `nil` if it would not be recorded.
    var trace: RequestTrace?
    /// The scope of one operation.
    private var scope: RequestScope { RequestScope(on: eventLoop, trace: trace) }

    /// Revokes a token.
    func revoke(_ token: Secret, hint: TokenTypeHint?) -> Eventual<Void> {
        let relyingParty = provider.relyingParty
        let revoked =
            isOwnClient
            ? relyingParty.revoke(token, hint: hint, in: scope)
            : relyingParty.revoke(token, hint: hint, clientID: clientID, in: scope)
        return revoked.flatMapErrorThrowing { error in
            guard Self.isNotValid(error) else { throw error }
            // Nothing can have replaced an access token.
            guard hint == .accessToken else { throw Refusal.notValid }
        }
    }

    /// Revokes the grant of a native app's code, by exchanging it and revoking the result, which is not passed on.
    /// - Parameter subject: The required subject at the provider; `nil` for any.
    func revoke(code: Secret, subject: String? = nil) -> Eventual<Void> {
        provider.relyingParty.exchangeNative(code: code.exposed, clientID: clientID, in: scope)
            .flatMapErrorThrowing { error in throw Self.isNotValid(error) ? Refusal.notValid : error }
            .flatMap { response -> Eventual<Void> in
                if let subject {
                    do throws(Refusal) {
                        try validate(response.idToken, subject)
                    } catch {
                        return .failure(error)
                    }
                }
                if let token = response.refreshToken { return revoke(Secret(token), hint: .refreshToken) }
                guard let token = response.accessToken else {
                    return .failure(
                        RelyingPartyError.unusable(.revocation, "the code gave no token that could be revoked"))
                }
                return revoke(Secret(token), hint: .accessToken)
            }
    }

    /// Revokes a refresh token of one user, after the provider has confirmed whose it is.
    func revoke(_ token: Secret, of issued: IssuedIDToken) -> Eventual<Void> {
        let scope = scope
        return refresh(token, of: issued, in: scope)
            .flatMapErrorThrowing { error in throw Self.isNotValid(error) ? Refusal.notValid : error }
            .flatMap { response in
                let grant = RefreshedGrant(response, of: token)
                return owner(of: response, issued, in: scope).flatMap {
                    .value($0)
                } failure: { error in
                    // The keys of the provider are not available, for example. No app has the new token.
                    guard grant.isRotated else { return .failure(error) }
                    return abandon(grant.newest, error).flatMapThrowing { .unknown }
                }.flatMap { owner in
                    provider.relyingParty.metadata(in: scope).flatMap {
                        perform(grant.step(after: owner, hasUserInfo: $0.userInfoEndpoint != nil), of: grant, issued)
                    }
                }
            }
    }

    private func perform(
        _ step: RefreshedGrant.Step, of grant: RefreshedGrant, _ issued: IssuedIDToken
    ) -> Eventual<Void> {
        switch step {
        case .revoke(let token): return revoke(token, hint: .refreshToken)
        case .askUserInfo(let accessToken):
            let userInfo = provider.relyingParty.userInfo(
                accessToken: accessToken, subject: issued.upstreamSubject, in: scope)
            return userInfo.flatMapThrowing { _ in grant.step(afterUserInfo: nil) }
                .recover { grant.step(afterUserInfo: $0) }
                .flatMap { perform($0, of: grant, issued) }
        case .refuse(let refusal, nil): return .failure(refusal)
        case .refuse(let refusal, let token?): return abandon(token, refusal)
        }
    }

    /// Revokes a token that no app has, as far as possible, and fails with an error in any case.
    private func abandon(_ token: Secret, _ error: any Error) -> Eventual<Void> {
        revoke(token, hint: .refreshToken).recover { _ in }.flatMapThrowing { throw error }
    }

    /// Uses the refresh token.
    private func refresh(
        _ token: Secret, of issued: IssuedIDToken, in scope: RequestScope
    ) -> Eventual<RefreshResponse> {
        let relyingParty = provider.relyingParty
        guard !isOwnClient else {
            return relyingParty.requestRefresh(token, issuer: issued.upstreamIssuer, in: scope)
        }
        return relyingParty.metadata(in: scope).flatMap { metadata in
            relyingParty.post(
                .refresh, to: .token, metadata,
                [("grant_type", "refresh_token"), ("refresh_token", token.exposed)], clientID: clientID, in: scope)
        }.flatMapThrowing { response in
            do throws(TokenResponseError) {
                return try RefreshResponse(status: response.status, json: Array(response.body.readableBytesView))
            } catch {
                throw RelyingPartyError.tokenResponse(error, .refresh)
            }
        }
    }

    /// Returns whose the refreshed grant is. Fails if that cannot be found out now.
    private func owner(
        of response: RefreshResponse, _ issued: IssuedIDToken, in scope: RequestScope
    ) -> Eventual<RefreshedGrant.Owner> {
        guard let idToken = response.idToken else { return .value(.unknown) }
        guard isOwnClient else {
            do throws(Refusal) {
                try validate(idToken, issued.upstreamSubject)
                return .value(.person)
            } catch {
                return .value(error == .otherPerson ? .otherPerson : .unknown)
            }
        }
        return provider.relyingParty.verify(
            response, of: (issued.upstreamIssuer, issued.upstreamSubject), in: scope
        ).flatMapThrowing { _ in .person }.flatMapErrorThrowing { error in
            // An invalid ID token does not prove that the token is this user's.
            guard (error as? RelyingPartyError)?.finding == nil else { return .otherPerson }
            throw error
        }
    }

    /// Validates that an ID token from the token endpoint is that user's, for this client.
    private func validate(_ idToken: String?, _ subject: String) throws(Refusal) {
        guard
            let claims = idToken.flatMap({
                UnverifiedIDTokenPayload.claims(of: $0, issuer: provider.relyingParty.configuration.issuer)
            }),
            claims["aud"]?.text?.hasSameBytes(as: clientID) == true, let found = claims["sub"]?.text
        else { throw .unknownPerson }
        guard found.hasSameBytes(as: subject) else { throw .otherPerson }
    }

    private var isOwnClient: Bool { clientID.hasSameBytes(as: provider.relyingParty.configuration.clientID) }

    /// Whether an error says that a token or code is invalid, or no longer valid.
    private static func isNotValid(_ error: any Error) -> Bool {
        let code = (error as? RelyingPartyError)?.providerError?.code
        return code == "invalid_grant" || code == "invalid_token"
    }
}
