// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries with a value, such as hand-off records. Their number and size are bounded in total, for each user, and
    /// for each provider; see ``SingleUseRoom``.
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
            /// The number of the provider's share of the room.
            var share: UInt32
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

        /// A user, or a browser, at an app.
        private struct Place: Hashable, Sendable {
            let holder: SingleUseKey
            let app: SingleUseKey?

            /// - Returns: `nil` for a user without an app, which is counted as a whole.
            init?(_ owner: SingleUseOwner) {
                guard owner.app != nil || owner.browser != nil else { return nil }
                (holder, app) = (owner.browser ?? owner.person, owner.app)
            }
        }

        /// The memory of a record in addition to its value, in bytes: its places in tables that are at least 3/8 full,
        /// and the header of the array.
        static let overhead = 512
        /// The maximum number of records of one user at one app.
        static let ownerLimit = 32
        /// The maximum size of the records of one user at one app, in bytes.
        static let ownerBytes = 262_144
        /// The maximum number of records that wait in one browser for one app; a new one replaces the oldest. What a page
        /// makes a browser leave behind is no reason to refuse its user.
        static let browserLimit = 4
        /// The factor by which the limits of a user are larger at all apps together.
        static let appsOfOwner = 4

        private var records: [SingleUseKey: Record] = [:]
        /// The keys by the second of elapsed time in which their records end, so that nothing is searched for ended
        /// records.
        private var keysByEnd: [Int64: [SingleUseKey]] = [:]
        private var usesByOwner: [SingleUseKey: Use] = [:]
        /// The use of each user at each app, if the owner has an app and no browser.
        private var usesByPlace: [Place: Use] = [:]
        /// The keys of what waits in each browser for each app, oldest first.
        private var keysByBrowser: [Place: [SingleUseKey]] = [:]
        private var room: SingleUseRoom
        private var endedThrough: Int64?

        /// - Parameters:
        ///   - capacity: The maximum number of records.
        ///   - maximumBytes: The maximum memory of all records, in bytes.
        init(capacity: Int, maximumBytes: Int) {
            room = SingleUseRoom(capacity: capacity, maximumBytes: maximumBytes)
        }

        /// The number of records.
        var count: Int { records.count }
        /// The memory of all records, in bytes.
        var bytes: Int { room.bytes }
        /// The maximum memory of all records at the moment, in bytes. See ``SingleUseRoom/limit``.
        var limit: Int {
            get { room.limit }
            set { room.limit = newValue }
        }
        /// The part of the capacity that is used, in number or in bytes, whichever is more; 0 to 1.
        var fullness: Double { room.fullness }
        /// The numbers of users and of providers that have records.
        var ownerCounts: (persons: Int, providers: Int) { (usesByOwner.count, room.providerCount) }
        /// The number of pairs of a user or a browser and an app that have records.
        var placeCount: Int { usesByPlace.count + keysByBrowser.count }

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

        /// Returns the value of a record that has not ended; `nil` if there is none.
        func read(_ key: SingleUseKey, _ now: Moment) -> [UInt8]? {
            guard let record = records[key], isLive(record, now) else { return nil }
            return record.value
        }

        /// Stores a record in place of one that is there, which is kept if the new one is refused. One with a browser that
        /// would be refused takes the place of that browser's oldest ones at the app.
        /// - Parameters:
        ///   - owner: The owner of the record; `nil` if it counts for none.
        ///   - lifetime: The lifetime in seconds, more than 0.
        mutating func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Int64, _ now: Moment
        ) -> SingleUsePut {
            guard value.count <= SingleUseKey.longestValue else { return .full }
            // What is there makes room first, since it would otherwise count beside the new one.
            guard let known = records.isEmpty ? nil : remove(key) else {
                return add(key, value: value, owner: owner, lifetime: lifetime, now)
            }
            let put = add(key, value: value, owner: owner, lifetime: lifetime, now)
            if put != .stored { insert(key, known) }
            return put
        }

        /// Removes the record of a key if it has the given value.
        mutating func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) {
            if records[key]?.value == value { _ = remove(key) }
        }

        /// Removes the record of a key, if there is one.
        mutating func discard(_ key: SingleUseKey) { _ = remove(key) }

        private mutating func add(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Int64, _ now: Moment
        ) -> SingleUsePut {
            let size = value.count + Self.overhead
            var replaced: [(key: SingleUseKey, record: Record)] = []
            while let refusal = self.refusal(of: owner, size) {
                guard let oldest = self.oldest(in: owner), let record = remove(oldest) else {
                    for (key, record) in replaced { insert(key, record) }
                    return refusal
                }
                replaced.append((oldest, record))
            }
            insert(
                key,
                Record(
                    value: value, expiry: Moment.sum(now.wall, lifetime), end: Moment.sum(now.elapsed, lifetime),
                    owner: owner, share: SingleUseRoom.noShare, place: 0))
            return .stored
        }

        /// Inserts a record for which there is room, at a key that has none.
        private mutating func insert(_ key: SingleUseKey, _ record: Record) {
            let size = record.value.count + Self.overhead
            let owner = record.owner
            var record = record
            record.place = keysByEnd[record.end, default: []].appendReturningPosition(key)
            record.share = room.add(owner?.provider, bytes: size)
            records[key] = record
            if let owner {
                usesByOwner[owner.person, default: Use()].add(size)
                if let place = Place(owner) {
                    if owner.browser == nil {
                        usesByPlace[place, default: Use()].add(size)
                    } else {
                        keysByBrowser[place, default: []].append(key)
                    }
                }
            }
        }

        /// Removes the record of a key.
        /// - Returns: Its value, and the seconds that it would have lived; `nil` if it is absent or has ended.
        mutating func take(_ key: SingleUseKey, _ now: Moment) -> (value: [UInt8], remaining: Int64)? {
            guard let record = remove(key), isLive(record, now) else { return nil }
            return (record.value, record.end - now.elapsed)
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
            room.remove(record.share, bytes: size)
            if let owner = record.owner {
                usesByOwner[owner.person] = usesByOwner[owner.person]?.removing(size)
                if let place = Place(owner) {
                    if owner.browser == nil {
                        usesByPlace[place] = usesByPlace[place]?.removing(size)
                    } else {
                        let others = keysByBrowser.removeValue(forKey: place)?.filter { $0 != key } ?? []
                        if !others.isEmpty { keysByBrowser[place] = others }
                    }
                }
            }
            return record
        }

        /// The oldest record that waits in the owner's browser for its app; `nil` if there is none.
        private func oldest(in owner: SingleUseOwner?) -> SingleUseKey? {
            guard let owner, owner.browser != nil, let place = Place(owner) else { return nil }
            return keysByBrowser[place]?.first
        }

        private func refusal(of owner: SingleUseOwner?, _ size: Int) -> SingleUsePut? {
            guard hasRoom(for: owner, size) else { return .tooManyOfOwner }
            return room.refusal(for: owner?.provider, bytes: size).map { SingleUsePut(refused: $0) }
        }

        /// Whether a user may have another record. Without an app, the limits of one app apply to the user as a whole. What
        /// waits in a browser counts at the app for the browser, and at all apps for the user.
        private func hasRoom(for owner: SingleUseOwner?, _ size: Int) -> Bool {
            guard let owner else { return size <= Self.ownerBytes }
            let use = usesByOwner[owner.person] ?? Use()
            guard let place = Place(owner) else { return use.hasRoom(for: size, scale: 1) }
            guard use.hasRoom(for: size, scale: Self.appsOfOwner) else { return false }
            guard owner.browser == nil else { return keysByBrowser[place]?.count ?? 0 < Self.browserLimit }
            return (usesByPlace[place] ?? Use()).hasRoom(for: size, scale: 1)
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
