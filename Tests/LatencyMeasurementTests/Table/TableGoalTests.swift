// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TableGoalTests {
    @Test(arguments: [
        (0.45, TableGoal.Verdict.reached), (0.451, TableGoal.Verdict.must), (0.6, TableGoal.Verdict.must),
        (0.61, TableGoal.Verdict.missed), (Double.nan, TableGoal.Verdict.missed),
    ])
    func `a goal is reached, or what must be, or neither`(value: Double, verdict: TableGoal.Verdict) {
        #expect(TableGoal(.bestPeer, atMost: 0.45, must: 0.6).verdict(value) == verdict)
    }

    @Test func `the optimized build has a goal of its own where one is named`() {
        let goal = TableGoal(.bestPeer, atMost: 0.4, optimized: 0.33, must: 0.52)
        #expect(goal.verdict(0.4) == .reached)
        #expect(goal.verdict(0.4, isOptimized: true) == .must)
        #expect(goal.verdict(0.33, isOptimized: true) == .reached)
        #expect(TableGoal(atMost: 1).verdict(1, isOptimized: true) == .reached)
    }

    @Test func `without a must there is nothing between`() {
        #expect(TableGoal(atMost: 32).verdict(32) == .reached)
        #expect(TableGoal(atMost: 32).verdict(32.1) == .missed)
    }

    @Test func `goals as the table says them`() {
        #expect(
            TableGoal(.bestPeer, atMost: 0.45, must: 0.6).text == "at most 0.45 of the best peer (must: 0.6)")
        #expect(TableGoal(.target("floor"), atMost: 2.4).text == "at most 2.4 times floor")
        #expect(TableGoal(atMost: 100).text == "at most 100")
    }

    @Test func `a range has its middle and its ends, and of one value no ends`() throws {
        let three = try #require(MedianRange([0.5, 0.4, 0.45]))
        #expect(three.ratioText == "0.45 (0.40..0.50)")
        #expect(three.endsText == "0.400..0.500")
        // The outer quarters are left out.
        let many = try #require(MedianRange([9, 0.5, 0.4, 0.44, 0.1, 0.42, 0.48, 0.46]))
        #expect(many.ratioText == "0.45 (0.42..0.48)")
        let one = try #require(MedianRange([12]))
        #expect(one.ratioText == "12.00")
        #expect(one.endsText.isEmpty)
        #expect(MedianRange([]) == nil)
        #expect(MedianRange([.nan]) == nil)
    }
}
