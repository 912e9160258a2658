// SPDX-License-Identifier: Apache-2.0

public import NIOCore
import Synchronization

/// A ``SingleUseStore`` in the memory of this process. It loses no answers, so it remembers no attempts.
///
/// Claims, and records, which have values, have separate capacities. They lend each other a part, so that filling the
/// store with claims does not displace the records of users who have signed in. Records that wait for minutes, for a
/// user or a page, have one of their own beside those that are redeemed within a minute. No operation looks at more
/// than a few hundred entries for ended ones; see `Generations` and `Records`.
///
/// Lifetimes are measured in elapsed time, so changes of the wall clock do not matter. A claim ends by whichever clock
/// is later, at most two hours after its lifetime; a record ends by whichever is earlier.
public final class InMemorySingleUseStore: SingleUseStore {
    private struct State {
        var claims: Generations
        var ownedClaims: OwnedClaims
        var records: Records
        /// The records that live longer than the others.
        var waiting: Records
        /// The optional records: a sign-in works without them.
        var spare: Records
        let lending: Lending
        /// The maximum number of claims, if there is memory for as many.
        let capacity: Int

        /// The number of claims for which there is room now.
        var claimCapacity: Int {
            min(capacity, lending.claimLimit(recordBytes: records.bytes) / ClaimTable.bytesOfClaim)
        }
        var isFullOfClaims: Bool { claims.count >= claimCapacity }

        mutating func advance(to now: Moment) {
            claims.advance(to: now)
            ownedClaims.advance(to: now)
            records.advance(to: now)
            waiting.advance(to: now)
            spare.advance(to: now)
            records.limit = lending.recordLimit(claimBytes: claims.count * ClaimTable.bytesOfClaim)
        }
    }

    /// The default size of a store in bytes, 128 MiB.
    public static let defaultBytes = 134_217_728
    /// The allowed sizes of a store in bytes, 8 MiB to 64 GiB.
    public static let allowedBytes = 8_388_608...68_719_476_736

    private let capacity: Int
    private let bytes: Int
    private let lifetimes: Lifetimes
    private let elapsed: @Sendable () -> Int64
    private let wall: @Sendable () -> Int64
    /// The longest lifetime of a record that is not one of those that wait, in seconds; `nil` if none waits.
    private let longestRecord: Int64?
    private let state: Mutex<State>

    /// How long what is in a store lives, in seconds.
    package struct Lifetimes: Sendable {
        /// Most claims with an owner.
        let ownedClaims: Int64
        /// Most claims in a store of what lives for a day.
        let lastingClaims: Int64
        /// Records. Those that live longer are the ones that wait.
        let records: Int64

        /// Creates the lifetimes of a store.
        package init(ownedClaims: Int64, lastingClaims: Int64, records: Int64) {
            (self.ownedClaims, self.lastingClaims, self.records) = (ownedClaims, lastingClaims, records)
        }
    }

    /// Creates an empty store.
    /// - Parameters:
    ///   - capacity: The maximum number of claims, of records, and of records that wait, if `bytes` allows as many.
    ///   - bytes: The size of the full store, clamped to ``allowedBytes``, without an additional eighth for claims that
    ///     have an owner and a sixteenth for spare records. One half is for claims, five sixteenths are for records, three
    ///     for those that wait. Claims and records lend each other a quarter. See `Lending`.
    ///   - elapsed: The clock that measures lifetimes, in seconds.
    ///   - wall: The clock by which logins expire, in seconds since 1970. A claim outlives its login also where this
    ///     clock is set back.
    package convenience init(
        capacity: Int, bytes: Int, lifetimes: Lifetimes, elapsed: @escaping @Sendable () -> Int64,
        wall: @escaping @Sendable () -> Int64
    ) {
        self.init(
            capacity: capacity, bytes: bytes, lifetimes: lifetimes, elapsed: elapsed, wall: wall, isLasting: false)
    }

