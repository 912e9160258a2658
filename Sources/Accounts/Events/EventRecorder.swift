// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A transaction that sees what an operation does to accounts, and appends the events of it to the outbox at the end,
/// and the ends of sessions of OpenID apps that hear of them. The operations know nothing of it. It exists only if
/// there is a listener.
package final class EventRecorder: AccountTransaction {
    private let transaction: any AccountTransaction
    private var logouts: EndedSessions
    /// Accounts as they were read.
    private var known: [AccountID: Account] = [:]
    private var differences: [AccountID: AccountDifference] = [:]
    /// In which order they were touched.
    private var touched: [AccountID] = []
    /// The identities of accounts that were removed.
    private var lastIdentities: [AccountID: [AccountIdentity]] = [:]

    private init(_ transaction: any AccountTransaction, logouts: EndedSessions) {
        self.transaction = transaction
        self.logouts = logouts
    }

    /// Runs a body in a transaction that writes, and appends the events of what it did.
    /// - Parameters:
    ///   - listener: The listener; `nil` if there is none.
    ///   - apps: The apps that hear of the end of their sessions, by client ID.
    ///   - transaction: The primitives of the transaction.
    ///   - now: The current time, in seconds since 1970.
    ///   - body: The body.
    package static func run<Result>(
        for listener: AccountListener?, _ apps: [WireText: AccountListener] = [:],
        in transaction: any AccountTransaction, at now: Int64, _ body: (any AccountTransaction) throws -> Result
    ) throws -> Result {
        guard listener != nil || !apps.isEmpty else { return try body(transaction) }
        let recorder = EventRecorder(transaction, logouts: EndedSessions(of: apps, at: now))
        let result = try body(recorder)
        if let listener { try recorder.append(recorder.events(at: now), for: listener) }
        for (event, listener) in recorder.logouts.events { try recorder.append([event], for: listener) }
        return result
    }

    private func append(_ events: [AccountEvent], for listener: AccountListener) throws {
        guard !events.isEmpty else { return }
        guard listener.hasRoom else { return listener.noteLost(events.count) }
        guard let outbox = transaction.outbox else { throw AccountStoreError.noOutbox }
        for event in events { try outbox.append(event, for: listener.destination) }
    }

    private func events(at now: Int64) throws -> [AccountEvent] {
        try touched.flatMap { id -> [AccountEvent] in
            guard let difference = differences[id], let account = difference.after ?? difference.before else {
                return []
            }
            let events = difference.events
            guard !events.isEmpty else { return [] }
            let identities = try difference.after == nil ? lastIdentities[id] ?? [] : transaction.identities(of: id)
            return events.map { AccountEvent($0.kind, provider: $0.provider, of: account, identities, at: now) }
        }
    }

    private func note(_ id: AccountID, _ change: (inout AccountDifference) -> Void) throws {
        var difference: AccountDifference
        if let noted = differences[id] {
            difference = noted
        } else {
            let account = try known[id] ?? transaction.account(id)
            difference = AccountDifference(before: account, after: account)
            touched.append(id)
        }
        change(&difference)
        differences[id] = difference
    }

    /// Notes the end of the sessions of an account that have not expired.
    private func noteEnd(
        ofSessionsOf account: AccountID, where isIncluded: (AccountSession) -> Bool = { _ in true }
    ) throws {
        guard !logouts.apps.isEmpty else { return }
        for session in try transaction.sessions(of: account) where isIncluded(session) {
            logouts.endUnlessExpired(session)
        }
    }

    private func noting(_ account: Account?) -> Account? {
        if let account, known[account.id] == nil { known[account.id] = account }
        return account
    }

    // MARK: Reads

    package var outbox: (any AccountOutbox)? { transaction.outbox }
    package func identity(_ key: IdentityKey) throws -> AccountIdentity? { try transaction.identity(key) }
    package func claims(of identity: IdentityKey) throws -> String? { try transaction.claims(of: identity) }
    package func identities(of account: AccountID) throws -> [AccountIdentity] {
        try transaction.identities(of: account)
    }
    package func account(_ id: AccountID) throws -> Account? { try noting(transaction.account(id)) }
    package func account(owning email: EmailAddress) throws -> Account? {
        try noting(transaction.account(owning: email))
    }
    package func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
        try transaction.accounts(after: id, limit: limit)
    }
    package func session(_ id: AccountSession.ID) throws -> AccountSession? { try transaction.session(id) }
    package func sessions(of account: AccountID) throws -> [AccountSession] { try transaction.sessions(of: account) }
    package func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession] {
        try transaction.sessions(begunIn: providerSession)
    }

    // MARK: Writes

    package func insert(_ account: Account) throws {
        try note(account.id) { $0.after = account }
        try transaction.insert(account)
    }

    package func update(_ account: Account) throws {
        try note(account.id) { $0.after = account }
        if account.isDisabled, differences[account.id]?.before?.isDisabled == false {
            try noteEnd(ofSessionsOf: account.id)
        }
        try transaction.update(account)
    }

    package func remove(_ account: AccountID) throws {
        lastIdentities[account] = try transaction.identities(of: account)
        try noteEnd(ofSessionsOf: account)
        try note(account) { $0.after = nil }
        try transaction.remove(account)
    }

    package func insert(_ identity: AccountIdentity) throws {
        try note(identity.account) {
            $0.added.append(identity)
            $0.usedProvider = identity.verified.providerID
        }
        try transaction.insert(identity)
    }

    package func update(_ identity: AccountIdentity) throws {
        try note(identity.account) { $0.usedProvider = identity.verified.providerID }
        try transaction.update(identity)
    }

    package func setClaims(_ claims: String?, of identity: IdentityKey) throws {
        try transaction.setClaims(claims, of: identity)
    }

    package func remove(_ identity: IdentityKey) throws {
        if let known = try transaction.identity(identity) { try note(known.account) { $0.removed.append(known) } }
        try transaction.remove(identity)
    }

    package func insert(_ session: AccountSession) throws {
        logouts.goesOn(session)
        try transaction.insert(session)
    }

    package func update(_ session: AccountSession) throws {
        if session.hasEnded {
            try note(session.account) { $0.endsSessions = true }
            logouts.end(session)
        }
        try transaction.update(session)
    }

    package func removeSessions(
        of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
    ) throws {
        try note(account) { difference in
            if let providerID {
                difference.endedProviders.append(providerID)
            } else {
                difference.endsSessions = true
            }
        }
        try noteEnd(ofSessionsOf: account) { session in
            session.id != kept && providerID.map { session.providerID.hasSameBytes(as: $0) } ?? true
        }
        try transaction.removeSessions(of: account, begunWith: providerID, except: kept)
    }

    package func trimSessions(of account: AccountID, to count: Int) throws {
        try transaction.trimSessions(of: account, to: count)
    }

    package func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
        try transaction.renameProvider(providerID, to: newID, inSessionsOf: account)
    }

    package func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
        try transaction.consume(hash, expiry: expiry)
    }
}

extension AccountStoreError {
    static let noOutbox = Self(.unavailable, "the store has no outbox for events")
}
