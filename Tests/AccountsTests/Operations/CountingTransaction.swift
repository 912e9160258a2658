// SPDX-License-Identifier: Apache-2.0

import Accounts

/// A transaction that counts which primitives an operation calls.
final class CountingTransaction: AccountTransaction {
    private let transaction: any AccountTransaction
    /// How often each primitive was called, by its name.
    private(set) var calls: [String: Int] = [:]

    init(_ transaction: any AccountTransaction) { self.transaction = transaction }

    private func count(_ name: String) -> any AccountTransaction {
        calls[name, default: 0] += 1
        return transaction
    }

    func identity(_ key: IdentityKey) throws -> AccountIdentity? { try count("identity").identity(key) }
    func identities(of account: AccountID) throws -> [AccountIdentity] {
        try count("identities").identities(of: account)
    }
    func account(_ id: AccountID) throws -> Account? { try count("account").account(id) }
    func account(owning email: EmailAddress) throws -> Account? { try count("owner").account(owning: email) }
    func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
        try count("accounts").accounts(after: id, limit: limit)
    }
    func session(_ id: AccountSession.ID) throws -> AccountSession? { try count("session").session(id) }
    func sessions(of account: AccountID) throws -> [AccountSession] { try count("sessions").sessions(of: account) }
    func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession] {
        try count("sessions").sessions(begunIn: providerSession)
    }

    func insert(_ account: Account) throws { try count("insert account").insert(account) }
    func update(_ account: Account) throws { try count("update account").update(account) }
    func remove(_ account: AccountID) throws { try count("remove account").remove(account) }
    func insert(_ identity: AccountIdentity) throws { try count("insert identity").insert(identity) }
    func update(_ identity: AccountIdentity) throws { try count("update identity").update(identity) }
    func remove(_ identity: IdentityKey) throws { try count("remove identity").remove(identity) }
    func insert(_ session: AccountSession) throws { try count("insert session").insert(session) }
    func update(_ session: AccountSession) throws { try count("update session").update(session) }
    func removeSessions(
        of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
    ) throws {
        try count("remove sessions").removeSessions(of: account, begunWith: providerID, except: kept)
    }
    func removeSessions(begunIn providerSession: [UInt8]) throws {
        try count("remove sessions").removeSessions(begunIn: providerSession)
    }
    func trimSessions(of account: AccountID, to count: Int) throws {
        try self.count("trim").trimSessions(of: account, to: count)
    }
    func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
        try count("rename").renameProvider(providerID, to: newID, inSessionsOf: account)
    }
    func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool { try count("consume").consume(hash, expiry: expiry) }
}
