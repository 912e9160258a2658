// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty
import Synchronization

/// A ``SingleUseStore`` in the memory of this process.
///
/// Marks of logins and hand-off records are kept apart, each with room of their own: whoever fills the store with marks
/// takes none from people who have signed in. Nothing is ever searched for what ended; see `Generations` and
/// `Records`.
///
/// Lifetimes are counted in elapsed time, so that it does not matter who sets the wall clock. A mark ends when both clocks
/// say so, and waits for the wall clock for two hours at most; a record ends when either says so.
public final class InMemorySingleUseStore: SingleUseStore {
    private struct State {
        var marks: Generations
        var ownedMarks: OwnedMarks
        var records: Records

        mutating func advance(to now: Moment) {
            marks.advance(to: now)
            ownedMarks.advance(to: now)
            records.advance(to: now)
        }
    }

    /// How many bytes a store takes where nobody says otherwise: 128 MiB.
    public static let defaultBytes = 134_217_728
    /// How many bytes a store may be given: 8 MiB to 64 GiB.
    public static let allowedBytes = 8_388_608...68_719_476_736
    /// What a mark takes at worst, bytes: 20 in a table that is 3/8 full, or beside the one it grows out of.
    private static let bytesOfMark = 64

    private let capacity: Int
    private let bytes: Int
    private let clock: any ElapsedClock
    private let markCapacity: Int
    private let state: Mutex<State>

    /// An empty store.
    /// - Parameters:
    ///   - capacity: how many marks there may be, and how many records, where `bytes` allows as many.
    ///   - bytes: how many bytes the store takes when it is full, beside an eighth of it for the marks that have an owner: one
    ///     half for marks, which a login that returned needs for
    ///     ten minutes and keeps for ten more, the other for records, which go when they are redeemed, or after a minute.
    ///     128 MiB are enough for 870 returns a second that never end. Brought into ``allowedBytes``.
    ///   - clock: what lifetimes are counted by.
    public init(
        capacity: Int = 2_000_000, bytes: Int = InMemorySingleUseStore.defaultBytes,
        clock: any ElapsedClock = SystemElapsedClock()
    ) {
        self.capacity = max(1, capacity)
        self.bytes = min(max(Self.allowedBytes.lowerBound, bytes), Self.allowedBytes.upperBound)
        self.clock = clock
        let half = self.bytes / 2
        markCapacity = min(self.capacity, half / Self.bytesOfMark)
        state = Mutex(
            State(
                marks: Generations(turn: LoginState.lifetime),
                ownedMarks: OwnedMarks(
                    capacity: min(self.capacity, self.bytes / 8 / Self.bytesOfMark),
                    lifetime: CredentialEndpoint.markLifetime),
                records: Records(capacity: self.capacity, maximumBytes: half)))
    }

    /// A store beside this one, a quarter of its size, by the same clock: for marks that live a day.
    func makeLastingStore() -> InMemorySingleUseStore {
        InMemorySingleUseStore(capacity: capacity, bytes: bytes / 4, clock: clock)
    }

    public func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        insertIfAbsent(key, value: value, owner: nil, expiry: expiry, now: now, on: eventLoop)
    }

    public func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseInsertion> {
        eventLoop.makeSucceededFuture(insertIfAbsent(key, value: value, owner: owner, expiry: expiry, now: now))
    }

    /// Inserts an entry as its overload does, without a future.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64
    ) -> SingleUseInsertion {
        let moment = Moment(wall: now, elapsed: clock.now())
        let lifetime = moment.lifetime(until: expiry)
        return state.withLock { state in
            state.advance(to: moment)
            // A key may come as either; what is over already is kept as neither.
            guard value.isEmpty else {
                if state.marks.contains(key, moment) || state.ownedMarks.contains(key, moment) { return .present }
                guard lifetime > 0 else { return state.records.contains(key, moment) ? .present : .inserted }
                return state.records.insertIfAbsent(
                    key, value: value, owner: owner, expiry: expiry, lifetime: lifetime, moment)
            }
            if state.records.contains(key, moment) { return .present }
            if let owner {
                if state.marks.contains(key, moment) { return .present }
                guard lifetime > 0 else { return state.ownedMarks.contains(key, moment) ? .present : .inserted }
                return state.ownedMarks.insertIfAbsent(key, of: owner.provider, lifetime: lifetime, moment)
            }
            if state.ownedMarks.contains(key, moment) { return .present }
            guard lifetime > 0 else { return state.marks.contains(key, moment) ? .present : .inserted }
            return state.marks.insertIfAbsent(
                key, lifetime: lifetime, moment, isFull: state.marks.count >= markCapacity)
        }
    }

    public func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let moment = Moment(wall: now, elapsed: clock.now())
        let value: [UInt8]? = state.withLock { state in
            state.advance(to: moment)
            // Of both, whatever the first gives: nothing that was taken may be there for another.
            let value = state.records.take(key, moment)
            let isMarked = state.marks.take(key, moment)
            let isOwned = state.ownedMarks.take(key, moment)
            return value ?? (isMarked || isOwned ? [] : nil)
        }
        return eventLoop.makeSucceededFuture(value)
    }

    public func contains(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let moment = Moment(wall: now, elapsed: clock.now())
        let isThere = state.withLock {
            $0.marks.contains(key, moment) || $0.ownedMarks.contains(key, moment) || $0.records.contains(key, moment)
        }
        return eventLoop.makeSucceededFuture(isThere)
    }
}
