// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TableTests {
    @Test func `columns are as wide as they must be`() {
        var table = TextTable([.left("part"), .right("ms")])
        table.add(["start", "1.5"])
        table.add(["callback", "12.25"])
        #expect(table.text == "part         ms\nstart       1.5\ncallback  12.25")
        #expect(table.markdown == "| part | ms |\n| --- | ---: |\n| start | 1.5 |\n| callback | 12.25 |")
    }

    private static let signIn = PeerTable.Column(
        title: "sign-in", shape: LoadShape(concurrency: 64, redeemed: 0.01, algorithm: "ES256"),
        metric: .processorTime)

    private static let runs = [
        MeasuredRun.made("ours", round: 1, processorTime: 0.10, redeemed: 0.01),
        MeasuredRun.made("go-oidc", round: 1, processorTime: 0.20, redeemed: 0.01),
        MeasuredRun.made("slow", round: 1, processorTime: 0.90, redeemed: 0.01),
        MeasuredRun.made("floor", round: 1, processorTime: 0.05, redeemed: 0),
        MeasuredRun.made("ours", round: 2, processorTime: 0.20, redeemed: 0.01),
        MeasuredRun.made("go-oidc", round: 2, processorTime: 0.50, redeemed: 0.01),
        MeasuredRun.made("slow", round: 2, processorTime: 0.80, redeemed: 0.01),
        MeasuredRun.made("floor", round: 2, processorTime: 0.10, redeemed: 0),
        MeasuredRun.made("ours", round: 1, processorTime: 9, redeemed: 1),
    ]

    /// The machine was half as fast in the second round: only ratios within a round mean something.
    @Test func `ratios are paired within a round`() throws {
        let table = PeerTable(Self.runs)
        let ratio = try #require(table.pairedRatio(Self.signIn, of: "ours", to: "go-oidc"))
        #expect((ratio - 0.45).magnitude < 1e-9)
        let median = try #require(table.median(Self.signIn, of: "ours"))
        #expect((median - 0.15).magnitude < 1e-9)
        #expect(table.best(Self.signIn, among: ["go-oidc", "slow"]) == "go-oidc")
        #expect(table.pairedRatio(Self.signIn, of: "ours", to: "nobody") == nil)
    }

    @Test func `the floor is no peer, and has a row of its own`() {
        let text = PeerTable(Self.runs).markdown([Self.signIn], ours: "ours", unjudging: ["floor"])
        #expect(text.contains("| ours to the best peer, paired | **0.45** of go-oidc |"))
        #expect(text.contains("| ours to floor, paired | 2.00 |"))
        #expect(text.contains("| **ours** | 0.150 |"))
    }

    @Test func `the document says where, with what, what was left out, and how to do it again`() {
        var runs = Self.runs
        runs[2].accepted = ["signature"]
        let document = TableDocument(
            ResultFile(machine: .made, runs: runs), parts: [.init(title: "CPU", columns: [Self.signIn])],
            ours: "ours", unjudging: ["floor"], command: "callback-latency table", notes: ["authlib: left out."])
        let text = document.markdown
        #expect(text.contains("**CPU**"))
        #expect(text.contains("Medians over 2 interleaved rounds"))
        #expect(text.contains("Swift 6.3, release"))
        #expect(text.contains("**slow took what it must refuse**: signature."))
        #expect(text.contains("* authlib: left out."))
        #expect(text.contains("Again: `callback-latency table`"))
    }

    @Test func `a document is replaced between its marks alone`() {
        let document = "# A\n\n\(MarkedText.begin)\nold\n\(MarkedText.end)\n\nB\n"
        let replaced = MarkedText.replacing(in: document, with: "new")
        #expect(replaced == "# A\n\n\(MarkedText.begin)\n\nnew\n\n\(MarkedText.end)\n\nB\n")
        #expect(MarkedText.replacing(in: "no marks", with: "new") == nil)
        #expect(MarkedText.replacing(in: "\(MarkedText.end)\n\(MarkedText.begin)", with: "new") == nil)
        #expect(MarkedText.replacing(in: document + document, with: "new") == nil)
    }

    @Test func `a terminal is told what was verified, what it cost and what went wrong`() {
        var run = MeasuredRun.made("ours", processorTime: 0.1234)
        run.errors = ["start: status 500": 3]
        run.firstSignIn = 44
        let text = RunTable.text(run)
        #expect(text.contains("300 sign-ins verified, 100 a second; 300 redeemed for the right subject"))
        #expect(text.contains("CPU 0.123 s per 1,000 sign-ins"))
        #expect(text.contains("error: 3 x start: status 500"))
        #expect(text.contains("first verified sign-in 44 ms after launch"))
        #expect(text.contains("99.9"))
    }
}
