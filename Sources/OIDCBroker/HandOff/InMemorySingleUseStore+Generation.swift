// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Marks that are dropped together: keys without a value, of logins that returned. A mark takes 20 bytes of a table.
    ///
    /// A mark ends in elapsed time; the wall clock is known to the generation as a whole, by its lead over elapsed time,
    /// so that a mark needs no second time. See ``Moment/isOver(end:lead:)``.
    struct Generation: Sendable {
        /// The marks, and when their lifetimes end: seconds of elapsed time after ``epoch``.
        private var marks: [Mark: UInt32] = [:]
        /// What the marks' ends are counted from, seconds of elapsed time.
        private let epoch: Int64
        /// When the lifetime of the last one ends, seconds of elapsed time.
        private(set) var latestEnd: Int64
        /// The most that the wall clock was ahead of elapsed time when a mark was made.
        private(set) var lead: Int64

        /// An empty generation, which begins at that moment.
        init(_ now: Moment) {
            (epoch, latestEnd, lead) = (now.elapsed, now.elapsed, now.lead)
        }

        /// How many marks there are, those that are over among them.
        var count: Int { marks.count }

        /// Whether all of its marks are over.
        func isOver(_ now: Moment) -> Bool { now.isOver(end: latestEnd, lead: lead) }

        /// Whether a mark of that key is there, over or not.
        func holds(_ key: SingleUseKey) -> Bool { marks[Mark(key)] != nil }

        /// Whether a mark of that key is there and not over.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !marks.isEmpty, let offset = marks[Mark(key)] else { return false }
            return isLive(offset, now)
        }

        /// Makes a mark unless one of that key is there and not over.
        /// - Parameter lifetime: seconds.
        /// - Returns: whether it was made.
        mutating func insertIfAbsent(_ key: SingleUseKey, lifetime: Int64, _ now: Moment) -> Bool {
            let (end, overflows) = now.elapsed.addingReportingOverflow(lifetime)
            let offset = UInt32(clamping: (overflows ? .max : end).subtractingReportingOverflow(epoch).partialValue)
            // One search instead of two: a table of a million entries is in no cache.
            if let known = marks.updateValue(offset, forKey: Mark(key)), isLive(known, now) {
                marks[Mark(key)] = known
                return false
            }
            latestEnd = max(latestEnd, epoch + Int64(offset))
            lead = max(lead, now.lead)
            return true
        }

        /// Removes the mark of a key.
        /// - Returns: whether it was there and not over.
        mutating func take(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !marks.isEmpty, let offset = marks.removeValue(forKey: Mark(key)) else { return false }
            return isLive(offset, now)
        }

        private func isLive(_ offset: UInt32, _ now: Moment) -> Bool {
            !now.isOver(end: epoch + Int64(offset), lead: lead)
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
