// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import OIDCBrokerTesting
import SignInWithApple
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerRecords

/// What counts for a broker without being the broker: it uses the metrics system that the broker was given.
struct HandedMetricsTests {
    @Test func `a forwarding field that cannot be read is one event of one counter`() throws {
        let metrics = TestMetrics()
        let installation = try Installation(metrics: metrics)
        #expect(installation.broker.metricsFactory is TestMetrics)
        for _ in 0..<2 { installation.broker.countUnreadableForwarding() }
        #expect(try metrics.expectCounter("auth_forwarded_unreadable").totalValue == 2)
        #expect(metrics.counters(label: "auth_forwarded_unreadable").count == 1)
    }

    @Test func `the gauge of Apple's client secret is one, also after a reload`() throws {
        let metrics = TestMetrics()
        let clock = TestClock()
        let installation = try Installation(apple: StubApple(clock: clock), clock: clock, metrics: metrics)
        func source() throws -> AppleClientSecret {
            let entry = try #require(installation.broker.current.provider(name: "apple"))
            return try #require(entry.behavior.clientSecret)
        }
        func ask() throws {
            _ = try source().clientSecret(forClientID: StubApple.servicesID, now: clock.now())
        }
        func values() throws -> [Double] {
            try metrics.expectGauge("auth_apple_client_secret_usable", [("client_id", StubApple.servicesID)]).values
        }
        try ask()
        #expect(try values() == [1])
        try source().clientSecret(forClientID: StubApple.servicesID, wasAccepted: false)
        #expect(try values() == [1, 0])
        #expect(metrics.recorders(label: "auth_apple_client_secret_usable").count == 1)
        // What the provider's behavior is made of changes, so that it is made anew.
        var next = installation.configuration
        let index = try #require(next.providers.firstIndex { $0.apple != nil })
        next.providers[index].title = "Another title"
        try installation.broker.reload(next)
        try ask()
        #expect(try values().last == 1)
    }
}
