// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The records of a ``ModelAccountStore``, with the invariants that a database holds by its indexes and foreign keys.
struct ModelAccountRecords: Sendable {
    private(set) var accounts: [AccountID: Account] = [:]
    /// In the order in which they were linked.
    private(set) var identities: [AccountIdentity] = []
    /// What is kept with identities.
    private(set) var claims: [IdentityKey: String] = [:]
    private(set) var sessions: [AccountSession.ID: AccountSession] = [:]
    private(set) var used: [[UInt8]: Int64] = [:]
    var outbox = ModelOutbox()

    var contents: AccountStoreContents {
        AccountStoreContents(
            accounts: Array(accounts.values), identities: identities, sessions: Array(sessions.values))
    }

    mutating func write(_ account: Account, isNew: Bool) throws {
        guard (accounts[account.id] == nil) == isNew else { throw Self.conflict("account") }
        if let known = accounts[account.id],
            known.validSince > account.validSince || known.createdAt != account.createdAt
        {
            throw Self.conflict("time of the account")
        }
        if let key = account.emailKey {
            guard !accounts.values.contains(where: { $0.id != account.id && $0.has(emailKey: key) }) else {
                throw Self.conflict("e-mail key")
            }
        }
        accounts[account.id] = account
    }

    mutating func remove(_ account: AccountID) {
        accounts[account] = nil
        for identity in identities where identity.account == account { remove(identity.key) }
        sessions = sessions.filter { $0.value.account != account }
    }

    mutating func write(_ identity: AccountIdentity, isNew: Bool) throws {
        let position = identities.firstIndex { $0.key == identity.key }
        guard (position == nil) == isNew, accounts[identity.account] != nil else { throw Self.conflict("identity") }
        let others = identities.filter { $0.account == identity.account && $0.key != identity.key }
        guard !others.contains(where: { $0.verified.providerID.hasSameBytes(as: identity.verified.providerID) }) else {
            throw Self.conflict("identity of a provider")
        }
        if let position {
            let known = identities[position]
            guard known.account == identity.account, known.createdAt == identity.createdAt else {
                throw Self.conflict("constant of the identity")
            }
            identities[position] = identity
        } else {
            identities.append(identity)
        }
    }

    mutating func remove(_ identity: IdentityKey) {
        identities.removeAll { $0.key == identity }
        claims[identity] = nil
    }

    mutating func setClaims(_ text: String?, of identity: IdentityKey) throws {
        guard identities.contains(where: { $0.key == identity }) else { throw Self.conflict("identity") }
        claims[identity] = text
    }

    mutating func write(_ session: AccountSession, isNew: Bool) throws {
        guard (sessions[session.id] == nil) == isNew, accounts[session.account] != nil else {
            throw Self.conflict("session")
        }
        if let known = sessions[session.id], !session.mayReplace(known) {
            throw Self.conflict("constant of the session")
        }
        sessions[session.id] = session
    }

    mutating func removeSessions(of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?)
    {
        sessions = sessions.filter { id, session in
            session.account != account || id == kept
                || !(providerID.map { session.providerID.hasSameBytes(as: $0) } ?? true)
        }
    }

    mutating func trimSessions(of account: AccountID, to count: Int) {
        let own = sessionsByUse(of: account)
        for session in own.prefix(max(0, own.count - count)) { sessions[session.id] = nil }
    }

    mutating func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) {
        for session in sessions.values
        where session.account == account && session.providerID.hasSameBytes(as: providerID) {
            sessions[session.id]?.renameProvider(to: newID)
        }
    }

    /// The sessions of an account, the longest unused first.
    func sessionsByUse(of account: AccountID) -> [AccountSession] {
        sessions.values.filter { $0.account == account }.sorted {
            ($0.lastUsedOn, $0.createdAt) == ($1.lastUsedOn, $1.createdAt)
                ? $0.id.bytes.lexicographicallyPrecedes($1.id.bytes)
                : ($0.lastUsedOn, $0.createdAt) < ($1.lastUsedOn, $1.createdAt)
        }
    }

    mutating func consume(_ hash: [UInt8], expiry: Int64) -> Bool {
        guard used[hash] == nil else { return false }
        used[hash] = expiry
        return true
    }

    /// Removes expired sessions and entries.
    mutating func sweep(before now: Int64, limit: Int) -> Int {
        let ended = sessions.values.filter { $0.expiry <= now }.prefix(max(0, limit)).map(\.id)
        for id in ended { sessions[id] = nil }
        let expired = used.filter { $0.value <= now }.prefix(max(0, limit - ended.count)).map(\.key)
        for hash in expired { used[hash] = nil }
        let removed = ended.count + expired.count
        return removed + outbox.sweep(before: now, limit: max(0, limit - removed))
    }

    static func conflict(_ what: String) -> AccountStoreError {
        AccountStoreError(.conflict, "the \(what) is there already, or is not")
    }
}

