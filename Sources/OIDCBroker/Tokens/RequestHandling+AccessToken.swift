// SPDX-License-Identifier: Apache-2.0

import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

// What ends an access token before its expiry: its app, a second redemption of its code, and the end of its account.
extension RequestHandling {
    /// The store of access tokens that ended, which may have been valid for a day.
    private var endedTokens: SingleUseAccess {
        services.lastingStore.within(context.storeTimeout).traced(under: context.span)
    }

    /// Ends an access token before its expiry.
    /// - Parameters:
    ///   - id: The identifier of the token.
    ///   - app: The app of the token, which leaves room for the tokens of others.
    ///   - seconds: The time for which the token would be valid.
    /// - Returns: Whether the store knows it.
    func end(accessToken id: [UInt8], of app: AppEntry, seconds: Int64) -> Eventual<Bool> {
        let key = AccessToken.endKey(id: id)
        return endedTokens.claim(
            key, owner: SingleUseOwner(person: key, provider: app.share), seconds: seconds, on: eventLoop
        ).flatMapThrowing { $0 == .won || $0 == .lost }
    }

    /// Returns whether an access token was ended before its expiry.
    func isEnded(accessToken id: [UInt8]) -> Eventual<Bool> {
        endedTokens.isClaimed(AccessToken.endKey(id: id), on: eventLoop)
    }

    /// Returns whether the account that a sign-in entered may still be used, and the session of a token is there. While that is not known it fails, and the
    /// operator is told, one line a second.
    /// - Parameters:
    ///   - claims: The claims that the app gets; `nil` if they cannot be read.
    ///   - issuedAt: The time since which the sessions of the account must not have been ended, in seconds since 1970;
    ///     `nil` if only the account is asked about.
    ///   - place: The endpoint, as it appears in logs.
    ///   - message: What the operator is told.
    func mayBeUsed(
        accountIn claims: JSONObject?, since issuedAt: Int64?, app: AppEntry, at place: RepeatableEvent.Place,
        message: StaticString
    ) -> Eventual<Bool> {
        guard app.configuration.accounts, let accounts = snapshot.extensions.decider else { return .value(true) }
        guard let claims else { return .value(false) }
        // It entered none.
        guard let account = claims["account"] else { return .value(true) }
        guard let id = account.text?.makeString() else { return .value(false) }
        return Eventual.future(
            accounts.isUsable(
                account: id, since: issuedAt, session: AccessToken.session(in: claims), on: eventLoop
            ).hop(to: eventLoop)
        ).flatMapErrorThrowing { error in
            logUnavailableAccounts(error, app: app, at: place, message: message)
            throw error
        }
    }

    /// Tells the operator that accounts could not be asked, one line a second.
    func logUnavailableAccounts(
        _ error: any Error, app: AppEntry, at place: RepeatableEvent.Place, message: StaticString
    ) {
        guard let repetition = services.repetition(of: .accountsUnavailable, at: place) else { return }
        // The description of another part's error may contain anything.
        logger.warning(
            "\(message): the accounts are unavailable",
            metadata: [
                "auth.outcome": "accounts_unavailable", "auth.detail": "\(LogText.detail("\(type(of: error))"))",
                "auth.app": "\(app.configuration.name)",
            ].merging(repetition) { own, _ in own })
    }
}
