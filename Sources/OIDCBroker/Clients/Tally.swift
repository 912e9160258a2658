// SPDX-License-Identifier: Apache-2.0

/// Counts per key, of a bounded number of keys; a key beyond them is not counted.
struct Tally<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private var counts: [Key: UInt32] = [:]

    /// - Parameter limit: the most keys.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many keys are counted.
    var keyCount: Int { counts.count }

    /// The count of a key.
    func count(of key: Key) -> Int {
        counts.isEmpty ? 0 : counts[key].map(Int.init) ?? 0
    }

    /// Adds one.
    mutating func add(_ key: Key) {
        guard let count = counts[key] else {
            if counts.count < limit { counts[key] = 1 }
            return
        }
        if count < .max { counts[key] = count + 1 }
    }

    /// Takes one away; a key of which there is none left is forgotten.
    mutating func remove(_ key: Key) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

/// Counts per key of what happened a short while ago: in turns, of which the last two are kept. A turn is forgotten as a
/// whole, so that nothing is ever searched for what is old.
struct RecentTally<Key: Hashable & Sendable>: Sendable {
    private let turn: Int64
    private let limit: Int
    private var younger: Tally<Key>
    private var older: Tally<Key>
    /// When the younger turn began, seconds of elapsed time.
    private var begin: Int64?

    /// - Parameters:
    ///   - turn: how long everything is counted at least, seconds; at most it is twice as long.
    ///   - limit: the most keys of a turn.
    init(turn: Int64, limit: Int) {
        self.turn = max(1, turn)
        self.limit = limit
        younger = Tally(limit: limit)
        older = younger
    }

    /// How many keys are counted in both turns, those in both twice.
    var keyCount: Int { younger.keyCount + older.keyCount }

    /// Forgets what is too old.
    /// - Parameter now: seconds of elapsed time.
    mutating func advance(to now: Int64) {
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

    /// The count of a key.
    func count(of key: Key) -> Int {
        younger.count(of: key) + older.count(of: key)
    }

    /// Adds one.
    mutating func add(_ key: Key) {
        younger.add(key)
    }

    /// How long until a key's count falls below a limit, if nothing is added, seconds; at least one.
    func wait(of key: Key, below limit: Int, now: Int64) -> Int64 {
        let turns: Int64 = younger.count(of: key) < limit ? 1 : 2
        let passed = now.subtractingReportingOverflow(begin ?? now).partialValue
        return max(1, turns * turn - min(max(0, passed), turn))
    }
}
