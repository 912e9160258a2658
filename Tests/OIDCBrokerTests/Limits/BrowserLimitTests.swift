// SPDX-License-Identifier: Apache-2.0

import Admission
import BrowserTesting
import JOSE
import Logging
import HTTPTypes
import MetricsTestKit
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The limit on the requests of browsers from one address.
struct BrowserLimitTests {
    private static let crowd = IPAddress("192.0.2.1")
    private static let person = IPAddress("192.0.2.2")

    private func installation(
        perSecond: Int = 1, burst: Int = 10, providers: [String] = ["acme"],
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Installation {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (perSecond, burst)
        return try Installation(
            providers: providers,
            signInHandlers: ["site": SignInHandler { _ in .redirect(headerFields: [:]) }], requestLimits: limits
        ) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            $0.apps.append(site)
            try configure(&$0)
        }
    }

    private func request(
        _ method: HTTPRequest.Method, _ path: String, from client: IPAddress?, fields: HTTPFields = [:]
    ) -> BrokerRequest {
        BrokerRequest(
            head: HTTPRequest(
                method: method, scheme: "https", authority: "auth.example.com", path: "/__/auth" + path,
                headerFields: fields), client: client)
    }

    private func expectLimited(_ response: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(response.status == 429, sourceLocation: sourceLocation)
        #expect(response.heading == "Please wait a moment", sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == "1", sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `the limits are those of the documentation`() {
        let limits = RequestLimits()
        #expect([limits.browserPerSecond, limits.browserBurst] == [20, 200])
        #expect([limits.failuresPerSecond, limits.failuresBurst, limits.callbacks] == [5, 200, 2048])
    }

    @Test(
        arguments: [
            (.get, "/authorize"), (.post, "/authorize"), (.head, "/authorize"), (.put, "/authorize"),
            (.post, "/choose"), (.get, "/handler"), (.post, "/handler"), (.head, "/handler"), (.post, "/continue"),
            (.get, "/logout"), (.post, "/logout"), (.post, "/logout/confirm"), (.get, "/logout/done"),
            (.get, "/login/site"), (.delete, "/login/site"), (.get, "/nothing"),
        ] as [(HTTPRequest.Method, String)])
    func `each request to an endpoint of browsers counts, whatever comes of it`(
        method: HTTPRequest.Method, path: String
    ) throws {
        let installation = try installation()
        for number in 1...10 {
            let status = try installation.respond(request(method, path, from: Self.crowd)).status
            #expect(status != 429, "request \(number)")
        }
        expectLimited(try installation.respond(request(method, path, from: Self.crowd)))
        // Another address, and one that is not known, are not held up.
        for client in [Self.person, nil] {
            #expect(try installation.respond(request(method, path, from: client)).status != 429)
        }
        installation.clock.advance(by: 1)
        #expect(try installation.respond(request(method, path, from: Self.crowd)).status != 429)
        expectLimited(try installation.respond(request(method, path, from: Self.crowd)))
    }

    @Test(
        arguments: [
            (.get, "/jwks"), (.get, "/.well-known/openid-configuration"), (.post, "/token"),
            (.get, "/userinfo"), (.post, "/revoke"), (.post, "/credential"),
        ] as [(HTTPRequest.Method, String)])
    func `no other request counts`(method: HTTPRequest.Method, path: String) throws {
        let installation = try installation(burst: 1)
        for _ in 0..<20 {
            #expect(try installation.respond(request(method, path, from: Self.crowd)).status != 429)
        }
    }

