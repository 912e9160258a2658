// SPDX-License-Identifier: Apache-2.0

import JOSE

// What a provider reports of a user, which may come late and more than once.
extension AccountOperations {
    /// How long after a revocation that the user's own app asked for the provider may report it, in seconds. The
    /// report of anything later is news.
    static let ownRevocationNotice: Int64 = 600

    /// Ends the sessions of the account of an identity, as where a provider reports that the user withdrew the consent.
    /// - Parameters:
    ///   - key: The identity.
    ///   - isRevocation: Whether the provider reports that the consent is gone. If the user's own app revoked it in the
    ///     ten minutes before, without a sign-in since, that is expected, and the app may be about to delete the
    ///     account.
    ///   - eventTime: When it happened, in seconds since 1970. Only sessions that began until then end, so that a report
    ///     that is late ends none that began since. `nil` for all sessions.
    ///   - transaction: The primitives of a transaction that writes.
    ///   - now: The current time, in seconds since 1970.
    /// - Returns: Whether an account has the identity.
    /// - Throws: An error of the store.
    package func endSessions(
        of key: IdentityKey, isRevocation: Bool = false, eventTime: Int64? = nil,
        in transaction: any AccountTransaction, now: Int64
    ) throws -> Bool {
        guard let identity = try transaction.identity(key) else { return false }
        if isRevocation, let revokedAt = identity.revokedAt,
            Self.isNotice(of: revokedAt, at: eventTime ?? now)
        {
            return true
        }
        if let eventTime {
            guard var account = try transaction.account(identity.account) else { throw Self.missingAccount }
            try endSessions(of: &account, begunUntil: eventTime, in: transaction, now: now)
            try transaction.update(account)
        } else {
            try endSessions(of: identity.account, in: transaction, now: now)
        }
        return true
    }

    /// Ends the sessions that a provider reports as ended (OpenID Connect Back-Channel Logout 1.0 section 2.7).
    /// - Parameters:
    ///   - providerSession: The hash of the provider's session; the sessions end that began in it. `nil` if none is named.
    ///   - key: An identity; the sessions end that began with it. `nil` if those of other sessions of the provider stay.
    ///   - apps: The client IDs of apps whose sessions with refresh tokens stay.
    ///   - transaction: The primitives of a transaction that writes.
    ///   - now: The current time, in seconds since 1970. What has ended by then is not ended again, which would be an event.
    /// - Throws: An error of the store.
    package func endSessions(
        begunIn providerSession: [UInt8]?, orWith key: IdentityKey?, exceptRefreshTokensOf apps: Set<String> = [],
        in transaction: any AccountTransaction, now: Int64
    ) throws {
        var sessions = try providerSession.map { try transaction.sessions(begunIn: $0) } ?? []
        if let key, let identity = try transaction.identity(key) {
            // An account has one identity of a provider.
            sessions += try transaction.sessions(of: identity.account).filter {
                $0.providerID.hasSameBytes(as: identity.verified.providerID)
            }
        }
        for session in sessions where session.expiry > now {
            if let app = session.app, session.hasRefreshTokens, apps.contains(app) { continue }
            try end(session, in: transaction)
        }
    }

    /// Whether what a provider reports is the revocation that was recorded here. The provider has revoked before it is
    /// recorded, and its clock is another one.
    private static func isNotice(of revokedAt: Int64, at time: Int64) -> Bool {
        let (passed, overflows) = time.subtractingReportingOverflow(revokedAt)
        return !overflows && (-AccountTokens.clockSkew...ownRevocationNotice).contains(passed)
    }

    /// Ends the sessions of an account that began until a time, which is that of another clock. The account is not
    /// written.
    func endSessions(
        of account: inout Account, begunUntil time: Int64, in transaction: any AccountTransaction, now: Int64
    ) throws {
        // Not after now, or a sign-in would be refused until then.
        account.end(sessionsBefore: min(time, now))
        let kept = try transaction.sessions(of: account.id).filter { $0.authTime > time }
        // All but the first are removed and come back, at most 199 of them. Mostly there is one, or none.
        try transaction.removeSessions(of: account.id, begunWith: nil, except: kept.first?.id)
        for session in kept.dropFirst() { try transaction.insert(session) }
    }
}
