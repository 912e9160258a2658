// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct PeerTableTests {
    private static let cost = TableFigure.measured(.processorTime, .signIn, algorithm: "ES256")

    private static func run(_ target: String, _ round: Int, _ processorTime: Double) -> MeasuredRun {
        .made(target, round: round, processorTime: processorTime, redeemed: 0.01, step: .signIn)
    }

    private static let runs: [MeasuredRun] = [
        run("ours", 1, 0.10), run("ours-nio", 1, 0.08), run("slow", 1, 0.90), run("go-oidc", 1, 0.20),
        run("floor", 1, 0.05),
        run("ours", 2, 0.20), run("ours-nio", 2, 0.10), run("slow", 2, 0.80), run("go-oidc", 2, 0.50),
        run("floor", 2, 0.10),
        // Another step of the same shape, and one of no table: neither is the figure.
        .made("ours", round: 1, processorTime: 9, redeemed: 0.01, step: .capacity),
        .made("ours", round: 1, processorTime: 9, redeemed: 0.01),
    ]

    private static let table = PeerTable(runs, ours: ["ours", "ours-nio", "absent"], unvalidating: ["floor"])

    private static func row(_ goals: [TableGoal], caveat: String? = nil) -> TableRow {
        TableRow("CPU ms", .signIn, cost, goals: goals, caveat: caveat)
    }

    /// The machine was half as fast in the second round: only ratios within a round mean something.
    @Test func `ratios are paired within a round`() throws {
        let ratio = try #require(Self.table.pairedRatio(Self.cost, of: "ours", to: "go-oidc"))
        #expect((ratio.median - 0.45).magnitude < 1e-9)
        #expect(ratio.ratioText == "0.45 (0.40..0.50)")
        let range = try #require(Self.table.range(Self.cost, of: "ours"))
        #expect((range.median - 0.15).magnitude < 1e-9)
        #expect(Self.table.pairedRatio(Self.cost, of: "ours", to: "nobody") == nil)
    }

    @Test func `rounds that only one of two has are not paired`() throws {
        let runs = [Self.run("ours", 1, 0.1), Self.run("go-oidc", 2, 0.2)]
        let table = PeerTable(runs, ours: ["ours"], unvalidating: [])
        #expect(table.pairedRatio(Self.cost, of: "ours", to: "go-oidc") == nil)
        let row = Self.row([TableGoal(.bestPeer, atMost: 1)])
        #expect(table.standing("ours", to: row.goals[0], of: row) == nil)
        #expect(table.markdown([row]).contains("| not measured |"))
    }

    @Test func `the best peer is neither one of ours nor the floor`() {
        #expect(Self.table.ours == ["ours", "ours-nio"])
        #expect(Self.table.peers == ["slow", "go-oidc"])
        #expect(Self.table.floors == ["floor"])
        #expect(Self.table.bestPeer(Self.cost) == "go-oidc")
        #expect(PeerTable([], ours: ["ours"], unvalidating: []).bestPeer(Self.cost) == nil)
    }

    @Test func `of rates the highest is the best`() {
        var runs = [Self.run("slow", 1, 0.9), Self.run("go-oidc", 1, 0.2)]
        runs[0].throughput = 900
        runs[1].throughput = 3000
        let rate = TableFigure.measured(.throughput, .signIn, algorithm: "ES256")
        #expect(PeerTable(runs, ours: ["ours"], unvalidating: []).bestPeer(rate) == "go-oidc")
    }

    @Test func `a row has each target's median, the goals, and how each of ours stands to them`() {
        let goals = [TableGoal(.bestPeer, atMost: 0.45, must: 0.6), TableGoal(.target("floor"), atMost: 1.6)]
        let lines = Self.table.markdown([Self.row(goals)]).split(separator: "\n")
        #expect(
            lines.first
                == "|   | ours | ours-nio | slow | go-oidc | floor | goal | reached by ours | reached by ours-nio |")
        #expect(
            lines.last
                == """
                | CPU ms | 0.150 | 0.090 | 0.850 | 0.350 | 0.075 \
                | at most 0.45 of the best peer (must: 0.6); at most 1.6 times floor \
                | yes: 0.45 (0.40..0.50) of go-oidc; **no**: 2.00 (2.00..2.00) of floor \
                | yes: 0.30 (0.20..0.40) of go-oidc; yes: 1.30 (1.00..1.60) of floor |
                """)
    }

    @Test func `an optimized build has goals of its own, and a target that is not assessed only a column`() {
        let goal = TableGoal(.bestPeer, atMost: 0.45, optimized: 0.25, must: 0.6)
        let row = Self.row([goal])
        let table = PeerTable(
            Self.runs, ours: ["ours", "ours-nio"], assessed: ["ours-nio"], optimized: ["ours-nio"],
            unvalidating: ["floor"])
        #expect(table.standing("ours", to: goal, of: row)?.verdict == .reached)
        #expect(table.standing("ours-nio", to: goal, of: row)?.verdict == .must)
        let text = table.markdown([row])
        #expect(text.hasPrefix("|   | ours | ours-nio | slow | go-oidc | floor | goal | reached by ours-nio |\n"))
        #expect(text.contains("| at most 0.45 (optimized: 0.25) of the best peer (must: 0.6) |"))
        #expect(table.markdown([row], showsGoals: false).hasPrefix("|   | ours-nio | slow | go-oidc | floor |\n"))
    }

    @Test func `a row without a goal is compared all the same`() {
        let text = Self.table.markdown([Self.row([])])
        #expect(text.contains("| - | 0.45 (0.40..0.50) of go-oidc | 0.30 (0.20..0.40) of go-oidc |"))
    }

    @Test func `a figure that is validated itself says between what it lies`() {
        let text = Self.table.markdown([Self.row([TableGoal(atMost: 0.12)])])
        #expect(text.contains("| **no** (0.100..0.200); 0.45 (0.40..0.50) of go-oidc |"))
        #expect(text.contains("| yes (0.080..0.100); 0.30 (0.20..0.40) of go-oidc |"))
    }

    @Test func `what was measured too little shows nothing where it would be reached, and a miss where it is none`() {
        let row = Self.row([TableGoal(atMost: 0.12)], caveat: "too few")
        let text = Self.table.markdown([row])
        #expect(text.contains("**not shown** (too few, 0.080..0.100)"))
        #expect(text.contains("**no** (0.100..0.200)"))
        #expect(Self.table.score(of: "ours-nio", [row]).reached == 0)
    }

    /// The largest of three in one round is mostly the one that the machine was slow for.
    @Test func `a spread is that of medians, not the median of spreads`() throws {
        let steps: [TableStep] = [.oneProvider, .tenProviders]
        let costs = [[1.0, 2.0], [2.0, 1.0], [1.0, 1.1]]
        let runs = costs.enumerated().flatMap { round, costs in
            zip(steps, costs).map { MeasuredRun.made("ours", round: round + 1, processorTime: $1, step: $0) }
        }
        let figures = steps.map { TableFigure.measured(.processorTime, $0, algorithm: "ES256") }
        let table = PeerTable(runs, ours: ["ours"], unvalidating: [])
        let range = try #require(table.range(.spread(figures), of: "ours"))
        #expect((range.median - 1.1).magnitude < 1e-9)
        #expect(range.count == 1)
        let more = figures + [.measured(.processorTime, .thousandProviders, algorithm: "ES256")]
        #expect(table.range(.spread(more), of: "ours") == nil)
    }

    @Test func `goals are counted, those that were not measured among them`() {
        let rows = [
            Self.row([TableGoal(.bestPeer, atMost: 0.45), TableGoal(.target("floor"), atMost: 1.6)]),
            TableRow(
                "growth", .abandoned, .measured(.residentGrowth, .abandoned, algorithm: "ES256"),
                goals: [TableGoal(atMost: 1)]),
        ]
        let ours = Self.table.score(of: "ours", rows)
        #expect(ours.reached == 1)
        #expect(ours.goals == 3)
        #expect(Self.table.score(of: "ours-nio", rows).reached == 2)
    }
}
