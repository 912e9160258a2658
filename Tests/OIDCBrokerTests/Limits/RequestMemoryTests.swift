// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The memory of requests that wait.
struct RequestMemoryTests {
    private static let crowd = IPAddress("192.0.2.1")
    private static let other = IPAddress("192.0.2.2")

    /// An installation of whose memory the crowd has used up its share, but for some requests.
    private struct Scene {
        let installation: Installation
        private let taken: Int

        init(_ installation: Installation, leaving count: Int) {
            self.installation = installation
            let memory = installation.broker.memory
            taken = memory.size / 8 - count * HeldMemory.requestBytes
            #expect(memory.take(taken, of: .requests, for: RequestMemoryTests.crowd) == nil)
        }

        /// The number of requests that wait now.
        var waiting: Int {
            (installation.broker.memory.held(.requests) - taken) / HeldMemory.requestBytes
        }

        func makeRoom() { installation.broker.memory.giveBack(taken, of: .requests, for: RequestMemoryTests.crowd) }

        func start(from client: IPAddress?) -> PendingResponse {
            RequestMemoryTests.start(at: installation, from: client)
        }

        func answer() {
            installation.provider.behave { $0.latePaths = [] }
            installation.provider.answerWaiting()
            installation.eventLoop.run()
        }
    }

    /// A callback that may wait, with the browser and what it brought.
    private struct Callback {
        let browser: Browser
        let parameters: [(String, String)]
        let pending: PendingResponse

        init(_ installation: Installation, from client: IPAddress?) throws {
            var browser = Browser(installation)
            // The start is not what is counted here.
            parameters = try browser.authenticate()
            browser.client = client
            pending = try browser.bringWithoutWaiting(parameters)
            self.browser = browser
            installation.eventLoop.run()
        }
    }

