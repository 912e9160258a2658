// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// The table of rates.
struct RateLimitTests {
    @Test(arguments: RateLimit.allCases) func `each limit has a row in plain words`(limit: RateLimit) {
        let row = limit.row
        for text in [row.counts, row.scope.rawValue, row.excess] {
            #expect(!text.isEmpty && !text.contains("|") && !text.contains("\n"))
        }
        #expect(RateLimit.markdown.contains("| \(row.counts) | \(row.scope.rawValue) |"))
    }

    @Test(arguments: RateLimit.allCases) func `whatever counts costs one token`(limit: RateLimit) {
        let rates = Rates()
        let (client, rate) = (IPAddress("2001:db8::1"), TokenBucketRate(perSecond: 1, burst: 5))
        rates.replace(limit, by: rate)
        for left in [4, 3, 2, 1, 0] {
            #expect(rates.take(limit, for: client, now: 0) == nil && rates.take(limit, for: .everybody, now: 0) == nil)
            #expect((rates.wait(limit, for: client, now: 0) == nil) == (left > 0))
            #expect((rates.wait(limit, for: .everybody, now: 0) == nil) == (left > 0))
        }
    }

    @Test(arguments: RateLimit.allCases) func `a rate is declared, or set by its owner`(limit: RateLimit) {
        let rates = Rates()
        let isSet = if case .set = limit.row.rate { true } else { false }
        var count = 0
        while count < 1000, rates.take(limit, for: .everybody, now: 0) == nil { count += 1 }
        #expect((count == 1000) == isSet)
        rates.replace(limit, by: TokenBucketRate(perSecond: 1, burst: 3))
        let client = IPAddress("192.0.2.1")
        count = 0
        while count < 1000, rates.take(limit, for: client, now: 0) == nil { count += 1 }
        #expect(count == 3)
        #expect(rates.wait(limit, for: client, now: 0) == 1 && rates.take(limit, for: nil, now: 0) == nil)
        rates.giveBack(limit, for: client, now: 0)
        #expect(rates.take(limit, for: client, now: 0) == nil)
    }
}
