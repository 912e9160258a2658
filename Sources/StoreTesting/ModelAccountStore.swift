// SPDX-License-Identifier: Apache-2.0

public import Accounts
public import NIOCore
import Synchronization

/// A store of accounts in memory, for tests and demonstrations: a model of what every store does, without any cleverness.
/// Each transaction works on a copy, which takes the place of the original if the body does not throw.
public final class ModelAccountStore: AccountStore {
    private let records: Mutex<ModelAccountRecords>

    /// Creates an empty store.
    public init() {
        records = Mutex(ModelAccountRecords())
    }

    public func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result> {
        eventLoop.makeCompletedFuture { try self.transact(mode, body) }
    }

    /// Runs a transaction like its overload, but without a future.
    public func transact<Result>(
        _ mode: AccountTransactionMode, _ body: (any AccountTransaction) throws -> Result
    ) throws -> Result {
        try records.withLock { records in
            let transaction = ModelAccountTransaction(records, mode: mode)
            let result = try body(transaction)
            records = try transaction.committed()
            return result
        }
    }

    public func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int> {
        eventLoop.makeSucceededFuture(sweep(before: now, limit: limit))
    }

    /// Removes expired records like its overload, but without a future.
    public func sweep(before now: Int64, limit: Int) -> Int {
        records.withLock { $0.sweep(before: now, limit: limit) }
    }

    /// Everything that the store has, for comparisons.
    public var contents: AccountStoreContents { records.withLock { $0.contents } }
}

/// Everything that a store of accounts has, in a fixed order.
public struct AccountStoreContents: Sendable, Hashable {
    /// The accounts, by their identifiers.
    public var accounts: [Account]
    /// The identities, by issuer and subject.
    public var identities: [AccountIdentity]
    /// The sessions, by their identifiers.
    public var sessions: [AccountSession]

    /// Creates contents, which are sorted.
    public init(accounts: [Account], identities: [AccountIdentity], sessions: [AccountSession]) {
        self.accounts = accounts.sorted { $0.id < $1.id }
        self.identities = identities.sorted {
            ($0.key.issuer, $0.key.subject) < ($1.key.issuer, $1.key.subject)
        }
        self.sessions = sessions.sorted { $0.id.bytes.lexicographicallyPrecedes($1.id.bytes) }
    }
}
