// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// What a claim keeps of its key: 96 bits that depend on all 256 of it.
    ///
    /// The same key always has the same ID, so a claim is never overlooked. Keys are hashes, so an unclaimed key has
    /// the ID of one of n claims with a probability of n/2^96: one in 2^74 with four million claims. It would be
    /// refused, so an attacker gains nothing from two such keys.
    struct ClaimID: Sendable, Equatable {
        /// A hash of the whole key, with the seed of this process. It decides where a claim is, and those who choose keys,
        /// as a provider does with its tokens, cannot choose that.
        fileprivate let hash: UInt64
        /// Another 32 bits of the key.
        fileprivate let rest: UInt32

        init(_ key: SingleUseKey) {
            let (first, second, third, fourth) = key.words
            var hasher = Hasher()
            hasher.combine(first)
            hasher.combine(second)
            hasher.combine(third)
            hasher.combine(fourth)
            hash = UInt64(truncatingIfNeeded: hasher.finalize())
            let folded = first ^ second ^ third ^ fourth
            rest = UInt32(truncatingIfNeeded: folded ^ (folded >> 32))
        }

        fileprivate init() { (hash, rest) = (0, 0) }
    }

    /// Claims and their ends: a hash table of places of 16 bytes.
    ///
    /// It consists of pages of some hundred claims, each a table with open addressing. So no operation moves more than a
    /// page, however many claims there are, and what has ended is removed page by page. There is no clock. An end is a
    /// number of seconds, more than 0; at each operation those up to a given one, `over`, have ended.
    struct ClaimTable: Sendable {
        /// The maximum memory of a claim in bytes, in a table that is full: its place, at most a quarter as many free ones,
        /// what pages differ from each other, and their own memory.
        static let bytesOfClaim = 24
        /// The number of claims of a page where all are full, unless there would be more than ``mostPages``.
        private static let claimsOfPage = 512
        private static let mostPages = 65_536
        /// The time between two turns of the same page, in which it loses the claims that have ended, in seconds.
        private static let sweepInterval: Int64 = 60

        private let pageCount: Int
        /// Empty before the first claim.
        private var pages: [Page] = []
        /// The page whose turn is next; the number of pages until the turn of the first one.
        private var nextToSweep = 0
        /// The second in which the first page had its last turn.
        private var sweepBegan: Int64 = 0

        /// The number of claims, including those that have ended.
        private(set) var count = 0

        /// - Parameter capacity: The number of claims for which the table is made. There may be more.
        init(capacity: Int) {
            pageCount = min(max(1, capacity / Self.claimsOfPage), Self.mostPages)
        }

        /// The memory of the table in bytes, with the headers of the pages.
        var bytes: Int { pages.reduce(pages.count * MemoryLayout<Page>.stride) { $0 + $1.bytes } }

        /// Whether there is a claim that has not ended.
        func contains(_ id: ClaimID, over: UInt32) -> Bool {
            !pages.isEmpty && pages[number(of: id)].contains(id, over: over)
        }

        /// Makes a claim unless there is one with this ID that has not ended.
        /// - Parameters:
        ///   - end: Its end, more than `over`.
        ///   - isFull: Whether only those are made that were there and have ended.
        mutating func claim(_ id: ClaimID, until end: UInt32, over: UInt32, isFull: Bool) -> SingleUseClaim {
            if pages.isEmpty {
                guard !isFull else { return .full }
                pages = Array(repeating: Page(), count: pageCount)
                nextToSweep = pageCount
            }
            let number = number(of: id)
            let before = pages[number].used
            let claim = pages[number].claim(id, until: end, over: over, isFull: isFull)
            count += pages[number].used - before
            return claim
        }

        /// Removes the claims of one page that have ended, if it is a page's turn: each has one a minute, or after as many
        /// calls as there are pages.
        mutating func sweep(over: UInt32, at second: Int64) {
            guard !pages.isEmpty else { return }
            if nextToSweep == pages.count {
                guard second - sweepBegan >= Self.sweepInterval else { return }
                (nextToSweep, sweepBegan) = (0, second)
            }
            let before = pages[nextToSweep].used
            pages[nextToSweep].sweep(over: over)
            count += pages[nextToSweep].used - before
            nextToSweep += 1
        }

        private func number(of id: ClaimID) -> Int {
            Int(UInt32(truncatingIfNeeded: id.hash).multipliedFullWidth(by: UInt32(pages.count)).high)
        }
    }

    /// A part of a ``ClaimTable``. At most seven eighths of the places are used, so that a search ends.
    private struct Page: Sendable {
        private struct Place: Sendable {
            var id = ClaimID()
            /// 0 for a free place.
            var end: UInt32 = 0
        }

        private var places: [Place] = []
        /// The number of places that are not free.
        private(set) var used = 0

        /// The memory of the places in bytes, with the header of the array and that of its allocation.
        var bytes: Int { places.isEmpty ? 0 : places.count * MemoryLayout<Place>.stride + 48 }

        func contains(_ id: ClaimID, over: UInt32) -> Bool {
            !places.isEmpty && places[search(id)].end > over
        }

        mutating func claim(_ id: ClaimID, until end: UInt32, over: UInt32, isFull: Bool) -> SingleUseClaim {
            if !places.isEmpty {
                let place = search(id)
                guard places[place].end <= over else { return .lost }
                if places[place].end != 0 {
                    places[place].end = end
                    return .won
                }
            }
            guard !isFull else { return .full }
            if (used + 1) * 8 > places.count * 7 { rebuild(over: over, adding: 1) }
            places[search(id)] = Place(id: id, end: end)
            used += 1
            return .won
        }

        mutating func sweep(over: UInt32) {
            guard used > 0, places.contains(where: { $0.end != 0 && $0.end <= over }) else { return }
            rebuild(over: over, adding: 0)
        }

        /// Removes what has ended, and makes room for some claims more, or gives back room that is not needed.
        private mutating func rebuild(over: UInt32, adding: Int) {
            let old = places
            let needed = old.reduce(adding) { $1.end > over ? $0 + 1 : $0 }
            let wanted = needed == 0 ? 0 : needed + needed / 4 + 4
            // The same number again spares the allocator pages of many sizes. A page that is larger would hold memory that is
            // lent to records, since a claim counts as `bytesOfClaim`.
            let isApt = old.count >= wanted && old.count <= wanted + wanted / 8
            places = Array(repeating: Place(), count: isApt ? old.count : wanted)
            used = 0
            for place in old where place.end > over {
                places[search(place.id)] = place
                used += 1
            }
        }

        /// The place of a claim, or the free one in which it would be.
        private func search(_ id: ClaimID) -> Int {
            var index = Int(id.hash.multipliedFullWidth(by: UInt64(places.count)).high)
            while places[index].end != 0, places[index].id != id {
                index += 1
                if index == places.count { index = 0 }
            }
            return index
        }
    }
}
