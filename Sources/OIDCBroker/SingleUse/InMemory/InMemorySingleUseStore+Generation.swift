// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Marks of claimed keys that are dropped together. A mark takes 20 bytes of a table.
    ///
    /// A mark ends in elapsed time. The wall clock is stored only once for the generation, by its lead over elapsed
    /// time, so that a mark needs no second time. See ``Moment/isOver(end:lead:)``.
    struct Generation: Sendable {
        /// The marks and their ends, in seconds of elapsed time after ``epoch``.
        private var marks: [Mark: UInt32] = [:]
        /// The reference of the marks' ends, in seconds of elapsed time.
        private let epoch: Int64
        /// The end of the mark that ends last, in seconds of elapsed time.
        private(set) var latestEnd: Int64
        /// The largest lead of the wall clock over elapsed time when a mark was made, in seconds.
        private(set) var lead: Int64

        /// Creates an empty generation that begins now.
        init(_ now: Moment) {
            (epoch, latestEnd, lead) = (now.elapsed, now.elapsed, now.lead)
        }

        /// The number of marks, including those that have ended.
        var count: Int { marks.count }

        /// Whether all marks have ended.
        func isOver(_ now: Moment) -> Bool { now.isOver(end: latestEnd, lead: lead) }

        /// Whether there is a mark of this key, even if it has ended.
        func holds(_ key: SingleUseKey) -> Bool { marks[Mark(key)] != nil }

        /// Whether there is a mark of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !marks.isEmpty, let offset = marks[Mark(key)] else { return false }
            return isLive(offset, now)
        }

        /// Makes a mark unless there is one of this key that has not ended.
        /// - Parameter lifetime: The lifetime, in seconds.
        /// - Returns: Whether the mark was made.
        mutating func claim(_ key: SingleUseKey, lifetime: Int64, _ now: Moment) -> Bool {
            let (end, overflows) = now.elapsed.addingReportingOverflow(lifetime)
            let offset = UInt32(clamping: (overflows ? .max : end).subtractingReportingOverflow(epoch).partialValue)
            // One search instead of two, because a table of a million entries does not fit in any cache.
            if let known = marks.updateValue(offset, forKey: Mark(key)), isLive(known, now) {
                marks[Mark(key)] = known
                return false
            }
            latestEnd = max(latestEnd, epoch + Int64(offset))
            lead = max(lead, now.lead)
            return true
        }

        private func isLive(_ offset: UInt32, _ now: Moment) -> Bool {
            !now.isOver(end: epoch + Int64(offset), lead: lead)
        }
    }

    /// The key of a mark: 128 bits that depend on all 256 bits of the original. Keys are hashes, so two marks are
    /// expected to collide only among 2^64, and then the second would be refused.
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
