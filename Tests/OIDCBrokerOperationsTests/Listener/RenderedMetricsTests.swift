// SPDX-License-Identifier: Apache-2.0

import Metrics
import NIOCore
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// The text of the metrics is made once a second, however often it is asked for.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct RenderedMetricsTests {
    @Test func `a text is made once in each second of elapsed time, and for each format`() {
        let clock = TestClock()
        let rendered = RenderedMetrics(clock: clock.elapsed)
        var made = 0
        func text(_ format: ExpositionFormat) -> String {
            let text = rendered.text(format) {
                made += 1
                return Array("\(made)".utf8)
            }
            return String(buffer: text)
        }
        #expect(text(.prometheus) == "1")
        #expect(text(.prometheus) == "1")
        #expect(text(.openMetrics) == "2")
        #expect(text(.prometheus) == "1")
        clock.step(by: 3600)
        #expect(text(.openMetrics) == "2")
        clock.advance(by: 1)
        #expect(text(.prometheus) == "3")
        #expect(text(.openMetrics) == "4")
    }

    @Test func `a scrape shows what was counted before its second, and readiness is never late`() async throws {
        let clock = TestClock()
        var options = RunningListener.Options()
        options.clock = clock.elapsed
        try await RunningListener.run(options) { listener in
            let counter = Counter(label: "auth_starts", factory: listener.metrics)
            counter.increment()
            let early = try await listener.get("/metrics")
            #expect(early.body.contains("\nauth_starts_total 1\n"))
            let unready = try await listener.get("/readyz")
            #expect(unready.status == 503)
            counter.increment()
            listener.readiness.becomeReady()
            let same = try await listener.get("/metrics")
            #expect(same.body.contains("\nauth_starts_total 1\n"))
            let ready = try await listener.get("/readyz")
            #expect(ready.status == 200)
            clock.advance(by: 1)
            let late = try await listener.get("/metrics")
            #expect(late.body.contains("\nauth_starts_total 2\n"))
        }
    }
}
