// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A ``SingleUseStore`` without event loops, with the same rules.
public protocol AsyncSingleUseStore: Sendable {
    /// Inserts an entry unless there is one for this key that has not expired. This must be atomic.
    /// - Parameters:
    ///   - key: The key of the entry.
    ///   - value: The value of the entry.
    ///   - owner: The owner for whom the entry is counted; `nil` if it is counted for none. A store that does not count
    ///     may ignore it.
    ///   - expiry: The time from which the entry counts as absent, in seconds since 1970.
    ///   - now: The current time, in seconds since 1970.
    /// - Throws: Any error if the store cannot be reached.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64
    ) async throws -> SingleUseInsertion

    /// Removes an entry and returns its value; `nil` if it is absent or expired. This must be atomic.
    func take(_ key: SingleUseKey, now: Int64) async throws -> [UInt8]?

    /// Returns the value of an entry without removing it; `nil` if it is absent or expired.
    func read(_ key: SingleUseKey, now: Int64) async throws -> [UInt8]?

    /// Returns whether there is an entry that has not expired.
    func contains(_ key: SingleUseKey, now: Int64) async throws -> Bool
}

/// A store for event loops over an ``AsyncSingleUseStore``. Each call runs in a task.
struct AsyncSingleUseStoreAdapter<Base: AsyncSingleUseStore>: SingleUseStore {
    private let base: Base

    init(_ base: Base) {
        self.base = base
    }

    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        insertIfAbsent(key, value: value, owner: nil, expiry: expiry, now: now, on: eventLoop)
    }

    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        eventLoop.makeFutureWithTask { [base] in
            try await base.insertIfAbsent(key, value: value, owner: owner, expiry: expiry, now: now)
        }
    }

    func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeFutureWithTask { [base] in try await base.take(key, now: now) }
    }

    func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeFutureWithTask { [base] in try await base.read(key, now: now) }
    }

    func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeFutureWithTask { [base] in try await base.contains(key, now: now) }
    }
}