/// A transaction on a copy of the records.
final class ModelAccountTransaction: AccountTransaction {
    private(set) var records: ModelAccountRecords
    private let mode: AccountTransactionMode
    private var failure: (any Error)?

    init(_ records: ModelAccountRecords, mode: AccountTransactionMode) {
        self.records = records
        self.mode = mode
    }

    func identity(_ key: IdentityKey) -> AccountIdentity? { records.identities.first { $0.key == key } }

    func claims(of identity: IdentityKey) -> String? { records.claims[identity] }

    func identities(of account: AccountID) -> [AccountIdentity] { records.identities.filter { $0.account == account } }

    func account(_ id: AccountID) -> Account? { records.accounts[id] }

    func account(owning email: EmailAddress) -> Account? {
        records.accounts.values.first { $0.has(emailKey: email.key) }
    }

    func accounts(after id: AccountID?, limit: Int) -> [Account] {
        let all = records.accounts.values.filter { account in id.map { $0 < account.id } ?? true }
        return Array(all.sorted { $0.id < $1.id }.prefix(max(0, limit)))
    }

    func session(_ id: AccountSession.ID) -> AccountSession? { records.sessions[id] }

    func sessions(of account: AccountID) -> [AccountSession] {
        records.sessionsByUse(of: account)
    }

    func sessions(begunIn providerSession: [UInt8]) -> [AccountSession] {
        records.sessions.values.filter { $0.providerSession == providerSession }
            .sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
    }

    func insert(_ account: Account) throws { try write { try $0.write(account, isNew: true) } }
    func update(_ account: Account) throws { try write { try $0.write(account, isNew: false) } }
    func remove(_ account: AccountID) throws { try write { $0.remove(account) } }
    func insert(_ identity: AccountIdentity) throws { try write { try $0.write(identity, isNew: true) } }
    func update(_ identity: AccountIdentity) throws { try write { try $0.write(identity, isNew: false) } }
    func remove(_ identity: IdentityKey) throws { try write { $0.remove(identity) } }
    func setClaims(_ claims: String?, of identity: IdentityKey) throws {
        try write { try $0.setClaims(claims, of: identity) }
    }
    func insert(_ session: AccountSession) throws { try write { try $0.write(session, isNew: true) } }
    func update(_ session: AccountSession) throws { try write { try $0.write(session, isNew: false) } }

    func removeSessions(of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?) throws {
        try write { $0.removeSessions(of: account, begunWith: providerID, except: kept) }
    }

    func trimSessions(of account: AccountID, to count: Int) throws {
        try write { $0.trimSessions(of: account, to: count) }
    }

    func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
        try write { $0.renameProvider(providerID, to: newID, inSessionsOf: account) }
    }

    func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
        try write { $0.consume(hash, expiry: expiry) }
    }

    var outbox: (any AccountOutbox)? { self }

    /// The records after the body.
    /// - Throws: What a write threw, also where the body caught it.
    func committed() throws -> ModelAccountRecords {
        if let failure { throw failure }
        return records
    }

    func write<Result>(_ body: (inout ModelAccountRecords) throws -> Result) throws -> Result {
        do {
            guard mode == .write || mode == .queue else {
                throw AccountStoreError(.conflict, "a transaction for reading cannot write")
            }
            return try body(&records)
        } catch {
            failure = error
            throw error
        }
    }
}

extension Account {
    fileprivate func has(emailKey key: String) -> Bool { emailKey?.hasSameBytes(as: key) == true }
}
