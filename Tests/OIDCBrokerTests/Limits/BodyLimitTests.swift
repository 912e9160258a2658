// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords

/// Bodies that the server in front had no memory for.
struct BodyLimitTests {
    @Test func `each is counted as a request over a limit, apart from those of one address`() throws {
        let metrics = TestMetrics()
        let installation = try Installation(metrics: metrics)
        for _ in 0..<2 { installation.broker.countRefusedBody(.total) }
        installation.broker.countRefusedBody(.address)
        #expect(try metrics.expectCounter("auth_limits", [("limit", "bodies")]).totalValue == 2)
        #expect(try metrics.expectCounter("auth_limits", [("limit", "bodies-per-address")]).totalValue == 1)
        #expect(metrics.counters(label: "auth_limits").count == 2)
    }
}
