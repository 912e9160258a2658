// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Which format an `Accept` field gets.
@Suite struct ExpositionFormatTests {
    @Test(arguments: [
        "", "*/*", "text/plain", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/plain;version=0.0.4;q=0.3", "application/*", "application/json",
        // One that is not written here.
        "application/openmetrics-text;version=0.0.1", "application/openmetrics-text;version=2.0.0,*/*;q=0.1",
        // Refused, or less than the other.
        "application/openmetrics-text;q=0", "application/openmetrics-text;q=0.000,text/plain;q=0.001",
        "application/openmetrics-text;q=0.4,text/plain;q=0.5", "application/openmetrics-text;q=0.4,*/*;q=0.5",
        "application/openmetrics-text;q=0.4,text/*;q=0.41,*/*;q=0.1",
        // What cannot be read counts as refused.
        "application/openmetrics-text;q=2", "application/openmetrics-text;q=0.1234", "application/openmetrics-text;q=",
        "application/openmetrics-text;q=.5", "application/openmetrics-text;q=1..", "application/openmetrics-text;q=-1",
        "application/openmetrics-text;q=1e9", "application/openmetrics-textual", "\"application/openmetrics-text",
        "text/plain;a=\",application/openmetrics-text;b=\"",
    ])
    func `the older format`(accept: String) {
        #expect(ExpositionFormat(accept: accept.utf8) == .prometheus)
    }

    @Test(arguments: [
        "application/openmetrics-text", "application/openmetrics-text;version=1.0.0",
        "Application/OpenMetrics-Text ; Version=\"1.0.0\" ; charset=utf-8",
        // Prometheus 2 and 3.
        "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
            + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
        // The more precise range of the other one counts.
        "application/openmetrics-text;q=0.5,text/plain;q=0.1,*/*;q=1", "application/openmetrics-text;q=1.0,*/*",
        ",,application/openmetrics-text;q=0.001,;;=",
    ])
    func `OpenMetrics`(accept: String) {
        #expect(ExpositionFormat(accept: accept.utf8) == .openMetrics)
    }

    @Test func `ranges beyond the limit are not read`() {
        let others = String(repeating: "a/b,", count: 31)
        #expect(ExpositionFormat(accept: (others + "application/openmetrics-text").utf8) == .openMetrics)
        #expect(ExpositionFormat(accept: (others + "a/b,application/openmetrics-text").utf8) == .prometheus)
    }
}
