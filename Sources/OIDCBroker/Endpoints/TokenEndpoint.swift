// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OpenIDConnect
import OpenIDRelyingParty

/// The endpoint at which an app redeems its hand-off code (`POST token`; RFC 6749 section 4.1.3, RFC 7636 section 4.5).
struct TokenEndpoint: RequestHandling {
    let context: RequestContext

    /// A code that an app sent, and what must match its record.
    private struct Redemption: Sendable {
        let handOff: HandOff
        let app: AppEntry
        let redirectURI: WireText
        let verifier: WireText?
        let now: Int64

        /// Opens the record of the code; `nil` if anything does not match.
        func record(in sealed: [UInt8], issuer: String) -> HandOffRecord? {
            guard let record = handOff.open(sealed), record.clientID.hasSameBytes(as: app.clientID),
                redirectURI.hasSameBytes(as: record.redirectURI), record.issuer.hasSameBytes(as: issuer),
                TokenEndpoint.isBound(
                    record, by: verifier, mayBeUnchallenged: app.configuration.codeBinding == .nonce)
            else { return nil }
            return record
        }
    }

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        let begin = eventLoop.now
        let response = AppAuthentication(context: context, requests: .redemptions).respond(to: request) {
            form, app throws(TokenError) in
            // A confidential app is a server, which speaks for many people.
            try services.signing.reserve(
                app.signingKey, for: .redemption, of: app.isPublic ? context.client : nil
            ) { () throws(TokenError) in
                try redeem(form, app)
            }
        }
        response.whenComplete { _ in metrics.redemptionDuration.record(eventLoop.now - begin) }
        return response
    }

    private func redeem(_ form: Parameters, _ app: AppEntry) throws(TokenError) -> Eventual<BrokerResponse> {
        guard let grantType = AppAuthentication.value("grant_type", form) else {
            throw TokenError("invalid_request", "grant_type is missing.")
        }
        guard grantType == "authorization_code" else {
            throw TokenError("unsupported_grant_type", "grant_type must be authorization_code.")
        }
        func required(_ name: String) throws(TokenError) -> WireText {
            guard let value = AppAuthentication.value(name, form) else {
                throw TokenError("invalid_request", "\(name) is missing.")
            }
            return value
        }
        let code = try required("code")
        let isBoundByNonce = app.configuration.codeBinding == .nonce
        let verifier =
            try isBoundByNonce
            ? AppAuthentication.value("code_verifier", form) : required("code_verifier")
        let redirectURI = try required("redirect_uri")
        guard let handOff = HandOff(code: code) else { throw .invalidGrant }
        let redemption = Redemption(
            handOff: handOff, app: app, redirectURI: redirectURI, verifier: verifier, now: services.clock.now())
        guard app.configuration.accounts, let accounts = snapshot.admission else { return redeem(redemption) }
        let response = isUsable(redemption, by: accounts).flatMap { isUsable in
            redeem(redemption, isUsable: isUsable).future(on: eventLoop)
        }
        return .future(response.recover { _ in TokenError.unavailable.response })
    }

    /// - Parameter isUsable: Whether the account of the record may be used.
    private func redeem(_ redemption: Redemption, isUsable: Bool = true) -> Eventual<BrokerResponse> {
        store.take(redemption.handOff.key, claimSeconds: AccessToken.lifetime, on: eventLoop).flatMap(
            on: eventLoop
        ) { take in
            guard let sealed = take.value else {
                return take.isClaimed
                    ? .future(refuseAgain(redemption.handOff, redemption.app)) : .value(refusal(redemption.app))
            }
            // The code is now used up: any mismatch from here on invalidates it.
            guard isUsable, let record = redemption.record(in: sealed, issuer: snapshot.issuer) else {
                return .value(refusal(redemption.app, login: redemption.handOff.open(sealed)?.reference))
            }
            // A repetition would not be recognized: the app still gets the ID token, but an access token that is not
            // valid.
            let expiry = take.isClaimed ? redemption.now + AccessToken.lifetime : redemption.now
            return issue(record, redemption, accessTokenExpiry: expiry)
        }.recover { _ in TokenError.unavailable.response }
    }

    /// Asks whether the account of a record may still be used, before the code is used up: while it is not known, the
    /// app may try again with the same code. A record that the app may not have is not asked about, since it is refused
    /// in any case.
    private func isUsable(
        _ redemption: Redemption, by accounts: any BrokerExtension
    ) -> EventLoopFuture<Bool> {
        store.readBeforeTake(redemption.handOff.key, on: eventLoop).future(on: eventLoop).flatMap { sealed in
            guard let record = sealed.flatMap({ redemption.record(in: $0, issuer: snapshot.issuer) }) else {
                return eventLoop.makeSucceededFuture(true)
            }
            guard let claims = record.claims.object else { return eventLoop.makeSucceededFuture(false) }
            // It entered none.
            guard let account = claims["account"] else { return eventLoop.makeSucceededFuture(true) }
            guard let id = account.text?.visibleASCII(atMost: HandedClaims.maximumLength) else {
                return eventLoop.makeSucceededFuture(false)
            }
            return accounts.isUsable(account: id, on: eventLoop).flatMapErrorThrowing { error in
                noteTrouble(error, app: redemption.app)
                throw error
            }
        }
    }

    /// Tells the operator that it was not decided whether an account may be used, one line a second.
    private func noteTrouble(_ error: any Error, app: AppEntry) {
        guard let repetition = services.repetition(of: .accountsUnavailable, at: .token) else { return }
        // The description of another part's error may contain anything.
        logger.warning(
            "a hand-off code could not be redeemed",
            metadata: [
                "auth.outcome": "accounts_unavailable", "auth.detail": "\(LogText.detail("\(type(of: error))"))",
                "auth.app": "\(app.configuration.name)",
            ].merging(repetition) { own, _ in own })
    }

    /// Issues the tokens of a record.
    private func issue(
        _ record: HandOffRecord, _ redemption: Redemption, accessTokenExpiry: Int64
    ) -> Eventual<BrokerResponse> {
        TokenResponse(context: context, app: redemption.app, place: .token).issue(
            record, accessTokenID: redemption.handOff.accessTokenID, accessTokenExpiry: accessTokenExpiry,
            now: redemption.now
        ).flatMapThrowing { response in
            guard response.head.status == .ok else { return response }
            return redeemed(record, redemption.app, response)
        }
    }

    /// Logs, counts and audits a redemption.
    private func redeemed(_ record: HandOffRecord, _ app: AppEntry, _ response: BrokerResponse) -> BrokerResponse {
        let outcome = "redeemed"
        metrics.redemptions.increment(app.configuration.name, outcome)
        logger.debug(
            "a hand-off code was redeemed",
            metadata: record.reference.metadata.merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
        func event() -> AuditEvent {
            let (subject, account) = record.person
            return AuditEvent(
                .redeemed, outcome: outcome, app: app.configuration.name, subject: subject, client: context.client,
                reference: record.reference, account: account)
        }
        audit.record(event())
        return response.noting(outcome, record.reference)
    }

    /// Refuses a code that was redeemed before, and ends the access token of that redemption (RFC 6749 section 4.1.2).
    private func refuseAgain(_ handOff: HandOff, _ app: AppEntry) -> EventLoopFuture<BrokerResponse> {
        end(accessToken: handOff.accessTokenID).map { $0 ? refusal(app) : TokenError.unavailable.response }
    }

    /// - Parameter login: The reference of the login; `nil` if there is no record of the code.
    private func refusal(_ app: AppEntry, login: PageReference? = nil) -> BrokerResponse {
        let outcome = "refused"
        metrics.redemptions.increment(app.configuration.name, outcome)
        let line = services.line(.refusedCode, at: .token, login: login)
        if let repetition = line.metadata {
            logger.info(
                "a hand-off code was refused",
                metadata: repetition.merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
        }
        audit.record(
            AuditEvent(
                .refused, outcome: outcome, app: app.configuration.name, client: context.client,
                reference: line.reference),
            with: login == nil ? line : nil)
        return TokenError.invalidGrant.response.noting(outcome, line.reference)
    }

    /// Returns whether a verifier is that of the record's challenge. Without a challenge there must be no verifier
    /// either: the challenge may have been removed from the app's request (RFC 9700 section 2.1.1, PKCE downgrade).
    private static func isBound(
        _ record: HandOffRecord, by verifier: WireText?, mayBeUnchallenged: Bool
    ) -> Bool {
        guard let challenge = record.codeChallenge else { return mayBeUnchallenged && verifier == nil }
        guard let sent = verifier.flatMap({ CodeVerifier($0) }) else { return false }
        return ConstantTime.equal(sent.challengeBytes, challenge)
    }
}
