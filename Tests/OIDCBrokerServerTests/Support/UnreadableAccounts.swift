// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore

/// A store without a readable record.
struct UnreadableAccounts: AccountStore {
    private static let unreadable = AccountStoreError(.unavailable, "a record cannot be read")

    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        eventLoop.makeCompletedFuture { try body(Transaction()) }
    }

    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        eventLoop.makeSucceededFuture(0)
    }

    private struct Transaction: AccountTransaction {
        func accounts(after id: AccountID?, limit: Int) throws -> [Account] {
            guard limit == 0 else { throw UnreadableAccounts.unreadable }
            return []
        }

        func identity(_ key: IdentityKey) throws -> AccountIdentity? { throw UnreadableAccounts.unreadable }
        func identities(of account: AccountID) throws -> [AccountIdentity] { throw UnreadableAccounts.unreadable }
        func account(_ id: AccountID) throws -> Account? { throw UnreadableAccounts.unreadable }
        func account(owning email: EmailAddress) throws -> Account? { throw UnreadableAccounts.unreadable }
        func session(_ id: AccountSession.ID) throws -> AccountSession? { throw UnreadableAccounts.unreadable }
        func sessions(of account: AccountID) throws -> [AccountSession] { throw UnreadableAccounts.unreadable }
        func sessions(begunIn providerSession: [UInt8]) throws -> [AccountSession] {
            throw UnreadableAccounts.unreadable
        }
        func insert(_ account: Account) throws { throw UnreadableAccounts.unreadable }
        func update(_ account: Account) throws { throw UnreadableAccounts.unreadable }
        func remove(_ account: AccountID) throws { throw UnreadableAccounts.unreadable }
        func insert(_ identity: AccountIdentity) throws { throw UnreadableAccounts.unreadable }
        func update(_ identity: AccountIdentity) throws { throw UnreadableAccounts.unreadable }
        func claims(of identity: IdentityKey) throws -> String? { throw UnreadableAccounts.unreadable }
        func setClaims(_ claims: String?, of identity: IdentityKey) throws { throw UnreadableAccounts.unreadable }
        func remove(_ identity: IdentityKey) throws { throw UnreadableAccounts.unreadable }
        func insert(_ session: AccountSession) throws { throw UnreadableAccounts.unreadable }
        func update(_ session: AccountSession) throws { throw UnreadableAccounts.unreadable }
        func removeSessions(
            of account: AccountID, begunWith providerID: String?, except kept: AccountSession.ID?
        ) throws { throw UnreadableAccounts.unreadable }
        func trimSessions(of account: AccountID, to count: Int) throws { throw UnreadableAccounts.unreadable }
        func renameProvider(_ providerID: String, to newID: String, inSessionsOf account: AccountID) throws {
            throw UnreadableAccounts.unreadable
        }
        func consume(_ hash: [UInt8], expiry: Int64) throws -> Bool { throw UnreadableAccounts.unreadable }
    }
}
