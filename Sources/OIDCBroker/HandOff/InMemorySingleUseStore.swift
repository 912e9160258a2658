// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Synchronization

/// A ``SingleUseStore`` in the memory of this process.
///
/// Two generations: entries go into the younger one; when it has lived as long as any entry may, the older one, whose
/// entries are all expired by then, is dropped whole. Nothing is ever searched for expired entries.
public final class InMemorySingleUseStore: ImmediateSingleUseStore {
    private struct Entry {
        var value: [UInt8]
        var expiry: Int64
    }

    private struct Generations {
        var younger: [SingleUseKey: Entry] = [:]
        var older: [SingleUseKey: Entry] = [:]
        /// The latest expiry in each.
        var youngerExpiry: Int64 = 0
        var olderExpiry: Int64 = 0
        var turnedAt: Int64?
    }

    /// How long a generation stays the younger one, seconds: the lifetime of a login.
    private static let turn = LoginState.lifetime

    private let capacity: Int
    private let state = Mutex(Generations())

    /// A store for at most that many live entries; a login that returned needs one for ten minutes, a hand-off
    /// one until it is redeemed.
    public init(capacity: Int = 1_000_000) {
        self.capacity = max(1, capacity)
    }

    public func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        eventLoop.makeSucceededFuture(insertIfAbsent(key, value: value, expiry: expiry, now: now))
    }

    package func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64
    ) -> SingleUseInsertion {
        state.withLock { state in
            Self.turn(&state, now)
            if !state.older.isEmpty {
                if let known = state.older[key], known.expiry > now { return .present }
                state.older[key] = nil
            }
            if state.younger.count + state.older.count >= capacity, state.younger[key] == nil { return .full }
            // One search instead of two: a dictionary of a million entries is in no cache.
            if let known = state.younger.updateValue(Entry(value: value, expiry: expiry), forKey: key),
                known.expiry > now
            {
                state.younger[key] = known
                return .present
            }
            state.youngerExpiry = max(state.youngerExpiry, expiry)
            return .inserted
        }
    }

    public func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let value: [UInt8]? = state.withLock { state in
            Self.turn(&state, now)
            guard let entry = state.younger.removeValue(forKey: key) ?? state.older.removeValue(forKey: key),
                entry.expiry > now
            else { return nil }
            return entry.value
        }
        return eventLoop.makeSucceededFuture(value)
    }

    public func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let isThere = state.withLock { state in
            [state.younger[key], state.older[key]].contains { ($0?.expiry ?? now) > now }
        }
        return eventLoop.makeSucceededFuture(isThere)
    }

    private static func turn(_ state: inout Generations, _ now: Int64) {
        guard let turnedAt = state.turnedAt else {
            state.turnedAt = now
            return
        }
        // A generation that is expired as a whole is dropped at once, whatever its turn.
        if state.olderExpiry <= now, !state.older.isEmpty { state.older = [:] }
        if state.youngerExpiry <= now, !state.younger.isEmpty { state.younger = [:] }
        // Only a generation whose last entry is expired may go; a clock that was set back just delays the turn.
        guard now - turnedAt >= turn, state.olderExpiry <= now else { return }
        state.older = state.younger
        state.olderExpiry = state.youngerExpiry
        state.younger = [:]
        state.youngerExpiry = 0
        state.turnedAt = now
    }
}