    private static func start(at installation: Installation, from client: IPAddress?) -> PendingResponse {
        let request = BrokerRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "auth.example.com", path: AppClient.shop.target()),
            client: client)
        let pending = PendingResponse(installation.broker.respond(to: request, on: installation.eventLoop))
        installation.eventLoop.run()
        return pending
    }

    /// An installation whose metadata and keys are there already, and whose provider takes its time for tokens.
    private func installation(metrics: TestMetrics? = nil) throws -> Installation {
        let installation = try Installation(metrics: metrics)
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        installation.provider.behave { $0.latePaths = ["/token"] }
        return installation
    }

    private func expectRefused(_ pending: PendingResponse, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let response = try #require(pending.response, sourceLocation: sourceLocation)
        #expect(response.status == 503, sourceLocation: sourceLocation)
        #expect(response.heading == "Signing in is not possible right now", sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == "5", sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `a callback of a network over its share is refused before the claim, and those of others wait`() throws {
        let metrics = TestMetrics()
        let installation = try installation(metrics: metrics)
        let scene = Scene(installation, leaving: 1)
        let first = try Callback(installation, from: Self.crowd)
        #expect(first.pending.response == nil)
        #expect(scene.waiting == 1)
        let refused = try Callback(installation, from: Self.crowd)
        try expectRefused(refused.pending)
        let other = try Callback(installation, from: Self.other)
        #expect(other.pending.response == nil)
        #expect(scene.waiting == 2)
        let limit = [("limit", "requests-per-address")]
        #expect(try metrics.expectCounter("auth_limits", limit).totalValue == 1)
        scene.answer()
        #expect([first, other].allSatisfy { $0.pending.response?.status == 303 })
        #expect(scene.waiting == 0)
        var browser = refused.browser
        #expect(try Location(try browser.bring(refused.parameters))["code"] != nil)
        #expect(scene.waiting == 0)
    }

    @Test func `beyond half of the memory, a callback of any client is refused`() throws {
        let metrics = TestMetrics()
        let installation = try installation(metrics: metrics)
        let memory = installation.broker.memory
        var browsers = [Browser(installation), Browser(installation)]
        let callbacks = try browsers.indices.map { try browsers[$0].authenticate() }
        #expect(memory.take(memory.size / 2 - HeldMemory.requestBytes, of: .requests, for: nil) == nil)
        let first = try browsers[0].bringWithoutWaiting(callbacks[0])
        installation.eventLoop.run()
        #expect(first.response == nil)
        let refused = try (0..<2).map { _ in try browsers[1].bringWithoutWaiting(callbacks[1]) }
        for pending in refused { try expectRefused(pending) }
        let places = refused.map { $0.response?.body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) } }
        #expect(places[0] == places[1], "the page is rendered once")
        #expect(try metrics.expectCounter("auth_limits", [("limit", "requests")]).totalValue == 2)
    }

    @Test func `beyond three quarters of that half, a start gives way to what ends a sign-in`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        let response = try browser.authenticate()
        let memory = installation.broker.memory
        #expect(memory.take(memory.size / 2 / 4 * 3, of: .requests, for: nil) == nil)
        try expectRefused(Self.start(at: installation, from: Self.other))
        #expect(try Location(try browser.bring(response))["code"] != nil)
        #expect(installation.pending(app.tokenForm(code)).response?.status == 200)
        memory.giveBack(HeldMemory.requestBytes, of: .requests, for: nil)
        let start = try #require(Self.start(at: installation, from: Self.other).response)
        #expect(try Location(start).base == installation.provider.issuer + "/authorize")
    }

    @Test func `a long body counts with its request, and a short one does not`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let form = app.tokenForm(try #require(try browser.signIn(app)["code"]))
        let memory = installation.broker.memory
        let taken = memory.size / 2 - HeldMemory.requestBytes
        #expect(memory.take(taken, of: .requests, for: nil) == nil)
        let padded = form + [("x", String(repeating: "x", count: HeldMemory.shortBodyBytes))]
        let refused = try #require(installation.pending(padded).response)
        #expect(refused.status == 503)
        #expect(refused.head.headerFields[.retryAfter] == "5")
        #expect(memory.held(.requests) == taken)
        #expect(installation.pending(form).response?.status == 200)
        #expect(memory.held(.requests) == taken)
        // An import has taken its memory before.
        for (length, beyond) in [(8_192, 0), (8_193, 1), (65_536, 57_344), (8 << 20, 57_344)] {
            #expect(HeldMemory.requestBytes(withBodyOf: length) == HeldMemory.requestBytes + beyond)
        }
    }

    @Test(arguments: ["apiKey=k", "api%4Bey=k", "state=&apiKey=k", "apiKey=k&sessionId=%FF"])
    func `a start of an SDK gives way too, at the path of callbacks`(query: String) throws {
        let logins = StubLogins()
        let installation = try Installation(extensions: [logins])
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let memory = installation.broker.memory
        let taken = memory.size / 2 / 4 * 3
        #expect(memory.take(taken, of: .requests, for: nil) == nil)
        #expect(try browser.get(Installation.handler + "?" + query).status == 503)
        #expect(logins.starts.isEmpty)
        #expect(try Location(try browser.bring(response))["code"] != nil)
        #expect(memory.held(.requests) == taken)
        memory.giveBack(2 * HeldMemory.requestBytes, of: .requests, for: nil)
        #expect(try browser.get(Installation.handler + "?" + query).status == 303)
        #expect(memory.held(.requests) == taken - 2 * HeldMemory.requestBytes)
    }

    @Test func `a redemption over the share is refused with its code unused`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        let shop = AppClient.shop
        func code(of app: AppClient) throws -> String {
            var browser = Browser(installation)
            return try #require(try browser.signIn(app)["code"])
        }
        let codes = try (0..<3).map { _ in try code(of: shop) }
        let scene = Scene(installation, leaving: 1)
        store.hold()
        let first = installation.pending(shop.tokenForm(codes[0]), from: Self.crowd)
        let second = installation.pending(shop.tokenForm(codes[1]), from: Self.crowd)
        let other = installation.pending(shop.tokenForm(codes[2]), from: Self.other)
        let waiting = [first, other]
        #expect(waiting.allSatisfy { $0.response == nil })
        #expect(scene.waiting == 2)
        let refusal = try #require(second.response)
        #expect(refusal.status == 503)
        #expect(refusal.head.headerFields[.retryAfter] == "5")
        #expect(try refusal.json()["error"]?.text?.makeString() == "temporarily_unavailable")
        store.release()
        installation.eventLoop.run()
        #expect(waiting.allSatisfy { $0.response?.status == 200 })
        #expect(scene.waiting == 0)
        #expect(installation.pending(shop.tokenForm(codes[1]), from: Self.crowd).response?.status == 200)
        // A failure gives it back as well.
        #expect(installation.pending(shop.tokenForm(codes[1]), from: Self.crowd).response?.status == 400)
        #expect(scene.waiting == 0)
    }

    @Test func `a pushed start of a network over its share gets a page, and the provider is not asked`() throws {
        let installation = try Installation { $0.providers[0].configuration.pushedAuthorization = true }
        installation.provider.behave {
            $0.metadata = ["pushed_authorization_request_endpoint": "https://login.acme.example/par"]
        }
        var browser = Browser(installation)
        #expect(try browser.start()["request_uri"] != nil)
        installation.provider.behave { $0.latePaths = ["/par"] }
        let scene = Scene(installation, leaving: 1)
        let first = scene.start(from: Self.crowd)
        #expect(first.response == nil)
        try expectRefused(scene.start(from: Self.crowd))
        let other = scene.start(from: Self.other)
        #expect(other.response == nil)
        #expect(scene.waiting == 2)
        #expect(installation.provider.count("/par") == 3)
        scene.answer()
        for start in [first, other] {
            let response = try #require(start.response)
            #expect(try Location(response)["request_uri"] != nil)
        }
        #expect(scene.waiting == 0)
    }

    @Test func `a start counts while metadata is fetched`() throws {
        let installation = try Installation()
        installation.provider.behave { $0.latePaths = ["/.well-known/openid-configuration"] }
        let scene = Scene(installation, leaving: 1)
        let first = scene.start(from: Self.crowd)
        #expect(first.response == nil)
        #expect(scene.waiting == 1)
        try expectRefused(scene.start(from: Self.crowd))
        scene.answer()
        #expect(scene.waiting == 0)
        let response = try #require(first.response)
        #expect(try Location(response).base == installation.provider.issuer + "/authorize")
    }

    @Test func `"Continue to APP" without memory for it uses nothing up`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        browser.client = Self.crowd
        let parameters = try browser.authenticate(.desk)
        let page = try browser.bring(parameters)
        #expect(page.status == 200)
        let scene = Scene(installation, leaving: 0)
        let refusal = try browser.submit(page)
        #expect(refusal.status == 503)
        #expect(refusal.head.headerFields[.retryAfter] == "5")
        scene.makeRoom()
        #expect(try Location(try browser.submit(page))["code"] != nil)
        #expect(installation.broker.memory.held(.requests) == 0)
    }

    @Test func `a change of the budget holds at once`() throws {
        let installation = try installation()
        let memory = installation.broker.memory
        #expect(memory.take(2 << 20, of: .requests, for: Self.crowd) == nil)
        #expect(try Callback(installation, from: Self.crowd).pending.response == nil)
        var limits = RequestLimits()
        limits.memoryBytes = 16 << 20
        installation.broker.replaceRequestLimits(by: limits)
        #expect(memory.size == 16 << 20)
        try expectRefused(try Callback(installation, from: Self.crowd).pending)
    }
}