    @Test func `a provider's own callback path counts too`() throws {
        let installation = try installation(burst: 1) { $0.providers[0].callbackPath = "/elsewhere" }
        func callback() throws -> Int {
            try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "https", authority: "auth.example.com", path: "/elsewhere"),
                    client: Self.crowd)
            ).status
        }
        #expect(try callback() == 400)
        #expect(try callback() == 429)
    }

    @Test func `images in a foreign page use up at most a tenth of what its visitors may do`() throws {
        let installation = try installation(burst: 20)
        let image: HTTPFields = [
            .secFetchSite: "cross-site", .secFetchMode: "no-cors", .secFetchDestination: "image",
        ]
        func statuses(_ count: Int, _ path: String, _ fields: HTTPFields = [:]) throws -> [Int] {
            try (0..<count).map { _ in
                try installation.respond(request(.get, path, from: Self.crowd, fields: fields)).status
            }
        }
        #expect(try statuses(2, "/authorize", image) == [403, 403])
        for path in ["/authorize", "/handler", "/continue", "/choose"] {
            #expect(try statuses(5, path, image) == Array(repeating: 429, count: 5), "\(path)")
        }
        // An image of the broker's own page, and a client that does not say, do not count.
        let own: HTTPFields = [.secFetchSite: "same-origin", .secFetchMode: "no-cors", .secFetchDestination: "image"]
        #expect(try statuses(1, "/authorize", own) == [403])
        #expect(try statuses(17, "/handler") == Array(repeating: 400, count: 17))
        #expect(try statuses(1, "/handler") == [429])
        // What is refused for want of the one uses nothing of the other up.
        installation.clock.advance(by: 1)
        #expect(try statuses(1, "/handler") == [400])
        #expect(try statuses(3, "/authorize", image) == [429, 429, 429])
        installation.clock.advance(by: 1)
        #expect(try statuses(2, "/authorize", image) == [403, 429])
    }

    @Test func `each row of the rates is counted under a word of its own`() throws {
        let metrics = TestMetrics()
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 10)
        let installation = try Installation(requestLimits: limits, metrics: metrics) {
            for index in $0.apps.indices { $0.apps[index].requestsPerSecond = 1 }
        }
        let image: HTTPFields = [
            .secFetchSite: "cross-site", .secFetchMode: "no-cors", .secFetchDestination: "image",
        ]
        for _ in 0..<2 {
            _ = try installation.respond(request(.get, "/authorize", from: Self.crowd, fields: image))
        }
        for _ in 0..<10 { _ = try installation.respond(request(.get, "/handler", from: Self.crowd)) }
        var browser = Browser(installation)
        for _ in 0..<11 { _ = try browser.get(AppClient.shop.target()) }
        for _ in 0..<11 { _ = installation.pending(AppClient.shop.tokenForm("none")) }
        for limit in ["subresources", "browser", "starts", "app"] {
            #expect(try metrics.expectCounter("auth_limits", [("limit", limit)]).totalValue == 1, "\(limit)")
        }
        let lines = installation.log.lines.compactMap { $0.metadata["auth.limit"] }
        #expect(lines == ["subresources", "browser", "starts", "app"])
    }

    @Test func `a form that a service worker passes on is no subresource`() throws {
        let installation = try installation(burst: 10)
        let passedOn: HTTPFields = [
            .secFetchSite: "cross-site", .secFetchMode: "navigate", .secFetchDestination: "empty",
        ]
        for _ in 0..<10 {
            let response = try installation.respond(request(.post, "/handler", from: Self.crowd, fields: passedOn))
            #expect(response.status == 415)
        }
        expectLimited(try installation.respond(request(.post, "/handler", from: Self.crowd, fields: passedOn)))
    }

    @Test func `what a client says of itself never lets more through than saying nothing, in any mixture`() throws {
        let installation = try installation(burst: 10)
        let sites = [nil, "none", "same-origin", "same-site", "cross-site", "\"none\""]
        let modes = [nil, "navigate", "no-cors", "cors", "\"navigate\""]
        let destinations = [nil, "document", "image", "empty"]
        let combinations = sites.flatMap { site in
            modes.flatMap { mode in
                destinations.map { destination -> HTTPFields in
                    var fields = HTTPFields()
                    fields[.secFetchSite] = site
                    fields[.secFetchMode] = mode
                    fields[.secFetchDestination] = destination
                    return fields
                }
            }
        }
        var clients: UInt16 = 0
        /// The number of requests of one more client that are let through.
        func passed(_ method: HTTPRequest.Method, _ sequence: [HTTPFields]) throws -> Int {
            clients += 1
            let client = try #require(IPAddress(bytes: [10, 0, UInt8(clients >> 8), UInt8(clients & 0xFF)]))
            return try sequence.filter { fields in
                try installation.respond(request(method, "/handler", from: client, fields: fields)).status != 429
            }.count
        }
        for method: HTTPRequest.Method in [.get, .post] {
            let most = try passed(method, Array(repeating: [:], count: 14))
            #expect(most == 10)
            for fields in combinations {
                let alone = Array(repeating: fields, count: 14)
                #expect(try passed(method, alone) <= most, "\(method) \(fields)")
                #expect(try passed(method, alone.flatMap { [$0, HTTPFields()] }) <= most, "\(method) \(fields)")
                #expect(try passed(method, Array(repeating: [:], count: 14) + alone) <= most, "\(method) \(fields)")
            }
            #expect(try passed(method, combinations) <= most)
            #expect(try passed(method, combinations.reversed()) <= most)
        }
    }

    @Test func `a script gets JSON; a browser, and a client that does not say, gets a page`() throws {
        let installation = try installation(burst: 1)
        _ = try installation.respond(request(.get, "/authorize", from: Self.crowd))
        let script: HTTPFields = [.secFetchMode: "cors", .secFetchDestination: "empty"]
        let response = try installation.respond(request(.get, "/authorize", from: Self.crowd, fields: script))
        #expect(response.status == 429)
        #expect(response.head.headerFields[.retryAfter] == "1")
        #expect(try response.json()["error"]?.text?.makeString() == "temporarily_unavailable")
        let browser: HTTPFields = [.secFetchMode: "navigate", .secFetchDestination: "document"]
        for fields in [browser, [:]] {
            expectLimited(try installation.respond(request(.get, "/authorize", from: Self.crowd, fields: fields)))
        }
        let german: HTTPFields = [.acceptLanguage: "de"]
        let page = try installation.respond(request(.get, "/authorize", from: Self.crowd, fields: german))
        #expect(page.heading == "Bitte warten Sie einen Moment")
    }

    @Test func `a client over the rate uses no login up: the same callback signs in a second later`() throws {
        let installation = try installation(burst: 1)
        var browser = Browser(installation)
        browser.client = Self.crowd
        let response = try browser.authenticate()
        let cookies = browser.jar.cookies.count
        for _ in 0..<5 { expectLimited(try browser.bring(response)) }
        #expect(browser.jar.cookies.count == cookies)
        #expect(installation.provider.count("/token") == 0)
        installation.clock.advance(by: 1)
        #expect(try Location(try browser.bring(response))["code"] != nil)
    }

    @Test func `2,000 addresses at the limit do not hold up one more user`() throws {
        let installation = try installation(burst: 2)
        for number in 0..<2000 {
            let client = try #require(IPAddress(bytes: [127, 1, UInt8(number / 250), UInt8(number % 250)]))
            var last = 0
            for _ in 0..<3 { last = try installation.respond(request(.get, "/handler", from: client)).status }
            #expect(last == 429)
        }
        var browser = Browser(installation)
        browser.client = Self.person
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test func `a rate of 0 is no limit, and a change holds at once`() throws {
        let installation = try installation(perSecond: 0, burst: 1)
        func status() throws -> Int { try installation.respond(request(.get, "/handler", from: Self.crowd)).status }
        for _ in 0..<300 { #expect(try status() == 400) }
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 2)
        installation.broker.replaceRequestLimits(by: limits)
        #expect(try [status(), status(), status()] == [400, 400, 429])
        limits.browserPerSecond = 0
        installation.broker.replaceRequestLimits(by: limits)
        #expect(try status() == 400)
    }

    @Test func `a wall clock that is set changes nothing`() throws {
        let installation = try installation(burst: 1)
        func status() throws -> Int { try installation.respond(request(.get, "/handler", from: Self.crowd)).status }
        #expect(try status() == 400)
        for step in [3600, -7200] as [Int64] {
            installation.clock.step(by: step)
            #expect(try status() == 429)
        }
    }

    @Test func `the log says so once a second, with the address and a reference that is on the page`() throws {
        let installation = try installation(burst: 1)
        var pages: [BrokerResponse] = []
        for _ in 0..<4 { pages.append(try installation.respond(request(.get, "/handler", from: Self.crowd))) }
        func lines() -> [CapturedLog.Line] {
            installation.log.lines.filter { $0.message == "request refused: over a limit" }
        }
        let line = try #require(lines().first)
        #expect(lines().count == 1)
        #expect(line.level == .info)
        #expect(line.metadata["auth.limit"] == "browser")
        #expect(line.metadata["auth.client"] == "192.0.2.1")
        let reference = try #require(line.metadata["auth.reference"])
        for page in pages.dropFirst() { #expect(page.text.contains(reference)) }
        installation.clock.advance(by: 1)
        for _ in 0..<2 { _ = try installation.respond(request(.get, "/handler", from: Self.crowd)) }
        #expect(lines().last?.metadata["auth.repeated"] == "2")
    }

    @Test func `the page is the same bytes for each language until another line is written`() throws {
        let installation = try installation(burst: 1)
        func page(_ language: String = "en") throws -> BrokerResponse {
            let response = try installation.respond(
                request(.get, "/handler", from: Self.crowd, fields: [.acceptLanguage: language]))
            #expect(response.status == 429)
            return response
        }
        func place(_ response: BrokerResponse) -> UInt {
            response.body.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        }
        _ = try installation.respond(request(.get, "/handler", from: Self.crowd))
        let english = try page()
        let german = try page("de")
        #expect(english.heading == "Please wait a moment" && german.heading == "Bitte warten Sie einen Moment")
        #expect(try place(page()) == place(english))
        #expect(try place(page("de")) == place(german))
        #expect(try page().outcome == "limited" && page().reference == english.reference)
        // Another second has another line, whose reference is on the page.
        installation.clock.advance(by: 1)
        _ = try installation.respond(request(.get, "/handler", from: Self.crowd))
        let next = try page()
        #expect(next.reference != english.reference)
        let reference = try #require(next.reference)
        #expect(next.text.contains(reference.description))
        // A reload has pages of its own.
        var configuration = installation.configuration
        configuration.branding.operatorName = "Example Sign-in"
        try installation.broker.reload(configuration)
        #expect(try page().text.contains("Example Sign-in"))
    }

    @Test func `the response says how long its client is not heard, whether it is a page or JSON`() throws {
        let installation = try installation(burst: 1)
        #expect(try installation.respond(request(.get, "/handler", from: Self.crowd)).pause == nil)
        let script: HTTPFields = [.secFetchMode: "cors", .secFetchDestination: "empty"]
        for fields in [script, [:]] {
            let response = try installation.respond(request(.get, "/handler", from: Self.crowd, fields: fields))
            #expect(response.pause == 1)
        }
    }
}
