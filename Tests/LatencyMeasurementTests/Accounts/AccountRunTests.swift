// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import Testing

/// What is said of a measurement of accounts, and what is kept of it.
@Suite struct AccountRunTests {
    private static func run(
        _ operation: AccountOperation, algorithm: String = "ES256", concurrency: Int = 64, rate: Double? = nil,
        processorTime: Double = 0.16, latency: Int64 = 5_000_000
    ) -> MeasuredRun {
        let second: Int64 = 1_000_000_000
        var recorder = LoadRecorder(window: MeasurementWindow(begin: 0, end: 3 * second), basis: .end)
        for number in 0..<Int64(300) {
            let end = number * second / 100
            recorder.record(operation.part, intendedStart: end - latency, end: end)
            if operation == .mixed { recorder.record(.known, intendedStart: end - 2 * latency, end: end) }
        }
        var run = MeasuredRun(
            target: "ours",
            shape: LoadShape(
                extent: .accounts, concurrency: concurrency, rate: rate, redeemed: 0, algorithm: algorithm,
                operation: operation),
            round: 1, began: 1_795_000_000, recorder: recorder)
        run.usage = MeasuredRun.made("ours", processorTime: processorTime).usage
        return run
    }

    @Test func `the operation is in the title`() {
        #expect(Self.run(.lookup).shape.title == "ES256, 64 at a time, accounts: lookup")
        #expect(
            Self.run(.mixed, rate: 200).shape.title
                == "ES256, 64 at a time, accounts: lookup beside 200 sign-ins a second")
    }

    @Test func `a terminal is told of operations, not of redemptions`() {
        let text = RunTable.text(Self.run(.refresh))
        #expect(text.contains("300 refreshes verified, 100 a second\n"))
        #expect(!text.contains("redeemed"))
        #expect(text.contains("CPU 0.160 s per 1,000 refreshes"))
        #expect(text.contains("24.0 after"))
    }

    @Test func `both kinds of a mixture have a row`() {
        let text = RunTable.text(Self.run(.mixed, rate: 200))
        #expect(text.contains("600 operations verified"))
        #expect(text.contains("\nlookup "))
        #expect(text.contains("\nknown "))
    }

    private static let limits: [(AccountOperation, String, Double)] = [
        (.lookup, "ES256", 0.17), (.lookup, "RS256", 0.1), (.refresh, "ES256", 0.15), (.refresh, "RS256", 2),
        (.known, "ES256", 0.5), (.new, "ES256", 0.8),
    ]

    @Test(arguments: limits)
    func `each goal is told as reached up to its limit`(
        operation: AccountOperation, algorithm: String, limit: Double
    ) {
        let reached = RunTable.text(Self.run(operation, algorithm: algorithm, processorTime: limit))
        #expect(reached.contains("goal: CPU ms each at most \(Figure.shortest(limit)), reached"))
        let missed = RunTable.text(Self.run(operation, algorithm: algorithm, processorTime: limit + 0.01))
        #expect(missed.contains(", MISSED: "))
    }

    @Test func `the goal of the mixture is its p99, under the load that it is for`() {
        let text = RunTable.text(Self.run(.mixed, rate: 200))
        #expect(text.contains("goal: operation p99 ms at most 10, reached: 5."))
        let slow = RunTable.text(Self.run(.mixed, rate: 200, latency: 11_000_000))
        #expect(slow.contains("MISSED"))
        #expect(!RunTable.text(Self.run(.mixed, rate: 100)).contains("goal"))
        #expect(!RunTable.text(Self.run(.mixed, concurrency: 8, rate: 200)).contains("goal"))
    }

    @Test func `sign-ins of browsers have no goal here`() {
        #expect(AccountGoal(MeasuredRun.made("ours", processorTime: 0.1).shape) == nil)
    }

    @Test func `it is written and read again`() throws {
        let file = ResultFile(machine: .made, runs: [Self.run(.mixed, rate: 200), Self.run(.new)])
        let read = try ResultFile(json: try file.json())
        #expect(read == file)
    }

    @Test func `a result of before there were accounts is read as well`() throws {
        let file = ResultFile(machine: .made, runs: [MeasuredRun.made("ours")])
        let text = String(decoding: try file.json(), as: UTF8.self)
        #expect(!text.contains("\"operation\""))
        let read = try ResultFile(json: Array(text.utf8))
        #expect(read == file)
    }

    @Test func `operations are compared with the same operation`() throws {
        let comparison = Comparison(
            before: [Self.run(.lookup), Self.run(.refresh)],
            after: [Self.run(.lookup, latency: 10_000_000), Self.run(.known)])
        let row = try #require(comparison.rows.first { $0.metric == .operationP99 })
        let ratio = try #require(row.ratio)
        #expect((ratio - 2).magnitude < 0.01)
        #expect(row.shape.operation == .lookup)
        #expect(comparison.onlyBefore.map(\.shape.operation) == [.refresh])
        #expect(comparison.onlyAfter.map(\.shape.operation) == [.known])
        #expect(!comparison.rows.contains { $0.metric == .callbackP50 })
    }

    @Test func `a report shows the operation`() {
        let page = HTMLReport(ResultFile(machine: .made, runs: [Self.run(.lookup), Self.run(.new)])).html
        #expect(page.contains("Operations on accounts, all measurements"))
        #expect(page.contains("All lookups by the second"))
        #expect(!page.contains("Callback (start"))
        #expect(!page.contains("Whole sign-ins"))
    }
}
