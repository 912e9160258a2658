// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct ResultFileTests {
    @Test func `what is written is read again`() throws {
        var run = MeasuredRun.made("ours", processorTime: 0.123, rate: 5000)
        run.errors = ["callback: status 500": 2]
        run.accepted = ["state"]
        run.firstSignIn = 43.5
        run.step = .tenThousandConnections
        run.usage?.residentGrowth = 0.25
        run.usage?.kilobytesPerConnection = 29.5
        run.shape.browser = BrowserConnections(group: .x25519MLKEM768, callback: .kept)
        run.handshakes = ["TLS 1.3": 600]
        let file = ResultFile(
            machine: .made, runs: [run, MeasuredRun.made("go-oidc", redeemed: 0)], versions: ["go-oidc": "2.1"])
        let json = try file.json()
        let read = try ResultFile(json: json)
        #expect(read == file)
        let again = try read.json()
        #expect(again == json)
    }

    @Test func `a result of before tables had steps and versions is read as well`() throws {
        let file = ResultFile(machine: .made, runs: [MeasuredRun.made("ours", processorTime: 0.1)])
        let text = String(decoding: try file.json(), as: UTF8.self)
        #expect(!text.contains("\"step\""))
        #expect(!text.contains("\"residentGrowth\""))
        #expect(!text.contains("\"browser\""))
        #expect(!text.contains("\"handshakes\""))
        #expect(!text.contains("\"versions\""))
        let read = try ResultFile(json: Array(text.utf8))
        #expect(read == file)
    }

    @Test func `another format is not guessed at`() throws {
        var file = ResultFile(machine: .made, runs: [])
        file.format = 99
        let json = try file.json()
        #expect(throws: ResultFileError.otherFormat(99)) { try ResultFile(json: json) }
        #expect(throws: ResultFileError.malformed) { try ResultFile(json: Array("{}".utf8)) }
    }

    @Test func `a summary has the percentiles of its histogram, in milliseconds`() {
        var histogram = HdrHistogram()
        for value in 1...1000 { histogram.record(Int64(value) * 1_000_000) }
        let summary = LatencySummary(histogram)
        #expect((summary.p50 - 500).magnitude < 0.5)
        #expect((summary.p99 - 990).magnitude < 1)
        #expect((summary.p999 - 999).magnitude < 1)
        #expect(summary.maximum == 1000)
        #expect(summary.count == 1000)
        #expect(summary.curve.last?.percentile == 100)
    }
}
