// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The limit on refused requests of apps from one address.
struct FailureLimitTests {
    private static let crowd = IPAddress("192.0.2.1")
    private static let other = IPAddress("2001:db8::1")
    private static let burst = 4

    private func installation(
        store: (any SingleUseStore)? = nil, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Installation {
        var limits = RequestLimits()
        (limits.failuresPerSecond, limits.failuresBurst) = (1, Self.burst)
        return try Installation(store: store, requestLimits: limits, configure: configure)
    }

    private func send(
        _ installation: Installation, _ path: String, _ form: [(String, String)] = [],
        by method: HTTPRequest.Method = .post, fields: HTTPFields = [:], from client: IPAddress?
    ) throws -> BrokerResponse {
        var fields = fields
        if method == .post, fields[.contentType] == nil {
            fields[.contentType] = "application/x-www-form-urlencoded"
        }
        return try installation.respond(
            BrokerRequest(
                head: HTTPRequest(
                    method: method, scheme: "https", authority: "auth.example.com", path: "/__/auth" + path,
                    headerFields: fields),
                body: ByteBuffer(string: Query.encode(form)), client: client))
    }

    /// Signs in and redeems the code from an address.
    private func redeem(_ app: AppClient, at installation: Installation, from client: IPAddress?) throws
        -> BrokerResponse
    {
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        return try send(installation, "/token", app.tokenForm(code), from: client)
    }

    private func error(_ response: BrokerResponse) throws -> String? {
        try response.json()["error"]?.text?.makeString()
    }

    private func expectLimited(
        _ response: BrokerResponse, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == 429, sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == "1", sourceLocation: sourceLocation)
        #expect(response.pause == 1, sourceLocation: sourceLocation)
        #expect(try error(response) == "temporarily_unavailable", sourceLocation: sourceLocation)
    }

    /// Requests that are refused.
    private static let refused: [(HTTPRequest.Method, String, [(String, String)], HTTPFields)] = [
        (.post, "/token", [("client_id", "shop"), ("grant_type", "authorization_code"), ("code", "x")], [:]),
        (.post, "/token", [], [:]),
        (.get, "/token", [], [:]),
        (.post, "/token", [("client_id", "nobody")], [:]),
        (.post, "/token", [("client_id", "shop"), ("client_id", "shop")], [:]),
        (.post, "/token", [("client_id", "back-office"), ("client_secret", "wrong")], [:]),
        (.post, "/token", [("client_id", "back-office")], [:]),
        (.post, "/token", [], Installation.basic("back-office", "wrong")),
        (.post, "/token", [("client_assertion_type", AppAssertion.type), ("client_assertion", "x")], [:]),
        (.post, "/token", [("client_id", "shop")], [.contentType: "application/json"]),
        (.post, "/credential", [("client_id", "shop"), ("provider", "acme"), ("id_token", "x")], [:]),
        (.post, "/revoke", [("client_id", "shop"), ("token", "x"), ("provider", "acme")], [:]),
        (.get, "/userinfo", [], [:]),
        (.get, "/userinfo", [], [.authorization: "Bearer x"]),
        (.put, "/userinfo", [], [:]),
    ]

