// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse

/// The redemption: the endpoint at which an app exchanges its hand-off code for tokens (`POST token`; RFC 6749 section
/// 4.1.3, RFC 7636 section 4.5).
struct RedemptionFlow: RequestHandling {
    let context: RequestContext

    /// Beside each step is what the app gets instead of tokens.
    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        let begin = eventLoop.now
        // 1. Authenticate the app (RFC 6749 2.3).                      `invalid_client`, `invalid_request`
        let response = AppAuthentication(context: context, requests: .redemptions).respond(to: request) {
            form, app throws(TokenError) in
            // 2. Have a place for the signature. A confidential app is a server, which speaks for many users.
            try services.signing.reserve(
                app.slowestKey, for: .redemption, of: app.isPublic ? context.client : nil
            ) { () throws(TokenError) in
                if let refresh = RefreshFlow(form, of: app, in: context) { return try refresh.respond(to: form) }
                // 3. Read the form.                                    `invalid_request`, `unsupported_grant_type`
                let redemption = try RedemptionRequest(form, of: app, now: services.clock.now()) { logRefusal($0, app) }
                // 4. Ask the account, and begin its session.           `temporarily_unavailable`
                return account(of: redemption).flatMap { account in
                    redeem(redemption, account)
                }.recover { _ in TokenError.unavailable.response }
            }
        }
        response.whenComplete { _ in metrics.redemptionDuration.record(eventLoop.now - begin) }
        return response
    }

    private func redeem(_ redemption: RedemptionRequest, _ account: AccountOfCode) -> Eventual<BrokerResponse> {
        // 5. Take the record of the code, once.                        `invalid_grant`, `temporarily_unavailable`
        store.take(redemption.handOff.key, claimSeconds: HandOff.claimLifetime, on: eventLoop).flatMap { take in
            guard let sealed = take.value else {
                return take.isClaimed ? refuseAgain(redemption) : .value(refusal(.unknown, redemption.app))
            }
            // 6. Compare it with the request. The code is now used up: any mismatch from here on invalidates it.
            do throws(RedemptionRefusal) {
                guard account != .unusable else { throw .account }
                let record = try redemption.record(in: sealed, issuer: snapshot.issuer)
                let resource = try redemption.resource(of: record)  //   `invalid_target`
                // 7. Issue the tokens (RFC 6749 5.1).                  `server_error`, `invalid_target`
                return issue(record, redemption, for: resource, isRepeatable: !take.isClaimed, account)
            } catch {
                return .value(refusal(error, redemption.app, of: redemption.handOff.open(sealed)))
            }
        }
    }

    // MARK: 4

    /// Asks whether the account of a record may still be used, before the code is used up: while it is not known, the
    /// app may try again with the same code. A record that the app may not have is not asked about, since it is refused
    /// in any case.
    private func account(of redemption: RedemptionRequest) -> Eventual<AccountOfCode> {
        guard redemption.app.configuration.accounts, snapshot.extensions.decider != nil else { return .value(.usable) }
        return store.read(redemption.handOff.key, on: eventLoop).flatMap { sealed in
            guard let record = sealed.flatMap({ try? redemption.record(in: $0, issuer: snapshot.issuer) }) else {
                return .value(.usable)
            }
            if let begin = beginSession(of: record, redemption) { return begin }
            return mayBeUsed(
                accountIn: record.claims.object, since: record.decidedAt, app: redemption.app, at: .token,
                message: "hand-off code not redeemed"
            ).flatMapThrowing { $0 ? .usable : .unusable }
        }
    }

    // MARK: 5

    /// Refuses a code that was redeemed before, and ends the tokens of that redemption (RFC 6749 section 4.1.2).
    private func refuseAgain(_ redemption: RedemptionRequest) -> Eventual<BrokerResponse> {
        // How long it lives is known only to its bearer.
        end(
            accessToken: redemption.handOff.accessTokenID, of: redemption.app, seconds: AccessToken.longestLifetime
        ).flatMap { isEnded in
            guard redemption.app.hasSessions, let sessions = snapshot.extensions.sessions else {
                return .value(isEnded)
            }
            let ended = sessions.end(
                sessionOfCode: redemption.handOff.session.id, of: redemption.app.clientID, on: eventLoop)
            return Eventual<Void>.future(ended.hop(to: eventLoop)).flatMapThrowing { isEnded }
        }.flatMapThrowing { isEnded in
            isEnded ? refusal(.usedBefore, redemption.app) : TokenError.unavailable.response
        }
    }

    /// - Parameter record: The record of the code, whose user was verified; `nil` if there is none.
    private func refusal(
        _ refusal: RedemptionRefusal, _ app: AppEntry, of record: HandOffRecord? = nil
    ) -> BrokerResponse {
        let outcome = "refused"
        metrics.redemptions.increment(app.configuration.name, outcome)
        let line = logRefusal(refusal, app, login: record?.reference)
        func event() -> AuditEvent {
            let (subject, account) = record?.person ?? (nil, nil)
            return AuditEvent(
                .refused, outcome: outcome, app: app.configuration.name, subject: subject, client: context.client,
                reference: line.reference, account: account)
        }
        audit.record(event(), with: record?.reference == nil ? line : nil)
        return refusal.error.response.noting(outcome, line.reference)
    }

    /// Says in the log, and there alone, why a code is refused.
    @discardableResult
    private func logRefusal(
        _ refusal: RedemptionRefusal, _ app: AppEntry, login: PageReference? = nil
    ) -> ReferencedLine {
        let line = services.line(refusal.line, at: .token, login: login)
        if line.isWritten {
            logger.info(
                "hand-off code refused: \(refusal.rawValue)",
                metadata: (line.metadata ?? [:]).merging(["auth.app": "\(app.configuration.name)"]) { own, _ in own })
        }
        return line
    }

    // MARK: 7

    /// - Parameters:
    ///   - resource: The API that the access token is for; `nil` for one for UserInfo alone.
    ///   - isRepeatable: Whether a repetition would not be recognized: the app still gets the ID token, but an access
    ///     token that is not valid.
    private func issue(
        _ record: HandOffRecord, _ redemption: RedemptionRequest, for resource: BrokerConfiguration.Resource?,
        isRepeatable: Bool, _ account: AccountOfCode
    ) -> Eventual<BrokerResponse> {
        let (now, session) = (redemption.now, account.session)
        let lifetime = min(redemption.app.accessTokenLifetime(for: resource), session?.seconds ?? .max)
        return TokenResponse(context: context, app: redemption.app, place: .token, resource: resource).issue(
            record, accessTokenID: redemption.handOff.accessTokenID,
            accessTokenExpiry: isRepeatable ? now : now + lifetime,
            refreshToken: isRepeatable ? nil : session?.refreshToken,
            sessionID: session == nil ? nil : redemption.handOff.session.id, now: now
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
            "hand-off code redeemed",
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
}
