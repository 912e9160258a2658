// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TableDocumentTests {
    private static let cost = TableRow(
        "CPU ms", .signIn, .measured(.processorTime, .signIn, algorithm: "ES256"),
        goals: [TableGoal(.bestPeer, atMost: 0.6)], isInSummary: true)
    private static let rate = TableRow("rate", .signIn, .measured(.throughput, .signIn, algorithm: "ES256"))

    private static func document(_ runs: [MeasuredRun], rows: [TableRow]? = nil) -> TableDocument {
        TableDocument(
            ResultFile(machine: .made, runs: runs, versions: ["slow": "slow 1.2.3"]),
            parts: [TablePart(title: "Costs", rows: rows ?? [cost, rate])], ours: ["ours"], unvalidating: ["floor"],
            command: "callback-latency table --rounds 2", notes: ["authlib is not installed: left out."])
    }

    private static let runs = [1, 2].flatMap { round in
        [
            MeasuredRun.made("ours", round: round, processorTime: 0.1, step: .signIn),
            MeasuredRun.made("slow", round: round, processorTime: 0.9, step: .signIn),
        ]
    }

    @Test func `it says when, where, with what, what was left out, and how to do it again`() {
        let text = Self.document(Self.runs).markdown
        #expect(text.contains("**Costs**"))
        #expect(text.contains("* ours reaches 1 of 1 goals."))
        #expect(text.contains("* Made 2026-11-18 11:06 UTC on 2 x <Test & Co>, 24 GB, Debian, Linux 6; Swift 6.3, "))
        #expect(text.contains("Medians over 2 interleaved rounds"))
        #expect(text.contains("1,200 verified sign-ins and starts, 0 errors"))
        #expect(text.contains("* Versions: slow: slow 1.2.3."))
        #expect(text.contains("* The target on processor 0, the generator and the provider on 1."))
        #expect(text.contains("* authlib is not installed: left out."))
        #expect(text.hasSuffix("* Again: `callback-latency table --rounds 2`"))
    }

    @Test func `it says what brackets hold, and whether processors were kept from idling`() {
        #expect(Self.document(Self.runs).markdown.contains("in brackets their smallest and largest;"))
        let runs = (1...4).map { MeasuredRun.made("ours", round: $0, processorTime: 0.1, step: .signIn) }
        var machine = MachineDescription.made
        machine.isKeptAwake = true
        let document = TableDocument(
            ResultFile(machine: machine, runs: runs), parts: [TablePart(title: "Costs", rows: [Self.cost])],
            ours: ["ours"], unvalidating: [], command: "again", notes: [])
        #expect(document.markdown.contains("in brackets their range without the outer quarters;"))
        #expect(document.markdown.contains("the generator and the provider on 1; both were kept from idling."))
    }

    @Test func `the short one has the figures of its rows alone, and says where and how often they were measured`() {
        let text = Self.document(Self.runs).summary
        #expect(text.hasPrefix("|   | ours | slow |\n"))
        #expect(text.contains("| CPU ms |"))
        #expect(!text.contains("| rate |"))
        #expect(text.contains("* Made 2026-11-18"))
        #expect(text.contains("Medians over 2 interleaved rounds"))
        #expect(text.hasSuffix("* 1,200 verified sign-ins and starts, 0 errors."))
        #expect(Self.document(Self.runs, rows: [Self.rate]).summary.isEmpty)
    }

    @Test func `accepted invalid input, and errors, are in both`() {
        var runs = Self.runs
        runs[1].accepted = ["signature"]
        runs[0].errors = ["callback: status 500": 3]
        runs[2].errors = ["callback: status 500": 1, "start: status 503": 2]
        let document = Self.document(runs)
        for text in [document.markdown, document.summary] {
            #expect(text.contains("* **slow took what it must refuse**: signature."))
            #expect(text.contains("* Errors at ours: 4 x callback: status 500, 2 x start: status 503."))
        }
    }
}
