// SPDX-License-Identifier: Apache-2.0

/// Counts for a bounded number of keys. Further keys are not counted.
struct Tally<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var counts: [Key: UInt32] = [:]

    /// - Parameter limit: The maximum number of keys.
    init(limit: Int) {
        self.limit = limit
    }

    /// The number of keys.
    var keyCount: Int { counts.count }

    /// Returns the count of a key.
    func count(of key: Key) -> Int {
        counts.isEmpty ? 0 : counts[key].map(Int.init) ?? 0
    }

    /// Increments the count of a key.
    mutating func add(_ key: Key) {
        guard let count = counts[key] else {
            if counts.count < limit { counts[key] = 1 }
            return
        }
        if count < .max { counts[key] = count + 1 }
    }

    /// Decrements the count of a key and removes the key at zero.
    mutating func remove(_ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

/// Counts of recent events in turns. The last two turns are kept. A turn is dropped as a whole, so that nothing is
/// searched for old events.
package struct RecentTally<Key: Hashable & Sendable>: Sendable {
    private let turn: Int64
    private let limit: Int
    private var younger: Tally<Key>
    private var older: Tally<Key>
    /// The start of the younger turn, in seconds of elapsed time.
    private var begin: Int64?

    /// - Parameters:
    ///   - turn: The minimum time for which an event is counted, in seconds; the maximum is twice that.
    ///   - limit: The maximum number of keys in a turn.
    package init(turn: Int64, limit: Int) {
        self.turn = max(1, turn)
        self.limit = limit
        younger = Tally(limit: limit)
        older = younger
    }

    /// The number of keys in both turns; a key in both counts twice.
    package var keyCount: Int { younger.keyCount + older.keyCount }

    /// Drops turns that are too old.
    /// - Parameter now: The current time, in seconds of elapsed time.
    package mutating func advance(to now: Int64) {
        guard let begin else {
            self.begin = now
            return
        }
        let (passed, overflows) = now.subtractingReportingOverflow(begin)
        guard overflows || passed >= turn else { return }
        let isNext = !overflows && passed - turn < turn
        older = isNext ? younger : Tally(limit: limit)
        younger = Tally(limit: limit)
        self.begin = isNext ? begin + turn : now
    }

    /// Returns the count of a key.
    package func count(of key: Key) -> Int {
        younger.count(of: key) + older.count(of: key)
    }

    /// Increments the count of a key.
    package mutating func add(_ key: Key) {
        younger.add(key)
    }

    /// Returns the time until the count of a key falls below a limit without further events, in seconds, at least one.
    package func wait(of key: Key, below limit: Int, now: Int64) -> Int64 {
        let turns: Int64 = younger.count(of: key) < limit ? 1 : 2
        let passed = now.subtractingReportingOverflow(begin ?? now).partialValue
        return max(1, turns * turn - min(max(0, passed), turn))
    }
}
