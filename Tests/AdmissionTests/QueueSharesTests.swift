// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Admission

/// How many places of a queue a client gets that wants them all.
struct QueueSharesTests {
    @Test func `one holder gets a third of the places, and another one still finds one`() {
        var shares = QueueShares<Int>(maximum: 256)
        #expect(shares.takeAll(for: [1]) == 85)
        #expect(shares.take(for: [2]) == true)
        #expect(shares.take(for: [1]) == false)
    }

    @Test(arguments: [2, 4, 40, 200]) func `many who take turns never fill the queue`(count: Int) {
        var shares = QueueShares<Int>(maximum: 256)
        var taken = [Int](repeating: 0, count: count)
        for _ in 0..<256 {
            for holder in 0..<count where shares.take(for: [holder]) { taken[holder] += 1 }
        }
        #expect(taken.allSatisfy { $0 > 0 && $0 <= max(1, 256 / (count + 2)) + 1 }, "\(taken)")
        #expect(shares.take(for: [count]) == true)
    }

    @Test func `who counts for several holders gets what each of them may have`() {
        var shares = QueueShares<String>(maximum: 12)
        #expect(shares.takeAll(for: ["account", "network"]) == 4)
        #expect(shares.take(for: ["other account", "network"]) == false)
        #expect(shares.take(for: ["account", "other network"]) == false)
        #expect(shares.take(for: ["other account", "other network"]) == true)
    }

    @Test func `a place that counts for no client is one of all`() {
        var shares = QueueShares<Int>(maximum: 5)
        #expect(shares.takeAll(for: []) == 5)
        #expect(shares.take(for: [1]) == false)
    }

    @Test(arguments: [0, 1, 2]) func `a small queue gives as many places as it has`(maximum: Int) {
        var shares = QueueShares<Int>(maximum: maximum)
        for holder in 0..<maximum { #expect(shares.take(for: [holder]) == true) }
        #expect(shares.take(for: [maximum]) == false)
    }

    @Test func `a place that is given back is free for all, and nothing is remembered`() {
        var shares = QueueShares<Int>(maximum: 12)
        for _ in 0..<3 {
            #expect(shares.takeAll(for: [1, 2]) == 4)
            for _ in 0..<4 { shares.giveBack(of: [1, 2]) }
            #expect(shares.isEmpty)
        }
    }

    @Test func `what was refused took nothing`() {
        var shares = QueueShares<Int>(maximum: 12)
        #expect(shares.takeAll(for: [1]) == 4)
        for _ in 0..<20 { #expect(shares.take(for: [1, 2]) == false) }
        #expect(shares.takeAll(for: [2]) == 3)
    }

    @Test func `a fixed share does not depend on what is free`() {
        var shares = QueueShares<Int>(maximum: 8, share: 3)
        for holder in 0..<2 { #expect(shares.takeAll(for: [holder]) == 3) }
        #expect(shares.takeAll(for: [2]) == 2)
        #expect(shares.take(for: []) == false)
        shares.giveBack(of: [0])
        #expect(shares.take(for: [1]) == false)
        #expect(shares.takeAll(for: [0]) == 1)
    }

    @Test func `places of a queue are given back by what took them`() throws {
        let places = QueuePlaces<Int>(maximum: 1)
        for _ in 0..<3 {
            let giveBack = try #require(places.take(for: [1]))
            #expect(places.take(for: [2]) == nil)
            giveBack()
        }
    }
}

extension QueueShares {
    /// The number of places that some holders get in a row.
    fileprivate mutating func takeAll(for holders: [Holder]) -> Int {
        var count = 0
        while take(for: holders) { count += 1 }
        return count
    }
}
