// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TableFigureTests {
    private static func cost(_ step: TableStep, algorithm: String = "ES256") -> TableFigure {
        .measured(.processorTime, step, algorithm: algorithm)
    }

    private static let runs = [
        MeasuredRun.made("ours", processorTime: 0.40, step: .oneProvider),
        MeasuredRun.made("ours", processorTime: 0.50, step: .redeemed),
        MeasuredRun.made("ours", processorTime: 0.44, step: .tenProviders),
        MeasuredRun.made("ours", algorithm: "RS256", processorTime: 0.30, step: .redeemed),
        MeasuredRun.made("ours", processorTime: 0.1, step: .abandoned, residentGrowth: -0.25),
    ]

    private static func isNear(_ value: Double?, _ expected: Double) -> Bool {
        value.map { ($0 - expected).magnitude < 1e-9 } ?? false
    }

    @Test func `a figure is that of its own step and algorithm`() {
        #expect(Self.cost(.redeemed).value(in: Self.runs) == 0.50)
        #expect(Self.cost(.redeemed, algorithm: "RS256").value(in: Self.runs) == 0.30)
        #expect(Self.cost(.signIn).value(in: Self.runs) == nil)
    }

    @Test func `a ratio is of one target to itself`() {
        let figure = TableFigure.ratio(Self.cost(.redeemed), to: Self.cost(.oneProvider))
        #expect(Self.isNear(figure.value(in: Self.runs), 1.25))
        #expect(TableFigure.ratio(Self.cost(.redeemed), to: Self.cost(.start)).value(in: Self.runs) == nil)
        #expect(!figure.isComparable)
        #expect(Self.cost(.redeemed).isComparable)
    }

    /// A load launches a target once a round; all loads together show more.
    @Test func `the first sign-in is that of all plain launches`() {
        var runs = [30.0, 90, 40, 500].map { time in
            var run = MeasuredRun.made("ours", step: .signIn)
            run.firstSignIn = time
            return run
        }
        runs[3].shape.isTLS = true
        runs.append(.made("ours", step: .start))
        #expect(TableFigure.launched(.firstSignIn).value(in: runs) == 40)
        #expect(TableFigure.launched(.firstSignIn).value(in: []) == nil)
        #expect(TableFigure.launched(.firstSignIn).isComparable)
    }

    @Test func `a spread needs all of its figures`() {
        let three = [Self.cost(.redeemed), Self.cost(.oneProvider), Self.cost(.tenProviders)]
        #expect(Self.isNear(TableFigure.spread(three).value(in: Self.runs), 1.25))
        #expect(TableFigure.spread(three + [Self.cost(.rate)]).value(in: Self.runs) == nil)
    }

    /// Memory may shrink, in which case there is no ratio.
    @Test func `growth may be negative`() {
        let figure = TableFigure.measured(.residentGrowth, .abandoned, algorithm: "ES256")
        #expect(figure.value(in: Self.runs) == -0.25)
        #expect(!figure.isComparable)
    }

    @Test func `only a rate is better where it is higher`() {
        #expect(TableFigure.measured(.throughput, .signIn, algorithm: "ES256").isBetterHigher)
        #expect(!Self.cost(.signIn).isBetterHigher)
        #expect(!TableFigure.spread([]).isBetterHigher)
    }
}
