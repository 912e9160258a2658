// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty

// The revocation of a user's grant at Apple, which an app asks for before it deletes the account.
extension ToolkitCall {
    /// Revokes the grant of the identity that the account of the session has at a provider. The redirect URI of the
    /// request is not needed, since the code of a native app has none.
    /// - Parameters:
    ///   - request: The request.
    ///   - bundleID: What the SDK says that the bundle ID of the app is; `nil` if it says nothing.
    func revoke(
        _ request: RevokeTokenRequest, bundleID: String?
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        try asking(request.idToken) { asking throws(ToolkitError) in
            try revoke(request, bundleID: bundleID, asking: asking)
        }
    }

    private func revoke(
        _ request: RevokeTokenRequest, bundleID: String?, asking: Asking
    ) throws(ToolkitError) -> EventLoopFuture<BrokerResponse> {
        let provider = try provider(request.providerID)
        guard provider.revokesNativeGrants else {
            throw ToolkitError(
                .operationNotAllowed, "Nothing can be revoked: the provider is not Apple, or has no private-key.")
        }
        let clientID = try clientID(at: provider, bundleID: bundleID)
        // Nothing goes to the provider for a session that has ended, or for a disabled account.
        return revocable(at: provider, asking: asking).flatMap { revocable in
            guard let revocable else {
                return eventLoop.makeFailedFuture(
                    ToolkitError(.invalidIdpResponse, "The account has no identity at the provider."))
            }
            // It counts as a write whatever the provider says, which is asked as often at most. The session is live.
            guard toolkit.limits.mayProceed(asking.write) else {
                return eventLoop.makeFailedFuture(ToolkitError(.tooManyAttempts))
            }
            return revoke(revocable, by: request, clientID: clientID, at: provider, asking: asking)
        }
    }

    /// The client ID to which the code or the token was issued. The bundle ID that the app says it has is not proved,
    /// but a code of another client is refused by the provider.
    private func clientID(
        at provider: BrokerAccess.Provider, bundleID: String?
    ) throws(ToolkitError) -> String {
        let audiences = app.audiences(at: provider.id, named: provider.name)
        if let bundleID, let own = audiences.first(where: { bundleID.hasSameBytes(as: $0) }) { return own }
        guard let first = audiences.first else {
            throw ToolkitError(.operationNotAllowed, "The app has no native-audiences at the provider.")
        }
        guard audiences.count == 1 else {
            throw ToolkitError(
                .operationNotAllowed,
                "The app has several native-audiences at the provider. Send one of them as X-Ios-Bundle-Identifier.")
        }
        return first
    }

    private func revocable(
        at provider: BrokerAccess.Provider, asking: Asking
    ) -> EventLoopFuture<AccountService.RevocableIdentity?> {
        service.revocableIdentity(
            at: provider.id, issuer: provider.issuer, asking: asking.session, on: eventLoop)
    }

    private func revoke(
        _ revocable: AccountService.RevocableIdentity, by request: RevokeTokenRequest, clientID: String,
        at provider: BrokerAccess.Provider, asking: Asking
    ) -> EventLoopFuture<BrokerResponse> {
        let revoked: EventLoopFuture<Void>
        let isProof: Bool
        switch request.token {
        case .code(let code):
            // Only a user who is there gets a code.
            isProof = true
            revoked = provider.revoke(
                code: Secret(code), clientID: clientID, subject: revocable.identity.key.subject)
        case .accessToken(let token):
            isProof = false
            // An access token says not whose it is.
            let isOfPerson = revocable.identity.accessToken?.isValid(token, now: broker.now) == true
            revoked =
                isOfPerson
                ? provider.revoke(accessToken: Secret(token), clientID: clientID)
                : eventLoop.makeFailedFuture(BrokerAccess.RevocationError.refused)
        }
        return revoked.flatMap { service.recordRevocation(of: revocable, isProof: isProof, on: eventLoop) }
            .map {
                audit(
                    .accountRevoke, provider: provider.id,
                    subject: SubjectIdentifier.derive(
                        issuer: revocable.identity.key.issuer, subject: revocable.identity.key.subject),
                    of: asking.session.account)
                return BrokerResponse.revoked
            }
            .flatMapError { error in
                switch error as? BrokerAccess.RevocationError {
                case .refused?: return repeated(at: provider, asking: asking)
                case .unsupported?:
                    return eventLoop.makeFailedFuture(
                        ToolkitError(.operationNotAllowed, "The provider cannot revoke the token."))
                case .temporary?, nil: return eventLoop.makeFailedFuture(error)
                }
            }
    }

    /// The response where the provider refused, or was not asked. It is a success only if the grant was revoked before
    /// and there was no sign-in since. Otherwise an app would delete the account and leave the grant standing.
    private func repeated(
        at provider: BrokerAccess.Provider, asking: Asking
    ) -> EventLoopFuture<BrokerResponse> {
        revocable(at: provider, asking: asking).flatMapThrowing { revocable in
            guard revocable?.identity.revokedAt != nil else {
                throw ToolkitError(
                    .invalidIdpResponse,
                    "The code was used or has expired, or it is not this user's. Sign in at the provider again.")
            }
            return BrokerResponse.revoked
        }
    }
}
