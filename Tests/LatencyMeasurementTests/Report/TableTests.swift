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

    @Test func `a terminal is told what was verified, what it cost and what went wrong`() {
        var run = MeasuredRun.made("ours", processorTime: 0.1234)
        run.errors = ["start: status 500": 3]
        run.firstSignIn = 44
        run.tokenRequestsPerThousand = 1000
        run.providerConnectionsPerThousand = 0.25
        run.usage?.residentGrowth = 0.5
        let text = RunTable.text(run)
        #expect(text.contains("300 sign-ins verified, 100 a second; 300 redeemed for the right subject"))
        #expect(text.contains("CPU 0.123 s per 1,000 sign-ins"))
        #expect(text.contains("error: 3 x start: status 500"))
        #expect(text.contains("first verified sign-in 44 ms after launch"))
        #expect(text.contains("0.3 new connections to the provider per 1,000 sign-ins"))
        #expect(text.contains("grew by 0.5 while it was measured"))
        #expect(text.contains("99.9"))
        #expect(!text.contains("handshakes"))
    }

    @Test func `a terminal is told what the handshakes of browsers were, and what an idle connection takes`() {
        var run = MeasuredRun.made("ours", processorTime: 0.7)
        run.handshakes = ["TLS 1.3, h2, X25519, resumed": 300, "TLS 1.3, h2, X25519": 300]
        run.usage?.kilobytesPerConnection = 28.5
        let text = RunTable.text(run)
        #expect(
            text.contains("200 handshakes a second: 300 x TLS 1.3, h2, X25519; 300 x TLS 1.3, h2, X25519, resumed"))
        #expect(text.contains("28.5 KB for each idle connection"))
        #expect(Metric.handshakes.value(in: run) == 200)
        #expect(Metric.handshakes.isBetterHigher)
        #expect(Metric.residentPerConnection.value(in: run) == 28.5)
    }
}
