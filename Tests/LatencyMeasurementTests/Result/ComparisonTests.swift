// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct ComparisonTests {
    private static func row(_ comparison: Comparison, _ metric: Metric) throws -> Comparison.Row {
        try #require(comparison.rows.first { $0.metric == metric })
    }

    @Test func `a ratio beyond the noise of the rounds is better or worse`() throws {
        let before = [0.20, 0.21, 0.19].enumerated().map {
            MeasuredRun.made("ours", round: $0.offset + 1, processorTime: $0.element)
        }
        let after = [0.10, 0.105, 0.095].enumerated().map {
            MeasuredRun.made("ours", round: $0.offset + 1, processorTime: $0.element)
        }
        let row = try Self.row(Comparison(before: before, after: after), .processorTime)
        #expect(row.before == 0.20)
        #expect(row.after == 0.10)
        let ratio = try #require(row.ratio)
        #expect((ratio - 0.5).magnitude < 1e-9)
        // 5 % on either side.
        let noise = try #require(row.noise)
        #expect((noise - 0.0707).magnitude < 0.001)
        #expect(row.verdict == .better)
        let reverse = try Self.row(Comparison(before: after, after: before), .processorTime)
        #expect(reverse.verdict == .worse)
    }

    @Test func `a ratio within the noise says nothing`() throws {
        let before = [0.10, 0.12].enumerated().map {
            MeasuredRun.made("ours", round: $0.offset + 1, processorTime: $0.element)
        }
        let after = [0.11, 0.13].enumerated().map {
            MeasuredRun.made("ours", round: $0.offset + 1, processorTime: $0.element)
        }
        let row = try Self.row(Comparison(before: before, after: after), .processorTime)
        #expect(row.verdict == .withinNoise)
    }

    @Test func `one measurement each knows the noise of its own seconds only`() throws {
        let before = [MeasuredRun.made("ours", processorTime: 0.2)]
        let after = [MeasuredRun.made("ours", processorTime: 0.1, callback: 1_000_000)]
        let comparison = Comparison(before: before, after: after)
        let processor = try Self.row(comparison, .processorTime)
        #expect(processor.noise == nil)
        #expect(processor.verdict == .unknown)
        let callback = try Self.row(comparison, .callbackP50)
        #expect(callback.noise != nil)
        #expect(callback.verdict == .better)
        // 100 in each second, in both.
        let throughput = try Self.row(comparison, .throughput)
        #expect(throughput.verdict == .withinNoise)
    }

    @Test func `more sign-ins a second are better`() throws {
        let before = MeasuredRun.made("ours")
        var faster = before
        faster.throughput = 150
        var noisy = [before, before]
        noisy[1].throughput = 101
        noisy[1].round = 2
        let row = try Self.row(Comparison(before: noisy, after: [faster, faster]), .throughput)
        #expect(row.verdict == .better)
        #expect(row.ratio.map { $0 > 1.4 } == true)
    }

    @Test func `only the same target under the same load is compared`() {
        let before = [MeasuredRun.made("ours"), MeasuredRun.made("go-oidc")]
        let after = [
            MeasuredRun.made("ours", concurrency: 1), MeasuredRun.made("ours", algorithm: "RS256"),
            MeasuredRun.made("go-oidc"),
        ]
        let comparison = Comparison(before: before, after: after)
        #expect(Set(comparison.rows.map(\.target)) == ["go-oidc"])
        #expect(comparison.onlyBefore.map(\.target) == ["ours"])
        #expect(comparison.onlyAfter.count == 2)
        #expect(comparison.text.contains("only in A: ours: ES256, 64 at a time"))
        #expect(comparison.text.contains("only in B: ours: RS256, 64 at a time"))
    }

    @Test func `open loops are compared at whatever rate they ran`() {
        let comparison = Comparison(
            before: [MeasuredRun.made("ours", rate: 1000)], after: [MeasuredRun.made("ours", rate: 1100)])
        #expect(!comparison.rows.isEmpty)
        #expect(comparison.onlyBefore.isEmpty)
    }

    @Test func `nothing in common is said`() {
        #expect(Comparison(before: [], after: []).text.contains("Nothing in A was also measured in B."))
    }
}
