// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Entries that are dropped together.
    ///
    /// Nearly all that lives long is a mark: a key without a value, of a login that returned. A mark takes 20 bytes of a
    /// table here, an entry with its whole key and a value 48.
    struct Generation: Sendable {
        private struct Record: Sendable {
            var value: [UInt8]
            var expiry: Int64
        }

        /// Keys of entries without a value, and when they expire: seconds after ``epoch``.
        private var marks: [Mark: UInt32] = [:]
        private var records: [SingleUseKey: Record] = [:]
        /// What the marks' expiries are counted from, seconds since 1970.
        private var epoch: Int64 = 0
        /// The latest expiry of all entries, seconds since 1970.
        private(set) var latestExpiry: Int64 = 0

        /// How many entries there are, expired ones among them.
        var count: Int { marks.count + records.count }

        var isEmpty: Bool { marks.isEmpty && records.isEmpty }

        /// Whether an entry of that key is there, expired or not.
        func holds(_ key: SingleUseKey) -> Bool {
            marks[Mark(key)] != nil || records[key] != nil
        }

        /// Whether an entry of that key is there and not expired.
        func contains(_ key: SingleUseKey, now: Int64) -> Bool {
            hasMark(key, now: now) || hasRecord(key, now: now)
        }

        /// Inserts an entry unless one of that key is there and not expired.
        /// - Returns: whether it was inserted.
        mutating func insertIfAbsent(_ key: SingleUseKey, value: [UInt8], expiry: Int64, now: Int64) -> Bool {
            if marks.isEmpty { epoch = now }
            // An expiry before the epoch, by a clock that was set back, or 136 years behind it is kept as it is.
            guard value.isEmpty, let offset = offset(of: expiry) else {
                return insertRecord(key, Record(value: value, expiry: expiry), now)
            }
            if hasRecord(key, now: now) { return false }
            // One search instead of two: a table of a million entries is in no cache.
            if let known = marks.updateValue(offset, forKey: Mark(key)), epoch + Int64(known) > now {
                marks[Mark(key)] = known
                return false
            }
            latestExpiry = max(latestExpiry, expiry)
            return true
        }

        private func offset(of expiry: Int64) -> UInt32? {
            let (distance, overflows) = expiry.subtractingReportingOverflow(epoch)
            return overflows ? nil : UInt32(exactly: distance)
        }

        private mutating func insertRecord(_ key: SingleUseKey, _ record: Record, _ now: Int64) -> Bool {
            if hasMark(key, now: now) { return false }
            if let known = records.updateValue(record, forKey: key), known.expiry > now {
                records[key] = known
                return false
            }
            latestExpiry = max(latestExpiry, record.expiry)
            return true
        }

        /// Removes what is there of a key; gives the value of the entry that is not expired.
        mutating func take(_ key: SingleUseKey, now: Int64) -> [UInt8]? {
            // Both: behind one that expired the other may have been inserted.
            let mark = marks.isEmpty ? nil : marks.removeValue(forKey: Mark(key))
            let record = records.isEmpty ? nil : records.removeValue(forKey: key)
            if let record, record.expiry > now { return record.value }
            if let mark, epoch + Int64(mark) > now { return [] }
            return nil
        }

        private func hasMark(_ key: SingleUseKey, now: Int64) -> Bool {
            guard !marks.isEmpty, let offset = marks[Mark(key)] else { return false }
            return epoch + Int64(offset) > now
        }

        private func hasRecord(_ key: SingleUseKey, now: Int64) -> Bool {
            guard !records.isEmpty, let record = records[key] else { return false }
            return record.expiry > now
        }
    }

    /// A key as a mark knows it: 128 bits, made of all 256. A key is a hash, so two marks are alike once there are 2^64 of
    /// them; the second would be refused then.
    private struct Mark: Sendable, Hashable {
        let words: (UInt64, UInt64)

        init(_ key: SingleUseKey) {
            words = (key.words.0 ^ key.words.2, key.words.1 ^ key.words.3)
        }

        static func == (left: Mark, right: Mark) -> Bool {
            left.words == right.words
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
        }
    }
}
