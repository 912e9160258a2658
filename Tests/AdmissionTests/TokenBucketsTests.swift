// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import Testing

@testable import Admission

/// The order in which buckets will be full.
struct TokenBucketsTests {
    @Test(arguments: [1, 2, 3] as [UInt64]) func `the order holds whatever happens`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var buckets = TokenBuckets<Int>()
        var expected: [Int: Int64] = [:]
        for step in 0..<3000 {
            if random.below(4) == 0 {
                // Of several that are full at the same time any may go.
                let before = buckets.fullestFullAt
                buckets.removeFullest()
                let removed = expected.filter { buckets[$0.key] == nil }
                #expect(removed.count == min(1, expected.count), "step \(step)")
                #expect(removed.values.first == before, "step \(step)")
                for key in removed.keys { expected[key] = nil }
            } else {
                let key = random.below(60)
                let fullAt = Int64(random.below(1000))
                if let position = buckets.position(of: key) {
                    #expect(buckets.fullAt(at: position) == expected[key], "step \(step)")
                    buckets.change(at: position, fullAt: fullAt)
                } else {
                    buckets.add(key, fullAt: fullAt)
                }
                expected[key] = fullAt
            }
            #expect(buckets.count == expected.count, "step \(step)")
            #expect(buckets.fullestFullAt == expected.values.min(), "step \(step)")
        }
        for (key, fullAt) in expected { #expect(buckets[key] == fullAt) }
    }

    @Test func `there is nothing to remove from none`() {
        var buckets = TokenBuckets<Int>()
        buckets.removeFullest()
        #expect(buckets.count == 0)
        #expect(buckets.fullestFullAt == nil)
        #expect(buckets.position(of: 1) == nil)
    }
}
