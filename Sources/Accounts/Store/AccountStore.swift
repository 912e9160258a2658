// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// A store of accounts.
public protocol AccountStore: Sendable {
    /// Runs a body in one serializable transaction, on a thread of the store, and again where the engine asks for it. The
    /// body only reads, decides and writes: it may run more than once. If it throws, nothing is written.
    func transact<Result: Sendable>(
        _ mode: AccountTransactionMode, on eventLoop: any EventLoop,
        _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
    ) -> EventLoopFuture<Result>

    /// Removes sessions and used-up entries that have expired, and events that were appended ``AccountLimits/eventDays``
    /// ago.
    /// - Parameters:
    ///   - now: The current time, in seconds since 1970.
    ///   - limit: The maximum number of records that are removed.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: The number of records that were removed.
    func sweep(before now: Int64, limit: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Int>
}

/// Whether a transaction writes.
public enum AccountTransactionMode: Sendable, Hashable {
    case read, write
    /// It reads a part of the list of accounts, as of one moment, for an operator. That may take long, so a store may run
    /// one at a time, and end it after a while. Unlike the others it need not be serializable.
    case list
    /// It delivers events, and touches nothing but the outbox. It writes, and need not be serializable where rows are
    /// locked: it must be in the way of no other transaction.
    case queue
}
