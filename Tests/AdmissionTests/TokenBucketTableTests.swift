// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// How often something may happen, and how much is remembered of it.
struct TokenBucketTableTests {
    private typealias Table = TokenBucketTable<Int>

    private func rate(_ perSecond: Int, burst: Int) throws -> TokenBucketRate {
        try #require(TokenBucketRate(perSecond: perSecond, burst: burst))
    }

    /// The number of tokens that are there.
    private func takeAll(_ table: inout Table, of key: Int = 1, _ rate: TokenBucketRate, now: Int64) -> Int {
        var count = 0
        while table.take(key, at: rate, now: now) == nil { count += 1 }
        return count
    }

    // MARK: Rates

    @Test(
        arguments: [
            (20, 200), (5, 50), (1, 1), (1, 10), (3, 7), (1_000, 10_000), (7, 7),
        ])
    func `a full bucket holds the burst, and each second brings the rate`(perSecond: Int, burst: Int) throws {
        let rate = try rate(perSecond, burst: burst)
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, rate, now: 100) == burst)
        #expect(takeAll(&table, rate, now: 100) == 0)
        // The interval in which a token comes is rounded down to whole microseconds, so a token may be there earlier.
        for second in 1...Int64(3) {
            let count = takeAll(&table, rate, now: 100 + second)
            #expect(abs(count - min(perSecond, burst)) <= 1, "\(count) at \(second)")
        }
        #expect(takeAll(&table, rate, now: 100_000) == burst)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a rate of 0 is no limit`(perSecond: Int) {
        #expect(TokenBucketRate(perSecond: perSecond, burst: 10) == nil)
    }

    @Test(arguments: [(20, 5), (20, 0), (20, -1), (20, Int.min)])
    func `a burst below the rate counts as the rate`(perSecond: Int, burst: Int) throws {
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, try rate(perSecond, burst: burst), now: 0) == perSecond)
    }

    @Test func `numbers beyond the bounds count as the bounds`() throws {
        let beyond = try rate(.max, burst: .max)
        let bound = try rate(1_000_000, burst: 10_000_000)
        #expect(beyond == bound)
        #expect(TokenBucketRate(perMinute: 0) == TokenBucketRate(perMinute: 1))
        #expect(TokenBucketRate(perMinute: .max) == TokenBucketRate(perMinute: 60_000_000))
    }

    @Test(
        arguments: [
            (1, 1, 1), (1, 10, 1), (20, 200, 1), (1_000, 1_000, 1),
        ])
    func `a wait is in whole seconds, at least one, and behind it there is a token`(
        perSecond: Int, burst: Int, expected: Int64
    ) throws {
        let rate = try rate(perSecond, burst: burst)
        var table = Table(maximumCount: 10)
        _ = takeAll(&table, rate, now: 7)
        let found = table.take(1, at: rate, now: 7)
        let wait = try #require(found)
        #expect(wait == expected)
        #expect(table.wait(for: 1, at: rate, now: 7) == wait)
        #expect(table.wait(for: 1, at: rate, now: 7 + wait) == nil)
        #expect(table.take(1, at: rate, now: 7 + wait) == nil)
    }

    @Test func `a token a minute is waited for as long as it takes`() {
        let rate = TokenBucketRate(perMinute: 1)
        var table = Table(maximumCount: 10)
        #expect(table.take(1, at: rate, now: 0) == nil)
        #expect(table.take(1, at: rate, now: 0) == 60)
        #expect(table.take(1, at: rate, now: 59) == 1)
        #expect(table.wait(for: 1, at: rate, now: 60) == nil)
        #expect(table.take(1, at: rate, now: 60) == nil)
    }

    @Test func `to ask is not to take, and to be refused costs nothing`() throws {
        let rate = try rate(1, burst: 3)
        var table = Table(maximumCount: 10)
        for _ in 0..<100 { #expect(table.wait(for: 1, at: rate, now: 5) == nil) }
        #expect(table.count == 0)
        #expect(takeAll(&table, rate, now: 5) == 3)
        // An empty bucket does not become emptier, or a burst of requests would keep a client out for long.
        for _ in 0..<1000 { #expect(table.take(1, at: rate, now: 5) == 1) }
        #expect(takeAll(&table, rate, now: 8) == 3)
    }

    @Test(arguments: [1, 60, 600, 86_400] as [Int64]) func `a bucket of one token has it again when its time is over`(
        seconds: Int64
    ) {
        let rate = TokenBucketRate(onceIn: seconds)
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, rate, now: 100) == 1)
        #expect(table.take(1, at: rate, now: 100) == seconds)
        #expect(table.take(1, at: rate, now: 99 + seconds) == 1)
        #expect(takeAll(&table, rate, now: 100 + seconds) == 1)
    }

    @Test func `a bucket of one token has it in a second at least, and in a day at most`() {
        #expect(TokenBucketRate(onceIn: .min) == TokenBucketRate(onceIn: 1))
        #expect(TokenBucketRate(onceIn: .max) == TokenBucketRate(onceIn: 86_400))
    }

    // MARK: Giving back

    @Test(
        arguments: [
            // The tokens taken, those given back, the seconds between, and those that are there then.
            (3, 1, 0, 1), (3, 2, 0, 2), (3, 3, 0, 3), (2, 2, 0, 3), (3, 9, 0, 3), (3, 1, 1, 2), (3, 3, 1, 3),
            (1, 1, 1, 3), (3, 1, 100, 3),
        ])
    func `a token that is given back is there again, and never more of them than the burst`(
        taken: Int, given: Int, seconds: Int64, expected: Int
    ) throws {
        let rate = try rate(1, burst: 3)
        var table = Table(maximumCount: 10)
        for _ in 0..<taken { #expect(table.take(1, at: rate, now: 50) == nil) }
        for _ in 0..<given { table.giveBack(1, at: rate, now: 50 + seconds) }
        #expect(takeAll(&table, rate, now: 50 + seconds) == expected)
    }

    @Test func `what is taken and given back leaves nothing behind, and holds no client up`() throws {
        let rate = try rate(1, burst: 3)
        var table = Table(maximumCount: 100)
        for key in 0..<1000 {
            for _ in 0..<2 { #expect(table.take(key, at: rate, now: 5) == nil) }
            for _ in 0..<2 { table.giveBack(key, at: rate, now: 5) }
        }
        #expect(table.count == 0)
    }

    @Test func `to give back to an absent bucket changes nothing`() throws {
        let rate = try rate(1, burst: 3)
        var table = Table(maximumCount: 10)
        table.giveBack(1, at: rate, now: 5)
        #expect(table.count == 0)
        #expect(takeAll(&table, rate, now: 5) == 3)
        // Others neither get it nor lose anything.
        table.giveBack(2, at: rate, now: 5)
        #expect(table.count == 1)
        #expect(table.take(1, at: rate, now: 5) == 1)
    }

    @Test func `as many as the burst are under way at once, and one more when one of them has ended`() throws {
        let rate = try rate(1, burst: 3)
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, rate, now: 5) == 3)
        for _ in 0..<100 {
            #expect(table.take(1, at: rate, now: 5) == 1)
            table.giveBack(1, at: rate, now: 5)
            #expect(table.take(1, at: rate, now: 5) == nil)
        }
    }

    @Test(arguments: [-1, -3600, -1_000_000_000, Int64.min] as [Int64])
    func `after a clock that was set back, to give back makes a bucket full at most`(change: Int64) throws {
        let rate = try rate(2, burst: 10)
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, rate, now: 1_000_000) == 10)
        let now = 1_000_000 &+ change
        for _ in 0..<20 { table.giveBack(1, at: rate, now: now) }
        #expect(takeAll(&table, rate, now: now) == 10)
    }

    @Test func `each key has tokens of its own`() throws {
        let rate = try rate(1, burst: 4)
        var table = Table(maximumCount: 10)
        for key in 1...5 { #expect(takeAll(&table, of: key, rate, now: 0) == 4) }
        for key in 1...5 { #expect(table.take(key, at: rate, now: 0) == 1) }
    }

    // MARK: Clocks and changes

    @Test(arguments: [(-1, 7), (-3600, 10), (-1_000_000_000, 10), (Int64.min, 10)] as [(Int64, Int)])
    func `after a clock that was set back a bucket is full at most, and never waited for`(
        change: Int64, expected: Int
    ) throws {
        let rate = try rate(2, burst: 10)
        var table = Table(maximumCount: 10)
        #expect(table.take(1, at: rate, now: 1_000_000) == nil)
        let now = 1_000_000 &+ change
        #expect(table.wait(for: 1, at: rate, now: now) == nil)
        #expect(takeAll(&table, rate, now: now) == expected)
        #expect(table.take(1, at: rate, now: now) == 1)
    }

    @Test func `no time and no number traps`() throws {
        let rates = [
            try rate(.max, burst: .max), try rate(1, burst: .max), TokenBucketRate(perMinute: 1),
            TokenBucketRate(onceIn: .max),
        ]
        for rate in rates {
            var table = Table(maximumCount: 2)
            for now in [Int64.min, -1, 0, 1, .max, .min, .max, 0] {
                for key in 0..<4 {
                    _ = table.take(key, at: rate, now: now)
                    table.giveBack(key, at: rate, now: now)
                    _ = table.take(key, at: rate, now: now)
                    _ = table.wait(for: key, at: rate, now: now)
                }
                table.forgetFull(now: now)
            }
            #expect(table.count <= 2)
        }
    }

    @Test func `where the limit was changed, an empty bucket may be a full one, and the new limit holds`() throws {
        var table = Table(maximumCount: 10)
        #expect(takeAll(&table, try rate(1, burst: 1000), now: 0) == 1000)
        let smaller = try rate(10, burst: 10)
        #expect(takeAll(&table, smaller, now: 0) == 10)
        #expect(table.take(1, at: smaller, now: 0) == 1)
    }

    // MARK: Memory

    @Test func `100,001 keys take the place of 100,000, and none is refused for it`() throws {
        let bound = Table.usualMaximumCount
        #expect(bound == 100_000)
        let rate = try rate(5, burst: 50)
        var table = Table(maximumCount: bound)
        #expect(takeAll(&table, of: 0, rate, now: 1000) == 50)
        var refused = 0
        for key in 1...bound where table.take(key, at: rate, now: 1000) != nil { refused += 1 }
        #expect(refused == 0)
        #expect(table.count == bound)
        // Who used up everything is not forgotten for those who come once.
        #expect(table.take(0, at: rate, now: 1000) == 1)
    }

    @Test func `full buckets are forgotten, two with each operation`() throws {
        let rate = try rate(1, burst: 10)
        var table = Table(maximumCount: 100)
        for key in 0..<50 { _ = table.take(key, at: rate, now: 0) }
        _ = takeAll(&table, of: 1000, rate, now: 0)
        #expect(table.count == 51)
        for step in 1...25 {
            table.forgetFull(now: 1)
            #expect(table.count == 51 - 2 * step)
        }
        #expect(table.holds(1000))
        table.forgetFull(now: 9)
        #expect(table.holds(1000))
        table.forgetFull(now: 10)
        #expect(table.count == 0)
    }

    @Test func `at the maximum the fullest is forgotten`() throws {
        let rate = try rate(1, burst: 10)
        var table = Table(maximumCount: 3)
        for key in 1...3 { for _ in 0..<(key * 2) { _ = table.take(key, at: rate, now: 0) } }
        _ = table.take(4, at: rate, now: 0)
        #expect([1, 2, 3, 4].map { table.holds($0) } == [false, true, true, true])
        // The newcomer is the fullest itself.
        _ = table.take(5, at: rate, now: 0)
        #expect([2, 3, 4, 5].map { table.holds($0) } == [true, true, false, true])
        #expect(Table(maximumCount: 0).count == 0)
    }
}
