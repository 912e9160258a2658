// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOEmbedded
import HTTPTypes
import Metrics
import MetricsTestKit
import NIOCore
import OIDCBrokerTesting
import Synchronization
import Testing
import TestingSupport

@testable import Admission
@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// What a broker counts and measures, by a metrics system of its own.
struct BrokerMetricsTests {
    /// A metrics system that counts what it makes.
    private final class Makes: MetricsFactory {
        let metrics = TestMetrics()
        private let count = Mutex(0)

        /// How many handles were made.
        var made: Int { count.withLock { $0 } }

        func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            count.withLock { $0 += 1 }
            return metrics.makeCounter(label: label, dimensions: dimensions)
        }

        func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
            count.withLock { $0 += 1 }
            return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
        }

        func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            count.withLock { $0 += 1 }
            return metrics.makeTimer(label: label, dimensions: dimensions)
        }

        func destroyCounter(_ handler: any CounterHandler) {}
        func destroyRecorder(_ handler: any RecorderHandler) {}
        func destroyTimer(_ handler: any TimerHandler) {}
    }

    private func total(_ metrics: TestMetrics, _ label: String, _ dimensions: (String, String)...) throws -> Int64 {
        try metrics.expectCounter(label, dimensions).totalValue
    }

    @Test func `a sign-in is counted at each of its steps`() throws {
        let metrics = TestMetrics()
        let installation = try Installation(metrics: metrics)
        let app = AppClient.shop
        for _ in 0..<3 {
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            let tokens = try installation.redeem(code, app).json()
            let token = try #require(tokens["access_token"]?.text?.makeString())
            #expect(
                try installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer " + token]).status == 200)
        }
        _ = try installation.redeem(HandOff().code, app)
        _ = try installation.get("/__/auth/userinfo")
        _ = try installation.get("/__/auth/authorize?client_id=nobody")
        _ = try installation.get("/__/auth/logout?client_id=nobody")
        #expect(
            try total(
                metrics, "auth_starts", ("app", "shop"), ("provider", "oidc.acme"), ("outcome", "redirected")) == 3)
        #expect(
            try total(metrics, "auth_starts", ("app", "none"), ("provider", "none"), ("outcome", "refused")) == 1)
        #expect(try total(metrics, "auth_callbacks", ("provider", "oidc.acme"), ("outcome", "signed_in")) == 3)
        #expect(try total(metrics, "auth_redemptions", ("app", "shop"), ("outcome", "redeemed")) == 3)
        #expect(try total(metrics, "auth_redemptions", ("app", "shop"), ("outcome", "refused")) == 1)
        #expect(try total(metrics, "auth_user_info", ("outcome", "returned")) == 3)
        #expect(try total(metrics, "auth_user_info", ("outcome", "refused")) == 1)
        #expect(try total(metrics, "auth_logouts", ("outcome", "refused")) == 1)
        for step in ["discovery", "token", "key_set"] {
            let timer = try metrics.expectTimer(
                "auth_provider_request_duration_seconds", [("provider", "oidc.acme"), ("step", step)])
            #expect(timer.values.count == (step == "token" ? 3 : 1))
        }
        #expect(try metrics.expectTimer("auth_redemption_duration_seconds").values.count == 4)
    }

    @Test func `a callback is measured from its request to its response, and counted while it waits`() throws {
        let metrics = TestMetrics()
        let installation = try Installation(metrics: metrics)
        let pending = try installation.waitingCallback()
        #expect(pending.response == nil)
        #expect(installation.broker.callbacksInProgress.map { $0.count } == [1])
        installation.eventLoop.advanceTime(by: .milliseconds(250))
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
        #expect(installation.broker.callbacksInProgress.map { $0.count } == [0])
        let timer = try metrics.expectTimer("auth_callback_duration_seconds", [("provider", "oidc.acme")])
        #expect(timer.values == [250_000_000])
        let request = try metrics.expectTimer(
            "auth_provider_request_duration_seconds", [("provider", "oidc.acme"), ("step", "token")])
        #expect(request.values == [250_000_000])
    }

    @Test func `handles are made once, and no request makes any after the first of its kind`() throws {
        let makes = Makes()
        let installation = try Installation(metrics: makes)
        func run() throws {
            let app = AppClient.shop
            var browser = Browser(installation)
            let code = try #require(try browser.signIn(app)["code"])
            #expect(try installation.redeem(code, app).status == 200)
            _ = try installation.get(Installation.handler + "?state=x&code=y")
        }
        try run()
        let made = makes.made
        #expect(made > 5)
        for _ in 0..<10 { try run() }
        #expect(makes.made == made)
    }

    @Test func `each provider's callbacks in progress are counted where there are several`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        let places = installation.broker.services.limiter.callbacks
        let globex = try #require(installation.broker.current.provider(name: "globex"))
        #expect(places.begin(of: globex.number))
        #expect(installation.broker.callbacksInProgress.map { $0.provider } == ["oidc.acme", "oidc.globex"])
        #expect(installation.broker.callbacksInProgress.map { $0.count } == [0, 1])
        places.end(of: globex.number)
        #expect(installation.broker.callbacksInProgress.map { $0.count } == [0, 0])
    }

    @Test func `logins of an embedding server are counted apart`() throws {
        let metrics = TestMetrics()
        let installation = try Installation(
            signInHandlers: ["site": SignInHandler { _ in .redirect(headerFields: [:]) }], metrics: metrics
        ) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
        }
        var browser = Browser(installation)
        #expect(try browser.get("/__/auth/login/site").status == 303)
        #expect(try total(metrics, "auth_logins", ("app", "site"), ("outcome", "redirected")) == 1)
    }
}
