// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries of about one lifetime, in two generations: new ones go into the younger; when it has lived as long as its
    /// entries may, the older, all of it expired by then, is dropped whole. Nothing is ever searched for what expired.
    ///
    /// An entry that expired stays until then, and is as good as absent. No lock, no clock: `now` is handed in, in
    /// seconds since 1970.
    struct Generations: Sendable {
        /// How long a generation stays the younger one, seconds.
        private let turn: Int64
        private var younger = Generation()
        private var older = Generation()
        private var turnedAt: Int64?

        /// - Parameter turn: how long a generation stays the younger one, seconds: the lifetime of most entries.
        init(turn: Int64) {
            self.turn = turn
        }

        /// How many entries are kept, expired ones among them.
        var count: Int { younger.count + older.count }

        /// Drops what has expired as a whole.
        mutating func advance(to now: Int64) {
            guard let turnedAt else {
                turnedAt = now
                return
            }
            // A generation that is expired as a whole is dropped at once, whatever its turn.
            if older.latestExpiry <= now, !older.isEmpty { older = Generation() }
            if younger.latestExpiry <= now, !younger.isEmpty { younger = Generation() }
            // Only a generation whose last entry is expired may go; a clock that was set back just delays the turn.
            guard now - turnedAt >= turn, older.latestExpiry <= now else { return }
            older = younger
            younger = Generation()
            self.turnedAt = now
        }

        /// Whether an entry of that key is there and not expired.
        func contains(_ key: SingleUseKey, now: Int64) -> Bool {
            younger.contains(key, now: now) || older.contains(key, now: now)
        }

        /// Inserts an entry unless one of that key is there and not expired.
        /// - Parameter isFull: whether there is room for no key that is not there.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, isFull: Bool
        ) -> SingleUseInsertion {
            if older.contains(key, now: now) { return .present }
            if isFull, !younger.holds(key) { return .full }
            return younger.insertIfAbsent(key, value: value, expiry: expiry, now: now) ? .inserted : .present
        }

        /// Removes what is there of a key; gives the value of the entry that is not expired.
        mutating func take(_ key: SingleUseKey, now: Int64) -> [UInt8]? {
            // Both: behind one that expired the same key may have been inserted again.
            let (young, old) = (younger.take(key, now: now), older.take(key, now: now))
            return young ?? old
        }
    }
}
