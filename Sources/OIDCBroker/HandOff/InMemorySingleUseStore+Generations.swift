// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries of about one lifetime, in two generations: new ones go into the younger; when it has lived as long as its
    /// entries may, the older, all of it expired by then, is dropped whole. Nothing is ever searched for what expired.
    ///
    /// An entry that expired stays until then, and is as good as absent. No lock, no clock: `now` is handed in, in
    /// seconds since 1970.
    struct Generations: Sendable {
        private struct Entry: Sendable {
            var value: [UInt8]
            var expiry: Int64
        }

        /// How long a generation stays the younger one, seconds.
        private let turn: Int64
        private var younger: [SingleUseKey: Entry] = [:]
        private var older: [SingleUseKey: Entry] = [:]
        /// The latest expiry in each.
        private var youngerExpiry: Int64 = 0
        private var olderExpiry: Int64 = 0
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
            if olderExpiry <= now, !older.isEmpty { older = [:] }
            if youngerExpiry <= now, !younger.isEmpty { younger = [:] }
            // Only a generation whose last entry is expired may go; a clock that was set back just delays the turn.
            guard now - turnedAt >= turn, olderExpiry <= now else { return }
            older = younger
            olderExpiry = youngerExpiry
            younger = [:]
            youngerExpiry = 0
            self.turnedAt = now
        }

        /// Whether an entry of that key is there and not expired.
        func contains(_ key: SingleUseKey, now: Int64) -> Bool {
            Self.contains(younger, key, now) || Self.contains(older, key, now)
        }

        /// Inserts an entry unless one of that key is there and not expired.
        /// - Parameter isFull: whether there is room for no key that is not there.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64, isFull: Bool
        ) -> SingleUseInsertion {
            if Self.contains(older, key, now) { return .present }
            if isFull, younger[key] == nil { return .full }
            // One search instead of two: a dictionary of a million entries is in no cache.
            if let known = younger.updateValue(Entry(value: value, expiry: expiry), forKey: key), known.expiry > now {
                younger[key] = known
                return .present
            }
            youngerExpiry = max(youngerExpiry, expiry)
            return .inserted
        }

        /// Removes what is there of a key; gives the value of the entry that is not expired.
        mutating func take(_ key: SingleUseKey, now: Int64) -> [UInt8]? {
            // Both: behind one that expired the same key may have been inserted again.
            let entries = (
                younger.isEmpty ? nil : younger.removeValue(forKey: key),
                older.isEmpty ? nil : older.removeValue(forKey: key)
            )
            if let entry = entries.0, entry.expiry > now { return entry.value }
            if let entry = entries.1, entry.expiry > now { return entry.value }
            return nil
        }

        private static func contains(_ generation: [SingleUseKey: Entry], _ key: SingleUseKey, _ now: Int64) -> Bool {
            guard !generation.isEmpty, let entry = generation[key] else { return false }
            return entry.expiry > now
        }
    }
}