    /// - Parameter isLasting: Whether all claims have an owner and no record waits.
    private init(
        capacity: Int, bytes: Int, lifetimes: Lifetimes, elapsed: @escaping @Sendable () -> Int64,
        wall: @escaping @Sendable () -> Int64, isLasting: Bool
    ) {
        self.capacity = max(1, capacity)
        self.bytes = min(max(Self.allowedBytes.lowerBound, bytes), Self.allowedBytes.upperBound)
        self.lifetimes = lifetimes
        self.elapsed = elapsed
        self.wall = wall
        longestRecord = isLasting ? nil : lifetimes.records
        let half = self.bytes / 2
        let forWaiting = isLasting ? 0 : SingleUseRoom.forWaiting(of: half)
        let forOwned = isLasting ? self.bytes : self.bytes / 8
        state = Mutex(
            State(
                claims: Generations(capacity: min(self.capacity, half / ClaimTable.bytesOfClaim)),
                ownedClaims: OwnedClaims(
                    capacity: min(self.capacity, forOwned / ClaimTable.bytesOfClaim),
                    lifetime: isLasting ? lifetimes.lastingClaims : lifetimes.ownedClaims),
                records: Records(capacity: self.capacity, maximumBytes: half - forWaiting),
                waiting: Records(capacity: self.capacity, maximumBytes: forWaiting),
                spare: Records(
                    capacity: self.capacity, maximumBytes: isLasting ? 0 : SingleUseRoom.forSpare(of: self.bytes)),
                lending: Lending(claims: half, records: half - forWaiting, isOn: !isLasting),
                capacity: self.capacity))
    }

    /// Creates a store of a quarter of this size with the same clock, for claims that live for a day. All of them have an
    /// owner: the provider or the app that can cause them.
    package func makeLastingStore() -> InMemorySingleUseStore {
        InMemorySingleUseStore(
            capacity: capacity, bytes: bytes / 4, lifetimes: lifetimes, elapsed: elapsed, wall: wall, isLasting: true)
    }

    private var moment: Moment { Moment(wall: wall(), elapsed: elapsed()) }

    // MARK: Without a future

    /// Claims a key like ``claim(_:attempt:owner:lifetime:on:)``, but without a future.
    /// - Parameter seconds: The lifetime, in seconds.
    package func claim(_ key: SingleUseKey, owner: SingleUseOwner?, seconds: Int64) -> SingleUseClaim {
        let moment = moment
        return state.withLock { state in
            state.advance(to: moment)
            // A key may be claimed with an owner and without one.
            if let owner {
                if state.claims.contains(key, moment) { return .lost }
                return state.ownedClaims.claim(key, of: owner.provider, lifetime: seconds, moment)
            }
            if state.ownedClaims.contains(key, moment) { return .lost }
            return state.claims.claim(key, lifetime: seconds, moment, isFull: state.isFullOfClaims)
        }
    }

    /// Stores a value like ``put(_:value:owner:lifetime:on:)``, but without a future.
    /// - Parameter seconds: The lifetime, in seconds.
    package func put(_ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64) -> SingleUsePut {
        let moment = moment
        return state.withLock { state in
            state.advance(to: moment)
            // A value takes the place of one that lives longer or shorter, too.
            guard let longestRecord, seconds > longestRecord else {
                let put = state.records.put(key, value: value, owner: owner, lifetime: seconds, moment)
                if put == .stored { state.waiting.discard(key) }
                return put
            }
            let put = state.waiting.put(key, value: value, owner: owner, lifetime: seconds, moment)
            if put == .stored { state.records.discard(key) }
            return put
        }
    }

    /// Stores an optional value, without which a sign-in works too, in its own part of the store.
    /// - Parameter seconds: The lifetime, in seconds.
    package func putSpare(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, seconds: Int64
    ) -> SingleUsePut {
        let moment = moment
        return state.withLock { state in
            state.advance(to: moment)
            return state.spare.put(key, value: value, owner: owner, lifetime: seconds, moment)
        }
    }

