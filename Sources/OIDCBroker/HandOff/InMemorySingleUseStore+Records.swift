// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries with a value: hand-off records, bounded by their number and their bytes, in all, of one person, and of one
    /// provider; see ``Shares``.
    ///
    /// One ends when either clock says so: a credential never lives longer than it was meant to, and its owner loses no
    /// more than a sign-in. What ended takes no room from its last second of elapsed time on. No lock, no clock.
    struct Records: Sendable {
        private struct Record: Sendable {
            let value: [UInt8]
            /// Seconds since 1970.
            let expiry: Int64
            /// Seconds of elapsed time.
            let end: Int64
            /// The person, and the app.
            let owner: SingleUseOwner?
            /// The provider's number among ``Shares``.
            let share: UInt32
            /// Where its key is among those that end in the same second.
            var place: Int
        }

        /// What one person's records take, at one app or at all.
        private struct Use: Sendable {
            var count: UInt32 = 0
            var bytes: UInt32 = 0

            /// Whether one more fits into limits that are so many times those of one app.
            func hasRoom(for size: Int, scale: Int) -> Bool {
                count < scale * Records.ownerLimit && Int(bytes) + size <= scale * Records.ownerBytes
            }

            func adding(_ size: Int) -> Use { Use(count: count + 1, bytes: bytes + UInt32(clamping: size)) }

            /// `nil` if it was the last.
            func removing(_ size: Int) -> Use? {
                count > 1 ? Use(count: count - 1, bytes: bytes - UInt32(clamping: size)) : nil
            }
        }

        /// A person at an app.
        private struct Place: Hashable, Sendable {
            let person: SingleUseKey
            let app: SingleUseKey?
        }

        /// What a record takes beside its value, bytes: its places in tables that are 3/8 full at worst, and the array's
        /// head.
        static let overhead = 512
        /// The longest value, bytes.
        static let longestValue = 65_536
        /// How many records of one person at one app may be there.
        static let ownerLimit = 32
        /// How many bytes they may take.
        static let ownerBytes = 262_144
        /// At all apps together a person may have so many times as much.
        static let appsOfOwner = 4

        private let capacity: Int
        private let maximumBytes: Int
        private var records: [SingleUseKey: Record] = [:]
        /// The keys by the second of elapsed time in which their records end: nothing is searched for what ended.
        private var keysByEnd: [Int64: [SingleUseKey]] = [:]
        private var usesByOwner: [SingleUseKey: Use] = [:]
        /// What of it is at which app, if there is one.
        private var usesByPlace: [Place: Use] = [:]
        private var shares: Shares
        private var endedThrough: Int64?
        /// What the records take, bytes.
        private(set) var bytes = 0

        /// - Parameters:
        ///   - capacity: how many records there may be.
        ///   - maximumBytes: how many bytes they may take.
        init(capacity: Int, maximumBytes: Int) {
            self.capacity = capacity
            self.maximumBytes = maximumBytes
            shares = Shares(capacity: capacity, maximumBytes: maximumBytes)
        }

        /// How many records there are.
        var count: Int { records.count }
        /// How many persons, and how many providers, have one.
        var ownerCounts: (persons: Int, providers: Int) { (usesByOwner.count, shares.count) }
        /// How many pairs of a person and an app have one.
        var placeCount: Int { usesByPlace.count }

        /// Drops what ended.
        mutating func advance(to now: Moment) {
            guard let from = endedThrough else {
                endedThrough = now.elapsed
                return
            }
            guard now.elapsed > from else { return }
            endedThrough = now.elapsed
            guard !keysByEnd.isEmpty else { return }
            // A second at a time while requests go on; after a pause there are fewer seconds with records than without.
            if now.elapsed - from <= Int64(keysByEnd.count) {
                for second in (from + 1)...now.elapsed { drop(second) }
            } else {
                for second in keysByEnd.keys.filter({ $0 <= now.elapsed }) { drop(second) }
            }
        }

        /// Whether a record of that key is there and has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !records.isEmpty, let record = records[key] else { return false }
            return isLive(record, now)
        }

        /// Inserts a record unless one of that key is there and has not ended.
        /// - Parameters:
        ///   - owner: whose record it is; nil counts for nobody.
        ///   - lifetime: seconds, more than 0.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, lifetime: Int64, _ now: Moment
        ) -> SingleUseInsertion {
            if contains(key, now) { return .present }
            _ = remove(key)
            guard value.count <= Self.longestValue else { return .full }
            let size = value.count + Self.overhead
            guard hasRoom(for: owner, size) else { return .tooManyOfOwner }
            guard shares.hasRoom(for: owner?.provider, bytes: size) else { return .tooManyOfProvider }
            guard records.count < capacity, size <= maximumBytes - bytes else {
                return .full
            }
            let (sum, overflows) = now.elapsed.addingReportingOverflow(lifetime)
            let end = overflows ? .max : sum
            let place = keysByEnd[end]?.count ?? 0
            keysByEnd[end, default: []].append(key)
            records[key] = Record(
                value: value, expiry: expiry, end: end, owner: owner,
                share: shares.add(owner?.provider, bytes: size), place: place)
            if let owner {
                usesByOwner[owner.person] = (usesByOwner[owner.person] ?? Use()).adding(size)
                if owner.app != nil {
                    let place = Place(person: owner.person, app: owner.app)
                    usesByPlace[place] = (usesByPlace[place] ?? Use()).adding(size)
                }
            }
            bytes += size
            return .inserted
        }

        /// Removes the record of a key; gives its value where it has not ended.
        mutating func take(_ key: SingleUseKey, _ now: Moment) -> [UInt8]? {
            guard let record = remove(key), isLive(record, now) else { return nil }
            return record.value
        }

        private func isLive(_ record: Record, _ now: Moment) -> Bool {
            record.expiry > now.wall && record.end > now.elapsed
        }

        private mutating func drop(_ second: Int64) {
            for key in keysByEnd.removeValue(forKey: second) ?? [] { forget(key) }
        }

        /// Removes a record and its key from those of its second: the last one there takes its place.
        private mutating func remove(_ key: SingleUseKey) -> Record? {
            guard !records.isEmpty, let record = forget(key) else { return nil }
            guard var keys = keysByEnd.removeValue(forKey: record.end), let last = keys.popLast() else { return record }
            if record.place < keys.count {
                keys[record.place] = last
                records[last]?.place = record.place
            }
            if !keys.isEmpty { keysByEnd[record.end] = keys }
            return record
        }

        @discardableResult
        private mutating func forget(_ key: SingleUseKey) -> Record? {
            guard let record = records.removeValue(forKey: key) else { return nil }
            let size = record.value.count + Self.overhead
            bytes -= size
            shares.remove(record.share, bytes: size)
            if let owner = record.owner {
                usesByOwner[owner.person] = usesByOwner[owner.person]?.removing(size)
                if owner.app != nil {
                    let place = Place(person: owner.person, app: owner.app)
                    usesByPlace[place] = usesByPlace[place]?.removing(size)
                }
            }
            return record
        }

        /// Whether a person may have one more. Without an app the limits of one app are all that the person has.
        private func hasRoom(for owner: SingleUseOwner?, _ size: Int) -> Bool {
            guard let owner, let use = usesByOwner[owner.person] else { return size <= Self.ownerBytes }
            guard owner.app != nil else { return use.hasRoom(for: size, scale: 1) }
            let here = usesByPlace[Place(person: owner.person, app: owner.app)] ?? Use()
            return here.hasRoom(for: size, scale: 1) && use.hasRoom(for: size, scale: Self.appsOfOwner)
        }
    }
}
