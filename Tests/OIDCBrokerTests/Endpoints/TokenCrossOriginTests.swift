// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// The origins that may read the token endpoint's response in a browser.
struct TokenCrossOriginTests {
    private func redeem(_ origin: String?, _ change: ([(String, String)]) -> [(String, String)] = { $0 }) throws
        -> BrokerResponse
    {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        return try installation.token(change(app.tokenForm(code)), fields: origin.map { [.origin: $0] } ?? [:])
    }

    @Test func `a page on the app's own origin`() throws {
        let response = try redeem("https://shop.example")
        #expect(response.status == 200)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == "https://shop.example")
        #expect(response.head.headerFields[.vary] == "Origin")
        #expect(response.head.headerFields[.accessControlAllowCredentials] == nil)
    }

    @Test(
        arguments: [
            "https://back.example", "https://shop.example:8443", "http://shop.example", "null", "https://shop.example/",
            "https://evil.example", "https://SHOP.example", "https://shop.example, https://evil.example", "*",
        ])
    func `no other page, not even of another app`(origin: String) throws {
        let response = try redeem(origin)
        #expect(response.status == 200)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == nil)
        #expect(response.head.headerFields[.vary] == "Origin")
    }

    @Test func `without Origin nothing is said`() throws {
        #expect(try redeem(nil).head.headerFields[.accessControlAllowOrigin] == nil)
    }

