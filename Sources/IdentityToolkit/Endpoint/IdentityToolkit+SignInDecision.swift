// SPDX-License-Identifier: Apache-2.0

import Accounts
package import JOSE
package import NIOCore
package import OIDCBroker
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple

// Sign-ins of the broker's own apps that enter accounts, and the notifications of providers that concern accounts.
extension IdentityToolkit: SignInDecider, NotificationReceiver {
    package func decide(
        about signIn: SignInQuestion, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SignInDecision> {
        let identity = VerifiedIdentity(
            signIn.signIn, providerID: signIn.providerID, isApple: signIn.sendsUser, name: signIn.name)
        let operation = AccountLimits.signIn(
            identity.key, at: signIn.app, from: signIn.isNative ? signIn.client : nil)
        guard limits.mayProceed(operation) else { return eventLoop.makeSucceededFuture(.unavailable) }
        // Whether an account is made is known only after the transaction.
        let mayCreate = limits.allowsNewAccount(from: signIn.client)
        var request = SignInRequest(identity, authTime: signIn.signIn.issuedAt, mayCreate: mayCreate)
        request.claims = signIn.signIn.claims.object
        request.keptClaims = signIn.keptClaims
        return accounts(for: signIn.client).enter(request, on: eventLoop).map { entered -> SignInDecision in
            if entered.isNew { limits.noteNewAccount(from: signIn.client) }
            let holder: SignInDecision.ImportedHolder? =
                switch entered.importedHolder {
                case .entered: .entered
                case .kept(let imported): .kept(imported.description)
                case nil: nil
                }
            return .allowed(account: entered.account.id.text, holder: holder)
        }.flatMapErrorThrowing { error in
            guard let refusal = error as? AccountRefusal else { throw error }
            return Self.decision(after: refusal.code, mayCreate: mayCreate)
        }
    }

    /// What a refusal means for an app that has no part in accounts.
    private static func decision(after refusal: AccountRefusal.Code, mayCreate: Bool) -> SignInDecision {
        switch refusal.value {
        // Too many accounts are being made, which passes.
        case .unknown where !mayCreate: .unavailable
        // The user signs in as before and links, or signs in again.
        case .needConfirmation, .verificationOutdated: .needsInteraction
        // The account is disabled, or the operator makes none, or not this one.
        case .unknown, .noNewAccounts, .disabled, .blocked: .disabled
        // An entry has no such member.
        case .used, .sessionEnded, .signInTooOld, .belongsToAnother, .alreadyLinked, .emailBelongsToAnother,
            .tooManyIdentities, .lastIdentity, .invalidValue:
            .disabled
        }
    }

    package func isUsable(
        account: String, since issuedAt: Int64?, session: [UInt8]?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        guard let id = AccountID(account) else { return eventLoop.makeSucceededFuture(false) }
        guard let issuedAt else { return service.isUsable(id, on: eventLoop) }
        // One token may come any number of times.
        guard limits.mayProceed(.use(of: id, issuedAt: issuedAt)) else {
            return eventLoop.makeFailedFuture(ToolkitError(.tooManyAttempts))
        }
        return service.isUsable(id, since: issuedAt, session: session, on: eventLoop)
    }

    package func keptClaims(
        issuer: String, subject: String, account: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<JSONObject> {
        guard let id = AccountID(account) else { return eventLoop.makeSucceededFuture(JSONObject()) }
        return service.keptClaims(of: IdentityKey(issuer: issuer, subject: subject), in: id, on: eventLoop)
    }

    package func nativeAudiences(at providerID: String, named name: String) -> [String] {
        apps.all.filter { $0.mayUse(provider: name) }.flatMap { $0.audiences(at: providerID, named: name) }
    }

    package func receive(
        _ notification: ProviderNotification, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        switch notification.event {
        case .apple(let event): receive(event, issuer: notification.issuer, on: eventLoop)
        case .logout(let logout):
            receive(
                logout, issuer: notification.issuer, outlivedBy: notification.appsThatOutliveLogout, on: eventLoop)
        }
    }

    /// Ends the sessions of the account whose user withdrew the consent at Apple, or deleted the account there, as far
    /// as they began before that: Apple may be late. The account stays: its owner may have other providers.
    private func receive(
        _ event: AppleNotification, issuer: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        guard Self.endsSessions(event.kind), let subject = event.subject else {
            return eventLoop.makeSucceededFuture(false)
        }
        // If no account has the identity, there is nothing else to do either.
        return service.endSessions(
            of: IdentityKey(issuer: issuer, subject: subject), isRevocation: event.kind == .consentRevoked,
            eventTime: event.eventTime ?? event.issuedAt, on: eventLoop
        ).map { _ in true }
    }

    /// Ends the sessions that began in the provider's session that ended. Those that began with the same identity in other
    /// sessions of the provider remain, unless all of them ended or the provider revokes offline access too. Without that
    /// revocation, refresh tokens of the given apps remain as well.
    private func receive(
        _ logout: BackChannelLogout, issuer: String, outlivedBy apps: Set<String>, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        let session = logout.sessionID.map { AccountSession.hash(ofProviderSession: $0, issuer: issuer) }
        let subject = session == nil || logout.revokesOfflineAccess ? logout.subject : nil
        return service.endSessions(
            begunIn: session, orWith: subject.map { IdentityKey(issuer: issuer, subject: $0) },
            exceptRefreshTokensOf: logout.revokesOfflineAccess ? [] : apps, on: eventLoop
        ).map { true }
    }

    private static func endsSessions(_ kind: AppleNotification.Kind) -> Bool {
        switch kind {
        case .consentRevoked, .accountDeleted: true
        case .emailDisabled, .emailEnabled, .unknown: false
        }
    }
}