    @Test(arguments: refused.indices)
    func `refused requests of one address are limited, whatever is wrong with them`(index: Int) throws {
        let installation = try installation()
        let (method, path, form, fields) = Self.refused[index]
        func response(_ client: IPAddress?) throws -> BrokerResponse {
            try send(installation, path, form, by: method, fields: fields, from: client)
        }
        for _ in 0..<Self.burst {
            let status = try response(Self.crowd).status
            #expect((400..<500).contains(status) && status != 429)
        }
        for _ in 0..<3 { try expectLimited(try response(Self.crowd)) }
        for client in [Self.other, nil] { #expect(try response(client).status != 429) }
        // A token comes each second. What was refused as one too many is not counted once more.
        installation.clock.advance(by: 1)
        #expect(try response(Self.crowd).status != 429)
        try expectLimited(try response(Self.crowd))
    }

    @Test func `the endpoints share one bucket`() throws {
        let installation = try installation()
        for index in [0, 10, 11, 12] {
            let (method, path, form, fields) = Self.refused[index]
            let response = try send(installation, path, form, by: method, fields: fields, from: Self.crowd)
            #expect(response.status != 429, "\(path)")
        }
        for path in ["/token", "/credential", "/revoke"] {
            try expectLimited(try send(installation, path, from: Self.crowd))
        }
        try expectLimited(try send(installation, "/userinfo", by: .get, from: Self.crowd))
    }

    /// Uses up the failures of an address.
    private func exhaust(_ installation: Installation, _ client: IPAddress?) throws {
        for _ in 0..<(Self.burst * 2) { _ = try send(installation, "/token", from: client) }
        try expectLimited(try send(installation, "/token", from: client))
    }

    @Test func `successes never count`() throws {
        let installation = try installation()
        for _ in 0..<(Self.burst * 3) {
            #expect(try redeem(.shop, at: installation, from: Self.crowd).status == 200)
        }
        for _ in 0..<Self.burst { #expect(try send(installation, "/token", from: Self.crowd).status == 401) }
    }

    @Test func `a public app behind an address over the limit waits, and redeems the same code a second later`() throws
    {
        let installation = try installation()
        let app = AppClient.shop
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        try exhaust(installation, Self.crowd)
        let origin: HTTPFields = [.origin: "https://shop.example"]
        let refusal = try send(installation, "/token", app.tokenForm(code), fields: origin, from: Self.crowd)
        try expectLimited(refusal)
        #expect(refusal.head.headerFields[.accessControlAllowOrigin] == "https://shop.example")
        installation.clock.advance(by: 1)
        let response = try send(installation, "/token", app.tokenForm(code), fields: origin, from: Self.crowd)
        #expect(response.status == 200)
        // Its page says so too, and no other client's does.
        let preflight = try send(installation, "/token", by: .options, fields: origin, from: Self.crowd)
        #expect(preflight.status == 204)
    }

    @Test func `a confidential app is never limited by its address, however it authenticates`() throws {
        let installation = try installation()
        try exhaust(installation, Self.crowd)
        for _ in 0..<(Self.burst * 3) {
            #expect(try redeem(.back, at: installation, from: Self.crowd).status == 200)
        }
        let basic = Installation.basic("back-office", Installation.backSecret)
        for path in ["/token", "/revoke", "/credential"] {
            #expect(try send(installation, path, fields: basic, from: Self.crowd).status == 400, "\(path)")
        }
        try expectLimited(try send(installation, "/token", from: Self.crowd))
    }

    @Test func `what a confidential app is refused does not count for its address`() throws {
        let installation = try installation()
        let basic = Installation.basic("back-office", Installation.backSecret)
        for _ in 0..<(Self.burst * 3) {
            let form = [("grant_type", "authorization_code"), ("code", "x"), ("redirect_uri", "x")]
            let response = try send(installation, "/token", form, fields: basic, from: Self.crowd)
            #expect(response.status == 400)
        }
        #expect(try send(installation, "/token", from: Self.crowd).status == 401)
    }

    @Test func `UserInfo: the tokens of a confidential app are good over the limit, those of a public one wait`() throws
    {
        let installation = try installation()
        func fields(_ app: AppClient) throws -> HTTPFields {
            let tokens = try redeem(app, at: installation, from: nil).json()
            let token = try #require(tokens["access_token"]?.text?.makeString())
            return [.authorization: "Bearer \(token)"]
        }
        let (back, shop) = (try fields(.back), try fields(.shop))
        try exhaust(installation, Self.crowd)
        func userInfo(_ fields: HTTPFields, _ client: IPAddress?) throws -> BrokerResponse {
            try send(installation, "/userinfo", by: .get, fields: fields, from: client)
        }
        #expect(try userInfo(back, Self.crowd).status == 200)
        try expectLimited(try userInfo(shop, Self.crowd))
        #expect(try userInfo(shop, Self.other).status == 200)
        installation.clock.advance(by: 1)
        #expect(try userInfo(shop, Self.crowd).status == 200)
    }

    @Test func `a failure of the server is not the client's`() throws {
        let store = FaultyStore()
        let installation = try installation(store: store)
        let app = AppClient.shop
        var browser = Browser(installation)
        let code = try #require(try browser.signIn(app)["code"])
        store.fail(after: 0)
        for _ in 0..<(Self.burst * 3) {
            let response = try send(installation, "/token", app.tokenForm(code), from: Self.crowd)
            #expect(response.status == 503)
        }
    }

    @Test func `the log says so once a second`() throws {
        let installation = try installation()
        try exhaust(installation, Self.crowd)
        let lines = installation.log.lines.filter { $0.metadata["auth.limit"] == "failures" }
        #expect(lines.count == 1)
        #expect(lines.first?.metadata["auth.client"] == "192.0.2.1")
    }
}
