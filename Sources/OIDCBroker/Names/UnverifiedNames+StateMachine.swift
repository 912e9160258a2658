// SPDX-License-Identifier: Apache-2.0

extension UnverifiedNames {
    /// Which names are kept, and for how long. No cipher, no lock, no clock: `now` is handed in.
    struct StateMachine: Sendable {
        /// An entry as it was put there.
        struct Entry: Sendable, Hashable {
            let sealed: [UInt8]
            /// Seconds since 1970; from then on it is as good as absent.
            let expiry: Int64
            /// Tells it from what is put in its place later.
            let number: UInt64
        }

        private struct Mark: Sendable {
            let place: [UInt8]
            let number: UInt64
        }

        private let lifetime: Int64
        private let maximumCount: Int
        private var entries: [[UInt8]: Entry] = [:]
        /// In the order of their insertion; marks of entries that are gone are passed over.
        private var order: [Mark] = []
        /// The first mark that may still be of use.
        private var first = 0
        private var lastNumber: UInt64 = 0

        /// - Parameters:
        ///   - lifetime: how long an entry lives, seconds.
        ///   - maximumCount: the most entries, at least one; the oldest goes for one more.
        init(lifetime: Int64, maximumCount: Int) {
            self.lifetime = lifetime
            self.maximumCount = max(1, maximumCount)
        }

        /// How many entries are kept, expired ones among them.
        var count: Int { entries.count }

        /// Puts an entry in a place, instead of what is there.
        mutating func insert(_ sealed: [UInt8], at place: [UInt8], now: Int64) {
            dropExpired(now)
            lastNumber &+= 1
            entries[place] = Entry(sealed: sealed, expiry: now + lifetime, number: lastNumber)
            order.append(Mark(place: place, number: lastNumber))
            while entries.count > maximumCount, first < order.count { dropFirst() }
            compact()
        }

        /// The entry in a place; `nil` if it is absent or expired.
        func entry(at place: [UInt8], now: Int64) -> Entry? {
            guard let entry = entries[place], entry.expiry > now else { return nil }
            return entry
        }

        /// Takes an entry away, unless another was put in its place since.
        mutating func remove(at place: [UInt8], number: UInt64) {
            if entries[place]?.number == number { entries[place] = nil }
        }

        /// All live equally long: the first is the first to expire. Behind one that the clock's going back let live
        /// longer others may wait; they are not handed out.
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

        /// Forgets marks that are passed by, or whose entries are gone: there are never more than a few for each entry.
        private mutating func compact() {
            guard order.count > 2 * maximumCount + 16 else { return }
            order = order[first...].filter { entries[$0.place]?.number == $0.number }
            first = 0
        }
    }
}
