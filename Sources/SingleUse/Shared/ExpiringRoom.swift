// SPDX-License-Identifier: Apache-2.0

/// A ``SingleUseRoom`` for entries that are outside of this process, by when they expire there. Entries that end at about
/// the same time are counted together, so that it needs no memory for each of them. There is no lock and no clock.
struct ExpiringRoom: Sendable {
    /// What ends together and counts for one provider.
    private struct Tally: Sendable {
        var entries = 0
        var bytes = 0
    }

    /// An entry that was counted.
    struct Entry: Sendable {
        fileprivate let share: UInt32
        fileprivate let end: Int64
        fileprivate let bytes: Int
    }

    /// A room for nothing.
    static let empty = ExpiringRoom(capacity: 0, maximumBytes: 0)
    /// The number of times in a lifetime at which entries end.
    private static let stepsOfLifetime: Int64 = 60

    private(set) var room: SingleUseRoom
    /// By the second at which they end, and the share.
    private var generations: [Int64: [UInt32: Tally]] = [:]
    private var advanced = Int64.min

    /// - Parameters:
    ///   - capacity: The maximum number of entries.
    ///   - maximumBytes: The maximum memory of all entries, in bytes.
    init(capacity: Int, maximumBytes: Int) {
        room = SingleUseRoom(capacity: capacity, maximumBytes: maximumBytes)
    }

    /// Counts an entry if there is room.
    mutating func begin(
        of provider: SingleUseKey?, bytes: Int, seconds: Int64, now: Int64
    ) -> Result<Entry, SingleUseRoom.Refusal> {
        advance(to: now)
        if let refusal = room.refusal(for: provider, bytes: bytes) { return .failure(refusal) }
        return .success(add(of: provider, bytes: bytes, seconds: seconds, now: now))
    }

    /// Counts an entry, whether there is room for it or not.
    @discardableResult
    mutating func add(of provider: SingleUseKey?, bytes: Int, seconds: Int64, now: Int64) -> Entry {
        advance(to: now)
        let entry = Entry(
            share: room.add(provider, bytes: bytes), end: Self.end(now, seconds: seconds), bytes: bytes)
        var tally = generations[entry.end]?[entry.share] ?? Tally()
        tally.entries += 1
        tally.bytes += bytes
        generations[entry.end, default: [:]][entry.share] = tally
        return entry
    }

    /// Counts an entry no longer that is not there, unless it would have expired.
    mutating func end(_ entry: Entry) { remove(entry.bytes, of: entry.share, in: entry.end) }

    /// Counts one entry less, since one was taken that any process may have put there: of those that end first, so that
    /// what is counted by all processes together never ends before what is there.
    mutating func removeOne(bytes: Int, now: Int64) {
        advance(to: now)
        guard let end = generations.keys.min(),
            let share = generations[end]?.max(by: { $0.value.entries < $1.value.entries })?.key
        else { return }
        remove(bytes, of: share, in: end)
    }

    /// Drops what has ended.
    mutating func advance(to now: Int64) {
        guard now > advanced else { return }
        advanced = now
        for end in generations.keys.filter({ $0 <= now }) {
            for (share, tally) in generations.removeValue(forKey: end) ?? [:] {
                room.remove(share, entries: tally.entries, bytes: tally.bytes)
            }
        }
    }

    private mutating func remove(_ bytes: Int, of share: UInt32, in end: Int64) {
        guard var tally = generations[end]?[share] else { return }
        // What was taken may have been larger than what is counted; the last entry takes all that is left.
        let size = tally.entries > 1 ? min(bytes, tally.bytes) : tally.bytes
        room.remove(share, bytes: size)
        tally.entries -= 1
        tally.bytes -= size
        generations[end]?[share] = tally.entries > 0 ? tally : nil
        if generations[end]?.isEmpty == true { generations[end] = nil }
    }

    /// When an entry ends, at most a 60th of its lifetime later than it does.
    private static func end(_ now: Int64, seconds: Int64) -> Int64 {
        let step = max(1, seconds / stepsOfLifetime)
        let end = InMemorySingleUseStore.Moment.sum(now, seconds)
        let rest = end % step
        return rest > 0 ? InMemorySingleUseStore.Moment.sum(end - rest, step) : end
    }
}