    @Test(arguments: ["code_verifier", "grant_type", "redirect_uri"])
    func `the app's page can read why it was refused`(name: String) throws {
        for value in ["wrong", ""] {
            let response = try redeem("https://shop.example") { form in
                form.map { $0.0 == name ? (name, value) : $0 }
            }
            #expect(response.status == 400)
            #expect(response.head.headerFields[.accessControlAllowOrigin] == "https://shop.example", "\(value)")
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:51004", true), ("http://127.0.0.1", true), ("http://127.0.0.1:1", true),
        ("http://localhost:51004", false), ("https://127.0.0.1:51004", false), ("http://127.0.0.2:51004", false),
        ("http://127.0.0.1:51004/", false), ("http://127.0.0.1:", false), ("http://127.0.0.1:65536", false),
        ("http://127.0.0.1:080", false), ("http://user@127.0.0.1", false), ("http://127.0.0.1.example", false),
        ("HTTP://127.0.0.1", false), ("http://127.0.0.1?", false),
    ])
    func `a page on the loopback host of a redirect URI, from any port`(origin: String, isAllowed: Bool) throws {
        let installation = try Installation()
        let fields: HTTPFields = [.origin: origin]
        let preflight = try installation.request(.options, "/__/auth/token", fields: fields)
        #expect(preflight.head.headerFields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
        let desk = AppClient.desk
        let response = try installation.token(desk.tokenForm("no code"), fields: fields)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == (isAllowed ? origin : nil))
        let shop = try installation.token(AppClient.shop.tokenForm("no code"), fields: fields)
        #expect(shop.head.headerFields[.accessControlAllowOrigin] == nil, "another app")
    }

    private static let hybridOrigins = [
        "capacitor://localhost", "ionic://localhost", "tauri://localhost", "http://tauri.localhost",
        "https://localhost", "app://localhost",
        "moz-extension://0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    ]

    @Test(arguments: TokenCrossOriginTests.endpoints, TokenCrossOriginTests.hybridOrigins)
    func `the pages of a hybrid app whose origin is named read responses, and no user is sent there`(
        target: String, origin: String
    ) throws {
        let installation = try Installation { $0.apps[0].webOrigins = [origin] }
        let fields: HTTPFields = [.origin: origin]
        let preflight = try installation.request(.options, target, fields: fields)
        #expect(preflight.head.headerFields[.accessControlAllowOrigin] == origin)
        let shop = try installation.token(AppClient.shop.tokenForm("no code"), fields: fields)
        #expect(shop.head.headerFields[.accessControlAllowOrigin] == origin)
        #expect(shop.head.headerFields[.accessControlAllowCredentials] == nil)
        let desk = try installation.token(AppClient.desk.tokenForm("no code"), fields: fields)
        #expect(desk.head.headerFields[.accessControlAllowOrigin] == nil, "another app")
        let unnamed = try Installation().request(.options, target, fields: fields)
        #expect(unnamed.head.headerFields[.accessControlAllowOrigin] == nil)
        for other in ["null", origin + "/", origin + ".evil.example"] {
            let refused = try installation.request(.options, target, fields: [.origin: other])
            #expect(refused.head.headerFields[.accessControlAllowOrigin] == nil)
        }
        var app = AppClient.shop
        app.redirectURI = origin + "/callback"
        #expect(try installation.request(.get, app.target()).status == 400)
    }

    @Test func `a preflight of any app's origin may go on, of another it may not`() throws {
        let installation = try Installation()
        for origin in ["https://shop.example", "https://back.example"] {
            let response = try installation.request(.options, "/__/auth/token", fields: [.origin: origin])
            #expect(response.status == 204)
            #expect(response.head.headerFields[.accessControlAllowOrigin] == origin)
            #expect(response.head.headerFields[.accessControlAllowMethods] == "POST")
            #expect(response.head.headerFields[.accessControlAllowHeaders]?.contains("content-type") == true)
            #expect(response.head.headerFields[.accessControlAllowCredentials] == nil)
            #expect(response.head.headerFields[.vary] == "Origin, Access-Control-Request-Headers")
        }
        for origin in ["https://evil.example", "null", "http://[::1]:51004", "http://localhost"] {
            let response = try installation.request(.options, "/__/auth/token", fields: [.origin: origin])
            #expect(response.head.headerFields[.accessControlAllowOrigin] == nil)
            #expect(response.head.headerFields[.accessControlAllowMethods] == nil)
        }
    }

    private static let endpoints = ["/__/auth/token", "/__/auth/revoke", "/__/auth/userinfo"]

    private func preflight(_ target: String, _ names: String, origin: String = "https://shop.example") throws
        -> HTTPFields
    {
        try Installation().request(
            .options, target, fields: [.origin: origin, .accessControlRequestHeaders: names]
        ).head.headerFields
    }

    @Test(arguments: TokenCrossOriginTests.endpoints)
    func `a page of an app may send any field`(target: String) throws {
        for names in ["dpop", "x-okta-user-agent-extended", "authorization,content-type,traceparent"] {
            let fields = try preflight(target, names)
            let allowed = names.split(separator: ",").joined(separator: ", ")
            #expect(fields[.accessControlAllowHeaders] == allowed)
            #expect(fields[.vary] == "Origin, Access-Control-Request-Headers")
            #expect(fields[.accessControlMaxAge] == "600")
            #expect(fields[.accessControlAllowCredentials] == nil)
        }
        let many = (0..<32).map { "x-\($0)" }
        #expect(
            try preflight(target, many.joined(separator: ","))[.accessControlAllowHeaders]?.contains("x-31") == true)
        let longest = String(Self.long.dropLast())
        #expect(longest.utf8.count == 1024)
        #expect(try preflight(target, longest)[.accessControlAllowHeaders] == longest)
        #expect(try preflight(target, "dpop", origin: "https://evil.example")[.accessControlAllowHeaders] == nil)
    }

    private static let many = (0..<33).map { "x-\($0)" }.joined(separator: ",")
    private static let long = String(repeating: "x", count: 1025)
    private static let noLists: [String] = [
        "", ",", "a b", "a;b", "a\u{7f}b", "a,(b)", many, long, "\u{e9}", "a:b",
    ]

    @Test(arguments: TokenCrossOriginTests.noLists)
    func `what is no list of names allows the usual ones`(names: String) throws {
        let fields = try preflight("/__/auth/token", names)
        #expect(fields[.accessControlAllowHeaders] == "authorization, content-type")
    }

    @Test(arguments: TokenCrossOriginTests.endpoints)
    func `the developer of a page sees why a request is refused that names no app`(target: String) throws {
        let installation = try Installation()
        for origin in ["https://shop.example", "https://back.example", "https://evil.example", "null"] {
            let isOfApp = origin.hasSuffix("shop.example") || origin.hasSuffix("back.example")
            let wrong: [(HTTPRequest.Method, HTTPFields)] = [
                (.post, [:]), (.post, [.contentType: "application/json"]),
                (.post, [.contentType: "application/x-www-form-urlencoded"]), (.put, [:]),
            ]
            for (method, fields) in wrong {
                var fields = fields
                fields[.origin] = origin
                let response = try installation.request(method, target, fields: fields)
                #expect(response.status >= 400)
                let allowed = response.head.headerFields[.accessControlAllowOrigin]
                #expect(allowed == (isOfApp ? origin : nil), "\(method) \(fields)")
                let exposed = response.head.headerFields[.accessControlExposeHeaders]
                #expect(exposed == (isOfApp ? "WWW-Authenticate, Retry-After, DPoP-Nonce" : nil))
                #expect(response.head.headerFields[.accessControlAllowCredentials] == nil)
                #expect(response.head.headerFields[.vary] == "Origin")
            }
        }
    }

    /// The responses of a connection to requests that do not reach the broker.
    private static let refusals: [HTTPResponse.Status] = [
        .badRequest, .requestTimeout, .contentTooLarge, .requestHeaderFieldsTooLarge, .serviceUnavailable,
    ]

    @Test(arguments: TokenCrossOriginTests.endpoints)
    func `the developer of a page sees why a request is refused before the endpoint is asked`(target: String) throws {
        let installation = try Installation()
        let broker = installation.broker
        for origin in ["https://shop.example", "https://back.example", "https://evil.example", "null", nil] {
            var request = BrokerRequest(
                head: HTTPRequest(method: .post, scheme: "https", authority: "other.example", path: target + "?x"))
            request.headerFields[.origin] = origin
            request.validatesAuthority = true
            var responses = Self.refusals.map { broker.refusal(.plain(status: $0, ""), of: request) }
            responses.append(
                try #require(PendingResponse(broker.respond(to: request, on: installation.eventLoop)).response))
            request.validatesAuthority = false
            let taken = broker.memory.size / 2
            #expect(broker.memory.take(taken, of: .requests, for: nil) == nil)
            responses.append(
                try #require(PendingResponse(broker.respond(to: request, on: installation.eventLoop)).response))
            broker.memory.giveBack(taken, of: .requests, for: nil)
            #expect(responses.map(\.status) == Self.refusals.map(\.code) + [421, 503])
            let isOfApp = origin?.hasSuffix("shop.example") == true || origin?.hasSuffix("back.example") == true
            for fields in responses.map(\.head.headerFields) {
                #expect(fields[.accessControlAllowOrigin] == (isOfApp ? origin : nil))
                #expect((fields[.accessControlExposeHeaders] != nil) == isOfApp)
                #expect(fields[.accessControlAllowCredentials] == nil)
                #expect(fields[.vary] == "Origin")
            }
        }
    }

    @Test func `what browsers load and documents are no such endpoints`() throws {
        let broker = try Installation().broker
        for target in ["/__/auth/authorize", "/__/auth/handler", "/__/auth/jwks", "/__/auth/tokens", "/"] {
            let request = BrokerRequest(
                head: HTTPRequest(
                    method: .post, scheme: "https", authority: "auth.example.com", path: target,
                    headerFields: [.origin: "https://shop.example"]))
            let fields = broker.refusal(.plain(status: .contentTooLarge, ""), of: request).head.headerFields
            #expect(fields[.accessControlAllowOrigin] == nil && fields[.vary] == nil, "\(target)")
        }
    }

    @Test func `of an unknown client_id too`() throws {
        let response = try Installation().token(
            [("grant_type", "authorization_code"), ("client_id", "nobody"), ("code", "x")],
            fields: [.origin: "https://shop.example"])
        #expect(response.status == 401)
        #expect(response.head.headerFields[.accessControlAllowOrigin] == "https://shop.example")
    }
}
