// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Synchronization

/// A ``SingleUseStore`` in the memory of this process.
///
/// What expires within a minute, as a hand-off does, and what lives longer, as the mark of a login does, are kept apart:
/// as sign-ins go on, a credential that nobody redeemed is gone after two minutes at the latest. Nothing is ever searched
/// for what expired; see ``Generations``.
public final class InMemorySingleUseStore: ImmediateSingleUseStore {
    private struct State {
        var brief = Generations(turn: HandOff.lifetime)
        var lasting = Generations(turn: LoginState.lifetime)

        var count: Int { brief.count + lasting.count }

        mutating func advance(to now: Int64) {
            brief.advance(to: now)
            lasting.advance(to: now)
        }
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// A store for at most that many entries. A login that returned needs one for ten minutes and keeps it for ten more, a
    /// hand-off one until it is redeemed, or for two minutes: 2,000,000 are enough for 1,600 returns a second that never
    /// end, and take up to 120 MB then.
    public init(capacity: Int = 2_000_000) {
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
            state.advance(to: now)
            let isFull = state.count >= capacity
            // A key may come with either lifetime: the login that took nine minutes returns with one left.
            guard expiry - now > HandOff.lifetime else {
                if state.lasting.contains(key, now: now) { return .present }
                return state.brief.insertIfAbsent(key, value: value, expiry: expiry, now: now, isFull: isFull)
            }
            if state.brief.contains(key, now: now) { return .present }
            return state.lasting.insertIfAbsent(key, value: value, expiry: expiry, now: now, isFull: isFull)
        }
    }

    public func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let value: [UInt8]? = state.withLock { state in
            state.advance(to: now)
            // Of both, whatever the first gives: nothing that was taken may be there for another.
            let brief = state.brief.take(key, now: now)
            let lasting = state.lasting.take(key, now: now)
            return brief ?? lasting
        }
        return eventLoop.makeSucceededFuture(value)
    }

    public func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let isThere = state.withLock { $0.brief.contains(key, now: now) || $0.lasting.contains(key, now: now) }
        return eventLoop.makeSucceededFuture(isThere)
    }
}
