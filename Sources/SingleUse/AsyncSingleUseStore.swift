// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A ``SingleUseStore`` without event loops, with the same rules, for those who implement one on any client library.
public protocol AsyncSingleUseStore: Sendable {
    /// Claims a key. See ``SingleUseStore/claim(_:attempt:owner:lifetime:on:)``.
    func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration
    ) async throws -> SingleUseClaim

    /// Stores a value. See ``SingleUseStore/put(_:value:owner:lifetime:on:)``.
    func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration
    ) async throws -> SingleUsePut

    /// Claims a key and returns its value. See ``SingleUseStore/take(_:attempt:claimLifetime:on:)``.
    func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration
    ) async throws -> SingleUseTake

    /// Returns a value without claiming its key. See ``SingleUseStore/read(_:on:)``.
    func read(_ key: SingleUseKey) async throws -> [UInt8]?

    /// Removes a value if it is the given one. See ``SingleUseStore/remove(_:ifEqual:on:)``.
    func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) async throws

    /// Returns whether a key is claimed. See ``SingleUseStore/isClaimed(_:on:)``.
    func isClaimed(_ key: SingleUseKey) async throws -> Bool
}

/// A store for event loops over an ``AsyncSingleUseStore``. Each call runs in a task.
package struct AsyncSingleUseStoreAdapter<Base: AsyncSingleUseStore>: SingleUseStore {
    private let base: Base

    /// Makes the store.
    package init(_ base: Base) {
        self.base = base
    }

    package func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        eventLoop.makeFutureWithTask { [base] in
            try await base.claim(key, attempt: attempt, owner: owner, lifetime: lifetime)
        }
    }

    package func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        eventLoop.makeFutureWithTask { [base] in
            try await base.put(key, value: value, owner: owner, lifetime: lifetime)
        }
    }

    package func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        eventLoop.makeFutureWithTask { [base] in
            try await base.take(key, attempt: attempt, claimLifetime: claimLifetime)
        }
    }

    package func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeFutureWithTask { [base] in try await base.read(key) }
    }

    package func remove(_ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop) -> EventLoopFuture<
        Void
    > {
        eventLoop.makeFutureWithTask { [base] in try await base.remove(key, ifEqual: value) }
    }

    package func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeFutureWithTask { [base] in try await base.isClaimed(key) }
    }
}
