// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries with a value, which are hand-off records. Their number and size are bounded in total, for each user, and
    /// for each provider; see ``Shares``.
    ///
    /// A record ends by whichever clock is earlier: a credential never lives longer than intended, and its owner loses
    /// at most one sign-in. It uses no capacity after its end in elapsed time. There is no lock and no clock.
    struct Records: Sendable {
        private struct Record: Sendable {
            let value: [UInt8]
            /// Seconds since 1970.
            let expiry: Int64
            /// The end, in seconds of elapsed time.
            let end: Int64
            /// The user and the app.
            let owner: SingleUseOwner?
            /// The number of the provider among ``Shares``.
            let share: UInt32
            /// The position of its key among those that end in the same second.
            var place: Int
        }

        /// The capacity that the records of one user use, at one app or in total.
        private struct Use: Sendable {
            var count: UInt32 = 0
            var bytes: UInt32 = 0

            /// Whether another record fits within the limits of one app times the given factor.
            func hasRoom(for size: Int, scale: Int) -> Bool {
                count < scale * Records.ownerLimit && Int(bytes) + size <= scale * Records.ownerBytes
            }

            mutating func add(_ size: Int) {
                count += 1
                bytes += UInt32(clamping: size)
            }

            /// Returns the use without a record; `nil` if it was the last.
            func removing(_ size: Int) -> Use? {
                count > 1 ? Use(count: count - 1, bytes: bytes - UInt32(clamping: size)) : nil
            }
        }

        /// A user at an app.
        private struct Place: Hashable, Sendable {
            let person: SingleUseKey
            let app: SingleUseKey?
        }

        /// The memory of a record in addition to its value, in bytes: its places in tables that are at least 3/8 full,
        /// and the header of the array.
        static let overhead = 512
        /// The maximum length of a value, in bytes.
        static let longestValue = 65_536
        /// The maximum number of records of one user at one app.
        static let ownerLimit = 32
        /// The maximum size of the records of one user at one app, in bytes.
        static let ownerBytes = 262_144
        /// The factor by which the limits of a user are larger at all apps together.
        static let appsOfOwner = 4

        private let capacity: Int
        private let maximumBytes: Int
        private var records: [SingleUseKey: Record] = [:]
        /// The keys by the second of elapsed time in which their records end, so that nothing is searched for ended
        /// records.
        private var keysByEnd: [Int64: [SingleUseKey]] = [:]
        private var usesByOwner: [SingleUseKey: Use] = [:]
        /// The use of each user at each app, if the owner has an app.
        private var usesByPlace: [Place: Use] = [:]
        private var shares: Shares
        private var endedThrough: Int64?
        /// The memory of all records, in bytes.
        private(set) var bytes = 0

        /// - Parameters:
        ///   - capacity: The maximum number of records.
        ///   - maximumBytes: The maximum memory of all records, in bytes.
        init(capacity: Int, maximumBytes: Int) {
            self.capacity = capacity
            self.maximumBytes = maximumBytes
            shares = Shares(capacity: capacity, maximumBytes: maximumBytes)
        }

        /// The number of records.
        var count: Int { records.count }
        /// The part of the capacity that is used, in number or in bytes, whichever is more; 0 to 1.
        var fullness: Double {
            max(Double(records.count) / Double(max(1, capacity)), Double(bytes) / Double(max(1, maximumBytes)))
        }
        /// The numbers of users and of providers that have records.
        var ownerCounts: (persons: Int, providers: Int) { (usesByOwner.count, shares.count) }
        /// The number of pairs of a user and an app that have records.
        var placeCount: Int { usesByPlace.count }

        /// Drops the records that have ended.
        mutating func advance(to now: Moment) {
            guard let from = endedThrough else {
                endedThrough = now.elapsed
                return
            }
            guard now.elapsed > from else { return }
            endedThrough = now.elapsed
            guard !keysByEnd.isEmpty else { return }
            // Second by second while requests keep coming. After a pause, there are fewer seconds with records than
            // elapsed seconds.
            if now.elapsed - from <= Int64(keysByEnd.count) {
                for second in (from + 1)...now.elapsed { drop(second) }
            } else {
                for second in keysByEnd.keys.filter({ $0 <= now.elapsed }) { drop(second) }
            }
        }

        /// Whether there is a record of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !records.isEmpty, let record = records[key] else { return false }
            return isLive(record, now)
        }

        /// Returns the value of a record that has not ended; `nil` if there is none.
        func read(_ key: SingleUseKey, _ now: Moment) -> [UInt8]? {
            guard let record = records[key], isLive(record, now) else { return nil }
            return record.value
        }

        /// Inserts a record unless there is one of this key that has not ended.
        /// - Parameters:
        ///   - owner: The owner of the record; `nil` if it counts for none.
        ///   - lifetime: The lifetime in seconds, more than 0.
        mutating func insertIfAbsent(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, expiry: Int64, lifetime: Int64, _ now: Moment
        ) -> SingleUseInsertion {
            if let known = records[key] {
                guard !isLive(known, now) else { return .present }
                _ = remove(key)
            }
            guard value.count <= Self.longestValue else { return .full }
            let size = value.count + Self.overhead
            guard hasRoom(for: owner, size) else { return .tooManyOfOwner }
            guard shares.hasRoom(for: owner?.provider, bytes: size) else { return .tooManyOfProvider }
            guard records.count < capacity, size <= maximumBytes - bytes else {
                return .full
            }
            let (sum, overflows) = now.elapsed.addingReportingOverflow(lifetime)
            let end = overflows ? .max : sum
            let place = keysByEnd[end, default: []].appendReturningPosition(key)
            records[key] = Record(
                value: value, expiry: expiry, end: end, owner: owner,
                share: shares.add(owner?.provider, bytes: size), place: place)
            if let owner {
                usesByOwner[owner.person, default: Use()].add(size)
                if owner.app != nil {
                    let place = Place(person: owner.person, app: owner.app)
                    usesByPlace[place, default: Use()].add(size)
                }
            }
            bytes += size
            return .inserted
        }

        /// Removes the record of a key. Returns its value; `nil` if it is absent or has ended.
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

        /// Removes a record, and its key from those of its second, where the last key takes its place.
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

        /// Whether a user may have another record. Without an app, the limits of one app apply to the user as a whole.
        private func hasRoom(for owner: SingleUseOwner?, _ size: Int) -> Bool {
            guard let owner, let use = usesByOwner[owner.person] else { return size <= Self.ownerBytes }
            guard owner.app != nil else { return use.hasRoom(for: size, scale: 1) }
            let here = usesByPlace[Place(person: owner.person, app: owner.app)] ?? Use()
            return here.hasRoom(for: size, scale: 1) && use.hasRoom(for: size, scale: Self.appsOfOwner)
        }
    }
}

extension [SingleUseKey] {
    /// Appends a key, and returns its position.
    fileprivate mutating func appendReturningPosition(_ key: SingleUseKey) -> Int {
        append(key)
        return count - 1
    }
}
