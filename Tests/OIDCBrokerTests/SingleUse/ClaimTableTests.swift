// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// The table of claims of the single-use store in memory.
struct ClaimTableTests {
    private typealias ClaimTable = InMemorySingleUseStore.ClaimTable

    private func id(_ number: Int) -> InMemorySingleUseStore.ClaimID {
        InMemorySingleUseStore.ClaimID(
            SingleUseKey(.login, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]))
    }

    @Test(arguments: [1, 512, 5120])
    func `each ID is claimed once until its end, in whichever order they come and end`(capacity: Int) {
        var table = ClaimTable(capacity: capacity)
        var ends: [Int: UInt32] = [:]
        var state: UInt64 = 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var over: UInt32 = 0
        for _ in 0..<1500 {
            over += UInt32(next(2))
            table.sweep(over: over, at: Int64(over))
            let number = next(900)
            let end = over + [1, 60, 600, 6000][next(4)]
            let isLive = ends[number].map { $0 > over } ?? false
            #expect(table.contains(id(number), over: over) == isLive)
            let isFull = table.count >= capacity
            let claim = table.claim(id(number), until: end, over: over, isFull: isFull)
            #expect(isLive ? claim == .lost : claim == .won || (isFull && claim == .full))
            if claim == .won { ends[number] = end }
            #expect(table.count <= capacity)
        }
        for (number, end) in ends { #expect(table.contains(id(number), over: over) == (end > over)) }
        #expect(table.count >= ends.values.filter { $0 > over }.count)
    }

    @Test func `a claim takes at most 24 bytes, so that a sign-in that was redeemed takes 48`() {
        #expect(ClaimTable.bytesOfClaim * 2 == 48)
        let capacity = 5120
        var table = ClaimTable(capacity: capacity)
        for number in 0..<capacity {
            #expect(table.claim(id(number), until: 600, over: 0, isFull: false) == .won)
            // From a quarter on, the pages themselves do not count for much.
            guard number >= capacity / 4, number % 64 == 0 else { continue }
            #expect(table.bytes <= table.count * ClaimTable.bytesOfClaim, "\(number)")
        }
        #expect(table.bytes <= capacity * 21)
    }

    @Test(arguments: [100, 300, 400, 450])
    func `a page that was full gives back the room of what has ended, so that a claim takes no more than before`(
        kept: Int
    ) {
        var table = ClaimTable(capacity: 512)
        for number in 0..<512 {
            #expect(table.claim(id(number), until: number < kept ? 6000 : 60, over: 0, isFull: false) == .won)
        }
        table.sweep(over: 60, at: 100)
        #expect(table.count == kept)
        #expect(table.bytes <= kept * ClaimTable.bytesOfClaim)
    }

    @Test func `what has ended goes page by page, each once a minute, and gives its memory back`() {
        let pages = 10
        var table = ClaimTable(capacity: pages * 512)
        for number in 0..<1000 { #expect(table.claim(id(number), until: 60, over: 0, isFull: false) == .won) }
        #expect(table.claim(id(1000), until: 6000, over: 0, isFull: false) == .won)
        // Nothing has ended.
        for _ in 0..<pages { table.sweep(over: 59, at: 100) }
        #expect(table.count == 1001)
        // It is no page's turn for a minute.
        for _ in 0..<pages { table.sweep(over: 60, at: 159) }
        #expect(table.count == 1001)
        var counts: [Int] = []
        for _ in 0..<pages {
            table.sweep(over: 60, at: 160)
            counts.append(table.count)
        }
        #expect(zip([1001] + counts, counts).allSatisfy { $0 - $1 > 40 && $0 - $1 < 160 })
        #expect(counts.last == 1)
        #expect(table.bytes < 1000)
        #expect(table.contains(id(1000), over: 60))
    }

    @Test func `full, it takes only what is there already, over`() {
        var table = ClaimTable(capacity: 2)
        #expect(table.claim(id(1), until: 60, over: 0, isFull: true) == .full)
        #expect(table.claim(id(1), until: 60, over: 0, isFull: false) == .won)
        #expect(table.claim(id(2), until: 60, over: 0, isFull: true) == .full)
        #expect(table.claim(id(1), until: 90, over: 60, isFull: true) == .won)
        #expect(table.claim(id(1), until: 90, over: 60, isFull: true) == .lost)
        #expect(table.count == 1)
    }
}
