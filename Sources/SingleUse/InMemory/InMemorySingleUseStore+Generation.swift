// SPDX-License-Identifier: Apache-2.0

extension InMemorySingleUseStore {
    /// Claims that are dropped together. A claim takes 20 bytes of a table.
    ///
    /// A claim ends in elapsed time. The wall clock is stored only once for the generation, by its lead over elapsed
    /// time, so that a claim needs no second time. See ``Moment/isOver(end:lead:)``.
    struct Generation: Sendable {
        /// The claims and their ends, in seconds of elapsed time after ``epoch``.
        private var claims: [Claim: UInt32] = [:]
        /// The reference of the claims' ends, in seconds of elapsed time.
        private let epoch: Int64
        /// The end of the claim that ends last, in seconds of elapsed time.
        private(set) var latestEnd: Int64
        /// The largest lead of the wall clock over elapsed time when a claim was made, in seconds.
        private(set) var lead: Int64

        /// Creates an empty generation that begins now.
        init(_ now: Moment) {
            (epoch, latestEnd, lead) = (now.elapsed, now.elapsed, now.lead)
        }

        /// The number of claims, including those that have ended.
        var count: Int { claims.count }

        /// Whether all claims have ended.
        func isOver(_ now: Moment) -> Bool { now.isOver(end: latestEnd, lead: lead) }

        /// Whether there is a claim of this key, even if it has ended.
        func holds(_ key: SingleUseKey) -> Bool { claims[Claim(key)] != nil }

        /// Whether there is a claim of this key that has not ended.
        func contains(_ key: SingleUseKey, _ now: Moment) -> Bool {
            guard !claims.isEmpty, let offset = claims[Claim(key)] else { return false }
            return isLive(offset, now)
        }

        /// Makes a claim unless there is one of this key that has not ended.
        /// - Parameter lifetime: The lifetime, in seconds.
        /// - Returns: Whether the claim was made.
        mutating func claim(_ key: SingleUseKey, lifetime: Int64, _ now: Moment) -> Bool {
            let (end, overflows) = now.elapsed.addingReportingOverflow(lifetime)
            let offset = UInt32(clamping: (overflows ? .max : end).subtractingReportingOverflow(epoch).partialValue)
            // One search instead of two, because a table of a million entries does not fit in any cache.
            if let known = claims.updateValue(offset, forKey: Claim(key)), isLive(known, now) {
                claims[Claim(key)] = known
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

    /// The key of a claim: 128 bits that depend on all 256 bits of the original. Keys are hashes, so two claims are
    /// expected to collide only among 2^64, and then the second would be refused.
    private struct Claim: Sendable, Hashable {
        let words: (UInt64, UInt64)

        init(_ key: SingleUseKey) {
            words = (key.words.0 ^ key.words.2, key.words.1 ^ key.words.3)
        }

        static func == (left: Claim, right: Claim) -> Bool {
            left.words == right.words
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
        }
    }
}
