// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct HTMLReportTests {
    private static func page(_ runs: [MeasuredRun]) -> String {
        HTMLReport(ResultFile(machine: .made, runs: runs)).html
    }

    /// One page that can be mailed: nothing is fetched, nothing runs.
    @Test(arguments: [
        "src=", "href=", "url(", "@import", "<link", "<script", "<iframe", "<object", "<img", "http:", "https:", "//",
        "javascript",
    ])
    func `the page refers to nothing outside itself`(reference: String) {
        let page = Self.page([MeasuredRun.made("ours", processorTime: 0.1), MeasuredRun.made("go-oidc")])
        #expect(!page.contains(reference))
    }

    @Test func `each measurement has its table, its percentile plot and its time series`() {
        let page = Self.page([MeasuredRun.made("ours", processorTime: 0.1)])
        #expect(page.contains("<h2>ours: ES256, 64 at a time</h2>"))
        #expect(page.contains("Latency by percentile"))
        #expect(page.contains("Whole sign-ins by the second"))
        #expect(page.contains("99.9 %"))
        #expect(page.contains("300 sign-ins verified, 100 a second"))
        // start, callback, redeem and whole; p50, p99 and maximum; the rate
        #expect(page.split(separator: "<polyline").count - 1 == 8)
        #expect(page.split(separator: "<svg ").count - 1 == 3)
    }

    @Test func `what comes from outside is text`() {
        let page = Self.page([MeasuredRun.made("<script>alert(1)</script>")])
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
        #expect(page.contains("2 x &lt;Test &amp; Co&gt;"))
    }

    @Test func `several measurements are laid over each other first`() {
        let page = Self.page([MeasuredRun.made("ours"), MeasuredRun.made("go-oidc")])
        #expect(page.contains("All measurements"))
        let one = Self.page([MeasuredRun.made("ours")])
        #expect(!one.contains("All measurements"))
    }

    @Test func `a measurement without a sign-in makes a page all the same`() {
        let recorder = LoadRecorder(window: MeasurementWindow(begin: 0, end: 1_000_000_000), basis: .end)
        let run = MeasuredRun(
            target: "dead", shape: LoadShape(concurrency: 1, algorithm: "ES256"), round: 1, began: 0,
            recorder: recorder)
        let page = Self.page([run])
        #expect(page.contains("0 sign-ins verified"))
        #expect(!page.contains("<svg"))
        #expect(!page.contains("nan"))
    }
}