    /// Returns the part of the store in which a record counts.
    /// - Parameter seconds: Its lifetime, in seconds.
    package func part(ofRecordFor seconds: Int64) -> SingleUseStoreUsage.Kind {
        longestRecord.map { seconds > $0 } == true ? .waitingRecords : .records
    }

    /// Takes a value like ``take(_:attempt:claimLifetime:on:)``, but without a future.
    /// - Parameter claimSeconds: The lifetime of the claim, in seconds.
    package func take(_ key: SingleUseKey, claimSeconds: Int64) -> SingleUseTake {
        let moment = moment
        return state.withLock { state in
            state.advance(to: moment)
            if state.ownedClaims.contains(key, moment) || state.claims.contains(key, moment) { return .taken }
            var taken = state.records.take(key, moment)
            if taken == nil { taken = state.waiting.take(key, moment) }
            guard let (value, remaining) = taken else { return .absent }
            // The value is handed out also if a store full of other claims has no room for this one.
            let claim = state.claims.claim(
                key, lifetime: max(claimSeconds, remaining), moment, isFull: state.isFullOfClaims)
            return .value(value, isClaimed: claim == .won)
        }
    }

    /// Reads a value like ``read(_:on:)``, but without a future.
    package func read(_ key: SingleUseKey) -> [UInt8]? {
        let moment = moment
        return state.withLock { state in
            state.records.read(key, moment) ?? state.waiting.read(key, moment) ?? state.spare.read(key, moment)
        }
    }

    /// Removes a value like ``remove(_:ifEqual:on:)``, but without a future.
    package func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) {
        state.withLock { state in
            state.records.remove(key, ifEqual: value)
            state.waiting.remove(key, ifEqual: value)
            state.spare.remove(key, ifEqual: value)
        }
    }

    /// Returns whether a key is claimed like ``isClaimed(_:on:)``, but without a future.
    package func isClaimed(_ key: SingleUseKey) -> Bool {
        let moment = moment
        return state.withLock { $0.claims.contains(key, moment) || $0.ownedClaims.contains(key, moment) }
    }

    /// Returns how much of the store is used, after entries that have ended were dropped.
    package var usage: [SingleUseStoreUsage] {
        let moment = moment
        return state.withLock { state in
            state.advance(to: moment)
            var usages = [
                SingleUseStoreUsage(
                    kind: .claims, entries: state.claims.count, bytes: state.claims.count * ClaimTable.bytesOfClaim,
                    fullness: Double(state.claims.count) / Double(max(1, state.claimCapacity))),
                SingleUseStoreUsage(
                    kind: .ownedClaims, entries: state.ownedClaims.count,
                    bytes: state.ownedClaims.count * ClaimTable.bytesOfClaim, fullness: state.ownedClaims.fullness),
                SingleUseStoreUsage(
                    kind: .records, entries: state.records.count, bytes: state.records.bytes,
                    fullness: state.records.fullness),
            ]
            guard longestRecord != nil else { return usages }
            usages.append(
                SingleUseStoreUsage(
                    kind: .waitingRecords, entries: state.waiting.count, bytes: state.waiting.bytes,
                    fullness: state.waiting.fullness))
            return usages
        }
    }

    // MARK: As a SingleUseStore

    public func claim(
        _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseClaim> {
        eventLoop.makeSucceededFuture(claim(key, owner: owner, seconds: Moment.seconds(lifetime)))
    }

    public func put(
        _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUsePut> {
        eventLoop.makeSucceededFuture(put(key, value: value, owner: owner, seconds: Moment.seconds(lifetime)))
    }

    public func take(
        _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
    ) -> EventLoopFuture<SingleUseTake> {
        eventLoop.makeSucceededFuture(take(key, claimSeconds: Moment.seconds(claimLifetime)))
    }

    public func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(read(key))
    }

    public func remove(
        _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
    ) -> EventLoopFuture<Void> {
        remove(key, ifEqual: value)
        return eventLoop.makeSucceededVoidFuture()
    }

    public func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(isClaimed(key))
    }
}
