// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct TableLoadTests {
    private static let usual = LoadShape(concurrency: 64, redeemed: 0.01, algorithm: "RS256")

    @Test func `every step belongs to exactly one load`() {
        let steps = TableLoad.allCases.flatMap(\.launches).flatMap { $0 }
        #expect(steps.count == TableStep.allCases.count)
        #expect(Set(steps) == Set(TableStep.allCases))
    }

    /// What a target is like is said when it is launched; only the load may differ between two steps of a launch.
    @Test(arguments: TableLoad.allCases)
    func `the steps of a launch need the same target`(load: TableLoad) {
        for steps in load.launches {
            let shapes = steps.map { $0.shape(from: Self.usual) }
            #expect(!shapes.isEmpty)
            #expect(Set(shapes.map(\.providers)).count == 1)
            #expect(Set(shapes.map(\.isTLS)).count == 1)
            #expect(Set(shapes.map(\.isHTTP2)).count == 1)
            #expect(Set(shapes.map(\.isProviderTLS)).count == 1)
        }
    }

    @Test func `each step drives what its name says`() {
        func title(_ step: TableStep) -> String { step.shape(from: Self.usual).title }
        let many = "RS256, 64 at a time"
        #expect(title(.signIn) == "\(many), redeemed 1 %")
        #expect(title(.start) == "\(many), start alone")
        #expect(title(.one) == "RS256, 1 at a time, redeemed 1 %")
        #expect(title(.rate) == "RS256, open loop, redeemed 1 %")
        #expect(title(.redeemed) == many)
        #expect(title(.redemption) == "\(many), redemption alone")
        #expect(title(.httpsProvider) == "\(many), redeemed 1 %, provider on HTTPS")
        #expect(title(.http2) == "\(many), redeemed 1 %, HTTP/2")
        #expect(title(.thousandProviders) == "\(many), redeemed 1 %, 1000 providers")
        #expect(title(.tenThousandConnections) == "\(many), redeemed 1 %, 10000 idle connections")
        #expect(title(.abandoned) == "\(many), start alone")
        #expect(TableStep.http2.shape(from: Self.usual).isTLS)
    }

    @Test func `browsers come over HTTP/2, and their credentials are redeemed`() {
        func title(_ step: TableStep) -> String { step.shape(from: Self.usual).title }
        let many = "RS256, 64 at a time"
        #expect(title(.newStart) == "\(many), start alone, HTTP/2, browser with X25519, start new")
        #expect(title(.resumedStart) == "\(many), start alone, HTTP/2, browser with X25519, start resumed")
        #expect(title(.hybridStart) == "\(many), start alone, HTTP/2, browser with X25519MLKEM768, start new")
        #expect(title(.browser) == "\(many), HTTP/2, browser with X25519, start new, callback resumed")
        #expect(title(.browserKept) == "\(many), HTTP/2, browser with X25519, start new, callback kept")
        #expect(title(.hybridBrowser) == "\(many), HTTP/2, browser with X25519MLKEM768, start new, callback resumed")
        #expect(TableStep.oneBrowser.shape(from: Self.usual).concurrency == 1)
        #expect(TableStep.idleBrowsers.shape(from: Self.usual).idleConnections == 10_000)
    }

    /// What two steps are compared by differs in one thing alone, whatever the whole table is measured under.
    @Test func `what stands beside a step differs in one thing`() {
        var usual = Self.usual
        usual.isProviderTLS = true
        var plain = TableStep.httpsProvider.shape(from: usual)
        #expect(plain.isProviderTLS)
        plain.isProviderTLS = false
        #expect(TableStep.plainProvider.shape(from: usual) == plain)
        var one = TableStep.tenProviders.shape(from: usual)
        one.providers = 1
        #expect(TableStep.oneProvider.shape(from: usual) == one)
        var ten = TableStep.tenThousandConnections.shape(from: usual)
        ten.idleConnections = 10
        #expect(TableStep.tenConnections.shape(from: usual) == ten)
    }
}
