// SPDX-License-Identifier: Apache-2.0

extension UnverifiedNames {
    /// The lifetimes of kept names. It has no cipher, no lock and no clock; `now` is given.
    struct StateMachine: Sendable {
        /// A stored entry.
        struct Entry: Sendable, Hashable {
            let sealed: [UInt8]
            /// The time from which the entry counts as absent, in seconds since 1970.
            let expiry: Int64
            /// A number that distinguishes the entry from later ones at the same place.
            let number: UInt64
        }

        private struct Mark: Sendable {
            let place: [UInt8]
            let number: UInt64
        }

        private let lifetime: Int64
        private let maximumCount: Int
        private var entries: [[UInt8]: Entry] = [:]
        /// The marks in the order of insertion. Those of removed entries are skipped.
        private var order: [Mark] = []
        /// The index of the first mark that may still be used.
        private var first = 0
        private var lastNumber: UInt64 = 0

        /// - Parameters:
        ///   - lifetime: The lifetime of an entry, in seconds.
        ///   - maximumCount: The maximum number of entries, at least one. The oldest is removed for a new one.
        init(lifetime: Int64, maximumCount: Int) {
            self.lifetime = lifetime
            self.maximumCount = max(1, maximumCount)
        }

        /// The number of entries, including expired ones.
        var count: Int { entries.count }

        /// Inserts an entry at a place, replacing the present one.
        mutating func insert(_ sealed: [UInt8], at place: [UInt8], now: Int64) {
            dropExpired(now)
            lastNumber &+= 1
            entries[place] = Entry(sealed: sealed, expiry: now + lifetime, number: lastNumber)
            order.append(Mark(place: place, number: lastNumber))
            while entries.count > maximumCount, first < order.count { dropFirst() }
            compact()
        }

        /// Returns the entry at a place; `nil` if it is absent or expired.
        func entry(at place: [UInt8], now: Int64) -> Entry? {
            guard let entry = entries[place], entry.expiry > now else { return nil }
            return entry
        }

        /// Removes an entry, unless it was replaced in the meantime.
        mutating func remove(at place: [UInt8], number: UInt64) {
            if entries[place]?.number == number { entries[place] = nil }
        }

        /// Removes expired entries from the beginning. All lifetimes are equal, so the first entry expires first. If
        /// the clock was set back, expired entries may remain behind one that lives longer; they are not returned.
        private mutating func dropExpired(_ now: Int64) {
            while first < order.count {
                let mark = order[first]
                if let entry = entries[mark.place], entry.number == mark.number, entry.expiry > now { return }
                dropFirst()
            }
        }

        private mutating func dropFirst() {
            let mark = order[first]
            remove(at: mark.place, number: mark.number)
            first += 1
        }

        /// Removes marks that were passed or whose entries are gone, so that there are at most a few for each entry.
        private mutating func compact() {
            guard order.count > 2 * maximumCount + 16 else { return }
            order = order[first...].filter { entries[$0.place]?.number == $0.number }
            first = 0
        }
    }
}
