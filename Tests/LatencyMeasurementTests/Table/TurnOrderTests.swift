// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TurnOrderTests {
    @Test(arguments: [1, 2, 6], 1...12)
    func `each has one place in a turn`(count: Int, turn: Int) {
        #expect(TurnOrder.order(of: count, turn: turn).sorted() == Array(0..<count))
    }

    @Test func `every second turn goes backwards, and another begins`() {
        #expect((1...4).map { TurnOrder.order(of: 3, turn: $0) } == [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 1, 0]])
        #expect(TurnOrder.order(of: 0, turn: 1).isEmpty)
    }

    /// A target that follows itself finds its own connections and pages as it left them.
    @Test func `no target follows itself more often than others`() {
        let turns = (1...12).map { TurnOrder.order(of: 6, turn: $0) }
        var ownSuccessor = [Int](repeating: 0, count: 6)
        for (turn, next) in zip(turns, turns.dropFirst()) where turn.last == next.first {
            if let last = turn.last { ownSuccessor[last] += 1 }
        }
        #expect((ownSuccessor.max() ?? 0) - (ownSuccessor.min() ?? 0) <= 1)
    }
}
