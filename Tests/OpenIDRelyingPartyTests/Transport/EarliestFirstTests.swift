// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import Testing

@Suite struct EarliestFirstTests {
    /// Counts how often it is compared.
    private struct Counted: Comparable {
        final class Count { var comparisons = 0 }

        let value: Int
        let count: Count

        static func == (left: Self, right: Self) -> Bool { left.value == right.value }
        static func < (left: Self, right: Self) -> Bool {
            left.count.comparisons += 1
            return left.value < right.value
        }
    }

    /// 0 to 9,999, each once, in no order: 7,919 shares no factor with 10,000.
    private static let shuffled = (0..<10_000).map { $0 * 7919 % 10_000 }

    @Test func `the least one leaves first, in whatever order they came`() {
        var queue = EarliestFirst<Int>()
        #expect(queue.popFirst() == nil)
        for value in [5, 1, 4, 1, 3] { queue.insert(value) }
        #expect(queue.first == 1)
        #expect(queue.count == 5)
        #expect((0..<6).map { _ in queue.popFirst() } == [1, 1, 3, 4, 5, nil])
        for value in Self.shuffled { queue.insert(value) }
        #expect((0..<10_000).allSatisfy { queue.popFirst() == $0 })
        #expect(queue.first == nil)
    }

    @Test func `what is kept leaves in its order`() {
        var queue = EarliestFirst<Int>()
        for value in Self.shuffled { queue.insert(value) }
        queue.keep { $0 % 3 == 0 }
        #expect(queue.count == 3334)
        #expect((0..<3334).allSatisfy { queue.popFirst() == $0 * 3 })
        queue.keep { _ in true }
        #expect(queue.popFirst() == nil)
    }

    @Test func `one of ten thousand goes in and out with a few comparisons`() {
        let count = Counted.Count()
        var queue = EarliestFirst<Counted>()
        var most = 0
        func counted(_ body: () -> Void) {
            count.comparisons = 0
            body()
            most = max(most, count.comparisons)
        }
        for value in Self.shuffled { counted { queue.insert(Counted(value: value, count: count)) } }
        for _ in Self.shuffled { counted { _ = queue.popFirst() } }
        // Two comparisons at each of 14 levels.
        #expect(most <= 28)
    }
}
