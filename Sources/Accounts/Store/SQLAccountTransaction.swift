// SPDX-License-Identifier: Apache-2.0

/// A transaction of a store on SQL, each of whose primitives is one statement.
package protocol SQLAccountTransaction: AccountTransaction, AccountOutbox {
    /// Returns the records that a statement finds.
    func find<Record: AccountRecord>(_ statement: AccountStatement, _ values: [AccountValue]) throws -> [Record]
    /// Writes.
    /// - Parameters:
    ///   - statement: The statement.
    ///   - values: Its parameters.
    ///   - mustChange: Whether it is a conflict if no row is changed.
    /// - Returns: The number of rows that were changed.
    @discardableResult
    func write(_ statement: AccountStatement, _ values: [AccountValue], mustChange: Bool) throws -> Int

    /// Executes a statement that writes once for each row of values.
    /// - Returns: For each the number of rows that were changed.
    func writeEach(_ statement: AccountStatement, _ rows: [[AccountValue]]) throws -> [Int]
}

extension SQLAccountTransaction {
    package func writeEach(_ statement: AccountStatement, _ rows: [[AccountValue]]) throws -> [Int] {
        try rows.map { try write(statement, $0, mustChange: false) }
    }
}

extension AccountTransaction {
    /// Returns at most `limit` accounts after an identifier, in the order of their identifiers, each with its identities. A
    /// store on SQL is asked twice, and not for each account.
    package func page(after id: AccountID?, limit: Int) throws -> [(account: Account, identities: [AccountIdentity])] {
        let accounts = try accounts(after: id, limit: limit)
        guard let last = accounts.last?.id else { return [] }
        guard let store = self as? any SQLAccountTransaction else {
            return try accounts.map { ($0, try identities(of: $0.id)) }
        }
        let all: [AccountIdentity] = try store.find(.identitiesOfPage, [.text(id?.text ?? ""), .text(last.text)])
        let found = Dictionary(grouping: all, by: \.account)
        return accounts.map { ($0, found[$0.id] ?? []) }
    }
}

extension SQLAccountTransaction {
    // MARK: Reads

    package func identity(_ key: IdentityKey) throws -> AccountIdentity? { try first(.identity, key.row) }

    package func identities(of account: AccountID) throws -> [AccountIdentity] {
        try find(.identities, [.text(account.text)])
    }

    package func claims(of identity: IdentityKey) throws -> String? {
        let claims: IdentityClaims? = try first(.identityClaims, identity.row)
        return claims?.text
    }

    package func account(_ id: AccountID) throws -> Account? { try first(.account, [.text(id.text)]) }

    package func account(owning email: EmailAddress) throws -> Account? {
        try first(.accountOfEmail, [.text(email.key)])
    }

    package func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
        try find(.accounts, [.text(id?.text ?? ""), .number(Int64(max(0, limit)))])
    }

    package func session(_ id: AccountSession.ID) throws -> AccountSession? {
        try first(.session, [.bytes(id.bytes)])
    }

    package func sessions(of account: AccountID) throws -> [AccountSession] {
        try find(.sessions, [.text(account.text)])
    }

    package func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession] {
        try find(.sessionsOfProvider, [.bytes(providerSession)])
    }

    // MARK: Writes

    package func insert(_ account: Account) throws { try write(.insertAccount, account.row) }

    package func insertFree(_ accounts: [(account: Account, identities: [AccountIdentity])]) throws -> [Bool] {
        var areInserted = try writeEach(.insertFreeAccount, accounts.map(\.account.row)).map { $0 > 0 }
        let identities = accounts.indices.filter { areInserted[$0] }.flatMap { index in
            accounts[index].identities.map { (index: index, row: $0.row) }
        }
        let counts = try writeEach(.insertFreeIdentity, identities.map(\.row))
        for (identity, count) in zip(identities, counts) where count == 0 && areInserted[identity.index] {
            areInserted[identity.index] = false
            try remove(accounts[identity.index].account.id)
        }
        return areInserted
    }

    package func update(_ account: Account) throws { try write(.updateAccount, account.row, mustChange: true) }

    package func remove(_ account: AccountID) throws { try write(.removeAccount, [.text(account.text)]) }

    package func insert(_ identity: AccountIdentity) throws { try write(.insertIdentity, identity.row) }

    package func update(_ identity: AccountIdentity) throws {
        try write(.updateIdentity, identity.row, mustChange: true)
    }

    package func setClaims(_ claims: String?, of identity: IdentityKey) throws {
        try write(.setIdentityClaims, identity.row + [.text(claims)], mustChange: true)
    }

    package func remove(_ identity: IdentityKey) throws { try write(.removeIdentity, identity.row) }

    package func insert(_ session: AccountSession) throws { try write(.insertSession, session.row) }

    package func update(_ session: AccountSession) throws { try write(.updateSession, session.row, mustChange: true) }

    package func removeSessions(
        of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
    ) throws {
        try write(.removeSessions, [.text(account.text), .text(providerID), .bytes(kept?.bytes)])
    }

    package func trimSessions(of account: AccountID, to count: Int) throws {
        try write(.trimSessions, [.text(account.text), .number(Int64(max(0, count)))])
    }

    package func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
        try write(.renameProvider, [.text(newID), .text(account.text), .text(providerID)])
    }

    package func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool {
        try write(.consume, [.bytes(hash), .number(expiry)]) > 0
    }

    /// Removes sessions, used-up entries and events that have expired, at most so many in all.
    package func sweep(before now: Int64, limit: Int) throws -> Int {
        let sessions = try write(.sweepSessions, [.number(now), .number(Int64(max(0, limit)))])
        let consumed = try write(.sweepConsumed, [.number(now), .number(Int64(max(0, limit - sessions)))])
        let (removed, oldest) = (sessions + consumed, now - AccountLimits.eventDays * 86_400)
        return try removed + write(.sweepEvents, [.number(oldest), .number(Int64(max(0, limit - removed)))])
    }

    private func first<Record: AccountRecord>(
        _ statement: AccountStatement, _ values: [AccountValue]
    ) throws -> Record? {
        let found: [Record] = try find(statement, values)
        return found.first
    }

    @discardableResult
    func write(_ statement: AccountStatement, _ values: [AccountValue]) throws -> Int {
        try write(statement, values, mustChange: false)
    }
}

extension AccountStoreError {
    package static let tooManyWait = Self(.unavailable, "too many transactions wait for the database")
    package static let closed = Self(.unavailable, "the database was closed")
    /// A record that no version of this program wrote.
    package static let unreadable = Self(.unavailable, "a record cannot be read")
    /// A write that would break an invariant.
    package static let breaksInvariant = Self(.conflict, "a write breaks an invariant")
    /// What a body does that writes although it said that it reads.
    package static let readsOnly = Self(.conflict, "a transaction for reading cannot write")
    /// A record to change that does not exist.
    package static let noRecord = Self(.conflict, "there is no record to change")
}
