// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What this process may have in a store outside of it. Such a store counts no process's entries, and other replicas
/// need room in it too.
///
/// Each part has a room of its own, as in the store in memory, and of each room one provider uses at most half. An entry
/// counts until it expires. One that is taken counts no longer in the process that takes it, since any replica may have
/// put it there.
package final class StoreBudget: Sendable {
    package typealias Kind = SingleUseStoreUsage.Kind

    /// How much a process may have in a store.
    package struct Capacity: Sendable {
        /// The size of all values, in bytes.
        var valueBytes: Int
        /// The number of claims without an owner.
        var claims: Int
        /// The number of claims with an owner.
        var ownedClaims: Int
        /// The longest lifetime of a value that is not one of those that wait, in seconds; `nil` if none waits.
        var longestRecord: Int64?

        /// That of logins and hand-offs, for each processor: 128 MiB of values, and the claims of 1,150 sign-ins a second
        /// without end, for which a processor is half busy.
        /// - Parameter longestRecord: The longest lifetime of a value that is not one of those that wait, in seconds.
        package static func logins(processors: Int, longestRecord: Int64) -> Capacity {
            let count = min(max(1, processors), 1024)
            return Capacity(
                valueBytes: count * 128 << 20, claims: count * 1_703_936, ownedClaims: count * 262_144,
                longestRecord: longestRecord)
        }
        /// That of what lives for a day: 16 MiB of names, notifications, and access tokens that
        /// were ended.
        package static let lasting = Capacity(
            valueBytes: 16 << 20, claims: 65_536, ownedClaims: 524_288, longestRecord: nil)
    }

    /// An entry that was counted.
    struct Entry: Sendable {
        fileprivate let kind: Kind
        fileprivate let counted: ExpiringRoom.Entry
    }

    /// The memory of a claim in a store, in bytes.
    static let bytesOfClaim = 256
    /// The memory of a value in a store in addition to its bytes.
    static let overhead = InMemorySingleUseStore.Records.overhead

    private let longestRecord: Int64?
    private let elapsed: @Sendable () -> Int64
    private let rooms: Mutex<[Kind: ExpiringRoom]>

    /// - Parameter elapsed: The clock that measures lifetimes, in seconds.
    package init(_ capacity: Capacity, elapsed: @escaping @Sendable () -> Int64) {
        longestRecord = capacity.longestRecord
        self.elapsed = elapsed
        let forWaiting = capacity.longestRecord == nil ? 0 : SingleUseRoom.forWaiting(of: capacity.valueBytes)
        func room(bytes: Int, of entry: Int) -> ExpiringRoom {
            ExpiringRoom(capacity: bytes / entry, maximumBytes: bytes)
        }
        var rooms: [Kind: ExpiringRoom] = [
            .claims: room(bytes: capacity.claims * Self.bytesOfClaim, of: Self.bytesOfClaim),
            .ownedClaims: room(bytes: capacity.ownedClaims * Self.bytesOfClaim, of: Self.bytesOfClaim),
            .records: room(bytes: capacity.valueBytes - forWaiting, of: Self.overhead),
        ]
        if capacity.longestRecord != nil {
            rooms[.waitingRecords] = room(bytes: forWaiting, of: Self.overhead)
            rooms[.spareRecords] = room(bytes: SingleUseRoom.forSpare(of: capacity.valueBytes), of: Self.overhead)
        }
        self.rooms = Mutex(rooms)
    }

    /// The part of a value with a lifetime.
    func kind(ofValueFor seconds: Int64) -> Kind {
        guard let longestRecord, seconds > longestRecord else { return .records }
        return .waitingRecords
    }

    /// Counts an entry that is about to be put into the store, if there is room.
    /// - Parameters:
    ///   - provider: Its provider; `nil` if it counts for none.
    ///   - bytes: Its memory.
    ///   - seconds: Its lifetime.
    func begin(
        _ kind: Kind, of provider: SingleUseKey?, bytes: Int, seconds: Int64
    ) -> Result<Entry, SingleUseRoom.Refusal> {
        let now = elapsed()
        return rooms.withLock { rooms in
            rooms[kind, default: .empty].begin(of: provider, bytes: bytes, seconds: seconds, now: now)
                .map { Entry(kind: kind, counted: $0) }
        }
    }

    /// Counts an entry no longer that the store did not take.
    func end(_ entry: Entry) {
        rooms.withLock { $0[entry.kind, default: .empty].end(entry.counted) }
    }

    /// Counts a value no longer that is gone from the store.
    package func removed(_ kind: Kind, bytes: Int) {
        let now = elapsed()
        rooms.withLock { $0[kind, default: .empty].removeOne(bytes: bytes + Self.overhead, now: now) }
    }

    /// Counts a value no longer that was taken, and the claim that stays, which nothing can refuse any more.
    func took(_ kind: Kind, bytes: Int, claimedFor seconds: Int64) {
        let now = elapsed()
        rooms.withLock { rooms in
            rooms[kind, default: .empty].removeOne(bytes: bytes + Self.overhead, now: now)
            rooms[.claims, default: .empty].add(of: nil, bytes: Self.bytesOfClaim, seconds: seconds, now: now)
        }
    }

    /// How much of each part is used, after entries that have expired were dropped.
    package var usage: [SingleUseStoreUsage] {
        let now = elapsed()
        return rooms.withLock { rooms in
            var usages: [SingleUseStoreUsage] = []
            for kind in Kind.allCases where kind != .spareRecords {
                rooms[kind]?.advance(to: now)
                guard let room = rooms[kind]?.room else { continue }
                usages.append(
                    SingleUseStoreUsage(
                        kind: kind, entries: room.count, bytes: room.bytes, fullness: min(1, room.fullness)))
            }
            return usages
        }
    }
}
