// SPDX-License-Identifier: Apache-2.0

import JOSE

extension AccountOperations {
    /// Refreshes a session, whose refresh token has the hash of its secret.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func refresh(
        _ id: AccountSession.ID, secretHash: [UInt8], in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, session: AccountSession) {
        var (account, session, isNoted) = try refreshable(id, secretHash: secretHash, in: transaction, now: now)
        guard !isNoted else { return (account, session) }
        let today = AccountSession.day(now)
        session.lastUsedOn = max(session.lastUsedOn, today)
        session.expiry = max(session.expiry, expiry(now))
        try transaction.update(session)
        account.noteTokens(at: now)
        try transaction.update(account)
        return (account, session)
    }

    /// Returns the session of a refresh token that would be refreshed, and its account, in a transaction that may be one
    /// for reading. `isNoted` says that ``refresh(_:secretHash:in:now:)`` would write nothing.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    func refreshable(
        _ id: AccountSession.ID, secretHash: [UInt8], in transaction: any AccountTransaction, now: Int64
    ) throws -> (account: Account, session: AccountSession, isNoted: Bool) {
        // First of all, since the identifier of a session is in its tokens: without the secret nothing is told.
        guard let known = try transaction.session(id), ConstantTime.equal(known.secretHash, secretHash) else {
            throw AccountRefusal(.sessionEnded)
        }
        let (session, account) = try live(AuthenticatedSession(known), in: transaction, now: now)
        return (account, session, Self.isNoted(session, account, now: now))
    }

    /// Whether a refresh of this day was written. One a day is enough, since sessions end after days without use.
    private static func isNoted(_ session: AccountSession, _ account: Account, now: Int64) -> Bool {
        let today = AccountSession.day(now)
        return session.lastUsedOn >= today && account.lastRefreshAt.map { AccountSession.day($0) >= today } ?? false
    }

    /// Records that the user was proved to be there, as by a revocation at the provider.
    /// - Throws: ``AccountRefusal``, or an error of the store.
    package func prove(_ asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64) throws {
        var (session, _) = try live(asking, in: transaction, now: now)
        session.lastProofAt = max(session.lastProofAt ?? now, now)
        try transaction.update(session)
    }

    /// Ends all sessions of an account. Tokens that were issued before are not accepted any more.
    /// - Throws: ``AccountRefusal`` if there is no such account, or an error of the store.
    package func endSessions(of id: AccountID, in transaction: any AccountTransaction, now: Int64) throws {
        guard var account = try transaction.account(id) else { throw AccountRefusal(.unknown) }
        // A session of a process whose clock is ahead may be younger.
        account.end(sessionsBefore: try transaction.sessions(of: id).map(\.authTime).reduce(now, max))
        try transaction.update(account)
        try transaction.removeSessions(of: id, begunWith: nil, except: nil)
    }

    /// Ends one session of an account. Its ID tokens are not accepted by the operations here any more.
    /// - Throws: ``AccountRefusal`` if the account has no such session, or an error of the store.
    package func endSession(
        _ id: AccountSession.ID, of account: AccountID, in transaction: any AccountTransaction, now: Int64
    ) throws {
        guard let session = try transaction.session(id), session.account == account, session.expiry > now else {
            throw AccountRefusal(.sessionEnded)
        }
        try end(session, in: transaction)
    }

    // MARK: Parts

    /// Ends a session: by every clock, and it is swept like an unused one.
    /// - Parameter isDisplaced: Whether it only has to make room for another one, which causes no event.
    func end(_ session: AccountSession, isDisplaced: Bool = false, in transaction: any AccountTransaction) throws {
        var session = session
        session.expiry = isDisplaced ? AccountSession.displaced : AccountSession.ended
        try transaction.update(session)
    }

    /// Returns a session of the SDKs' wire that has not ended, and its account. That of an OpenID app asks for nothing here.
    func live(
        _ asking: AuthenticatedSession, in transaction: any AccountTransaction, now: Int64
    ) throws -> (session: AccountSession, account: Account) {
        guard let session = try transaction.session(asking.id), session.wire == .sdk,
            session.account == asking.account, session.expiry > now,
            let account = try transaction.account(session.account)
        else { throw AccountRefusal(.sessionEnded) }
        guard !account.isDisabled else { throw AccountRefusal(.disabled) }
        guard session.authTime >= account.validSince else { throw AccountRefusal(.sessionEnded) }
        return (session, account)
    }

    /// Begins a session. If the account has too many, the one that was not used for the longest time ends.
    func begin(
        _ new: NewSession, of account: AccountID, app: String?, providerID: String, providerSession: [UInt8]?,
        authTime: Int64, in transaction: any AccountTransaction, now: Int64
    ) throws -> AccountSession {
        try transaction.trimSessions(of: account, to: AccountLimits.sessions - 1)
        let session = AccountSession(
            id: new.id, secretHash: new.secretHash, account: account, providerID: providerID, app: app,
            authTime: authTime, createdAt: now, expiry: expiry(now), providerSession: providerSession)
        try transaction.insert(session)
        return session
    }

    /// Refuses an operation for which the last sign-in is too old.
    func requireRecentSignIn(
        for operation: AccountPolicy.SensitiveOperation, _ session: AccountSession, now: Int64
    ) throws {
        guard policy.operationsAfterRecentSignIn.contains(operation) else { return }
        guard policy.isRecent(session.provedAt, now: now) else { throw AccountRefusal(.signInTooOld) }
    }

    /// Uses up what may be used once. After its expiry a store may have forgotten it.
    func use(_ uses: [TokenUse], in transaction: any AccountTransaction, now: Int64) throws {
        for use in uses {
            guard use.expiry > now, try transaction.consume(use.hash, expiry: use.expiry) else {
                throw AccountRefusal(.used)
            }
        }
    }

    /// The end of the last of the days without use. The day of a use does not count, since only its first is written.
    private func expiry(_ now: Int64) -> Int64 { (AccountSession.day(now) + 1 + policy.sessionIdleDays) * 86_400 }

    /// An identity or a session refers to an account that is not there, which foreign keys rule out.
    static let missingAccount = AccountStoreError(.conflict, "a record refers to an account that does not exist")
}
