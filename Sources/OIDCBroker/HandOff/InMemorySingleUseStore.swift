// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OpenIDRelyingParty
import Synchronization

/// A ``SingleUseStore`` in the memory of this process.
///
/// Marks of logins and hand-off records have separate capacities, so that filling the store with marks does not
/// displace the records of users who have signed in. Nothing is searched for ended entries; see `Generations` and
/// `Records`.
///
/// Lifetimes are measured in elapsed time, so changes of the wall clock do not matter. A mark ends by whichever clock
/// is later, at most two hours after its lifetime; a record ends by whichever is earlier.
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

    /// The default size of a store in bytes, 128 MiB.
    public static let defaultBytes = 134_217_728
    /// The allowed sizes of a store in bytes, 8 MiB to 64 GiB.
    public static let allowedBytes = 8_388_608...68_719_476_736
    /// The maximum memory of a mark in bytes: 20 bytes in a table that is at least 3/8 full, or while the table grows.
    private static let bytesOfMark = 64

    private let capacity: Int
    private let bytes: Int
    private let clock: any ElapsedClock
    private let markCapacity: Int
    private let state: Mutex<State>

    /// Creates an empty store.
    /// - Parameters:
    ///   - capacity: The maximum number of marks, and of records, if `bytes` allows as many.
    ///   - bytes: The size of the full store, without an additional eighth for marks that have an owner. One half is
    ///     for marks, which are needed for ten minutes after a login returned and kept for ten more; the other half is
    ///     for records, which are removed when they are redeemed, or after a minute. A redemption leaves a mark as well.
    ///     128 MiB suffice for 435 sign-ins a second without end. Clamped to ``allowedBytes``.
    ///   - clock: The clock that measures lifetimes.
    public convenience init(
        capacity: Int = 2_000_000, bytes: Int = InMemorySingleUseStore.defaultBytes,
        clock: any ElapsedClock = SystemElapsedClock()
    ) {
        self.init(
            capacity: capacity, bytes: bytes, ownedShare: 8, ownedLifetime: CredentialEndpoint.markLifetime,
            clock: clock)
    }

    /// - Parameters:
    ///   - ownedShare: The size for marks that have an owner, as the divisor of `bytes`.
    ///   - ownedLifetime: The lifetime of most marks that have an owner, in seconds.
    private init(capacity: Int, bytes: Int, ownedShare: Int, ownedLifetime: Int64, clock: any ElapsedClock) {
        self.capacity = max(1, capacity)
        self.bytes = min(max(Self.allowedBytes.lowerBound, bytes), Self.allowedBytes.upperBound)
        self.clock = clock
        let half = self.bytes / 2
        markCapacity = min(self.capacity, half / Self.bytesOfMark)
        state = Mutex(
            State(
                marks: Generations(turn: LoginState.lifetime),
                ownedMarks: OwnedMarks(
                    capacity: min(self.capacity, self.bytes / ownedShare / Self.bytesOfMark),
                    lifetime: ownedLifetime),
                records: Records(capacity: self.capacity, maximumBytes: half)))
    }

    /// Creates a store of a quarter of this size with the same clock, for marks that live for a day. All of them have an
    /// owner: the provider that can cause them.
    func makeLastingStore() -> InMemorySingleUseStore {
        InMemorySingleUseStore(
            capacity: capacity, bytes: bytes / 4, ownedShare: 1, ownedLifetime: NotificationEndpoint.markLifetime,
            clock: clock)
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

    /// Inserts an entry like its overload, but without a future.
    func insertIfAbsent(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, now: Int64
    ) -> SingleUseInsertion {
        let moment = Moment(wall: now, elapsed: clock.now())
        let lifetime = moment.lifetime(until: expiry)
        return state.withLock { state in
            state.advance(to: moment)
            // A key may be of either kind. An entry that has already expired is not stored.
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

    /// Returns how much of the store is used, after entries that have ended were dropped.
    /// - Parameter now: The current time, in seconds since 1970.
    package func usage(now: Int64) -> [SingleUseStoreUsage] {
        let moment = Moment(wall: now, elapsed: clock.now())
        return state.withLock { state in
            state.advance(to: moment)
            return [
                SingleUseStoreUsage(
                    kind: .marks, entries: state.marks.count, bytes: state.marks.count * Self.bytesOfMark,
                    fullness: Double(state.marks.count) / Double(max(1, markCapacity))),
                SingleUseStoreUsage(
                    kind: .ownedMarks, entries: state.ownedMarks.count,
                    bytes: state.ownedMarks.count * Self.bytesOfMark, fullness: state.ownedMarks.fullness),
                SingleUseStoreUsage(
                    kind: .records, entries: state.records.count, bytes: state.records.bytes,
                    fullness: state.records.fullness),
            ]
        }
    }

    public func take(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(take(key, now: now))
    }

    /// Removes and returns the value of an entry like its overload, but without a future.
    func take(_ key: SingleUseKey, now: Int64) -> [UInt8]? {
        let moment = Moment(wall: now, elapsed: clock.now())
        return state.withLock { state in
            state.advance(to: moment)
            // The key is removed from both kinds in any case, so that nothing can be taken a second time.
            let value = state.records.take(key, moment)
            let isMarked = state.marks.take(key, moment)
            let isOwned = state.ownedMarks.take(key, moment)
            return value ?? (isMarked || isOwned ? [] : nil)
        }
    }

    public func read(_ key: SingleUseKey, now: Int64, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let moment = Moment(wall: now, elapsed: clock.now())
        let value: [UInt8]? = state.withLock { state in
            if let value = state.records.read(key, moment) { return value }
            return state.marks.contains(key, moment) || state.ownedMarks.contains(key, moment) ? [] : nil
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
