// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// What an app must and may ask for.
struct AuthorizationRequestTests {
    private static let atProvider = "https://login.acme.example/authorize"

    /// The error an app is told; the rest of the response is validated here.
    private func error(
        _ target: String, state: String? = "state-of-the-app", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String? {
        let installation = try Installation()
        let response = try installation.get(target)
        let location = try Location(response, sourceLocation: sourceLocation)
        #expect(location.base == "https://shop.example/callback", sourceLocation: sourceLocation)
        #expect(location["state"] == state, sourceLocation: sourceLocation)
        #expect(location["iss"] == Installation.issuer, sourceLocation: sourceLocation)
        #expect(location["code"] == nil, sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
        #expect(installation.provider.requests.isEmpty, sourceLocation: sourceLocation)
        return location["error"]
    }

    @Test(arguments: ["response_type", "code_challenge", "code_challenge_method"])
    func `what is required is missed`(name: String) throws {
        #expect(try error(AppClient.shop.target([name: nil])) == "invalid_request")
        #expect(try error(AppClient.shop.target([name: ""])) == "invalid_request")
    }

    @Test func `without a known app or a redirect URI of it there is a page, never a redirect`() throws {
        let installation = try Installation()
        for changes: [String: String?] in [
            ["client_id": nil], ["client_id": ""], ["client_id": "nobody"], ["client_id": "SHOP"],
            ["client_id": "back-office"], ["redirect_uri": nil], ["redirect_uri": ""],
            ["redirect_uri": "https://back.example/callback?from=broker"],
        ] {
            let page = try installation.get(AppClient.shop.target(changes))
            #expect(page.status == 400, "\(changes)")
            #expect(page.head.headerFields[.location] == nil)
            #expect(page.heading == "This sign-in cannot begin")
            #expect(page.setCookies.isEmpty)
        }
        #expect(installation.provider.requests.isEmpty)
    }

    @Test func `nothing of a refused request stands in the page`() throws {
        let page = try Installation().get(
            AppClient.shop.target(["client_id": "<script>alert(1)</script>", "redirect_uri": "https://evil.example/x"]))
        #expect(!page.text.contains("evil.example"))
        #expect(!page.text.contains("alert(1)"))
    }

    @Test(
        arguments: ["response_type", "scope", "nonce", "code_challenge", "code_challenge_method", "provider", "zzz"])
    func `a duplicate parameter is refused, known or not`(name: String) throws {
        let twice = [(name, "a"), (name, "a")]
        #expect(try error(AppClient.shop.target([name: nil], adding: twice)) == "invalid_request")
    }

    @Test(arguments: [
        "request", "request_uri", "registration", "resource", "dpop_jkt", "nonce", "scope", "prompt", "max_age",
        "claims",
        "id_token_hint", "response_mode", "ui_locales", "login_hint", "state", "provider",
    ])
    func `a parameter without a value counts as omitted`(name: String) throws {
        let location = try Location(try Installation().get(AppClient.shop.target([name: ""])))
        #expect(location.base == Self.atProvider)
        #expect(location["error"] == nil)
    }

    @Test func `an empty state is none`() throws {
        var browser = Browser(try Installation())
        var app = AppClient.shop
        app.state = ""
        #expect(try browser.signIn(app)["state"] == nil)
        #expect(try Location(try browser.get(app.target(["scope": "email"])))["state"] == nil)
    }

    @Test func `a duplicate state is refused and not given back`() throws {
        let target = AppClient.shop.target(adding: [("state", "other")])
        #expect(try error(target, state: nil) == "invalid_request")
    }

    @Test(arguments: ["client_id", "redirect_uri"])
    func `a duplicate client_id or redirect_uri ends in a page`(name: String) throws {
        let value = name == "client_id" ? "shop" : "https://shop.example/callback"
        let page = try Installation().get(AppClient.shop.target(adding: [(name, value)]))
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
    }

    @Test func `what is not known is ignored and not passed on`() throws {
        let target = AppClient.shop.target(adding: [("foo", "bar"), ("utm_source", "x"), ("empty", "")])
        let location = try Location(try Installation().get(target))
        #expect(location.base == Self.atProvider)
        #expect(location["foo"] == nil)
        #expect(location["utm_source"] == nil)
    }

    @Test(
        arguments: ["none", "CODE", "code "])
    func `another response type is not supported`(type: String) throws {
        #expect(try error(AppClient.shop.target(["response_type": type])) == "unsupported_response_type")
    }

    @Test(arguments: ["token", "id_token", "code id_token", "code token"])
    func `a response type whose default mode is the fragment is refused there`(type: String) throws {
        let location = try Location(try Installation().get(AppClient.shop.target(["response_type": type])))
        let start = "https://shop.example/callback#error=unsupported_response_type&"
        #expect(location.text.utf8.starts(with: start.utf8), "\(location.text)")
        #expect(location.text.contains("&state=state-of-the-app&"))
    }

    @Test func `another response mode is refused; query may be said`() throws {
        #expect(try error(AppClient.shop.target(["response_mode": "jwt"])) == "invalid_request")
        let location = try Location(try Installation().get(AppClient.shop.target(["response_mode": "query"])))
        #expect(location.base == Self.atProvider)
    }

    @Test(arguments: ["plain", "s256", "S512", "none"])
    func `S256 only`(method: String) throws {
        #expect(try error(AppClient.shop.target(["code_challenge_method": method])) == "invalid_request")
    }

    @Test(
        arguments: [
            "short", String(repeating: "A", count: 42), String(repeating: "A", count: 44),
            String(repeating: "A", count: 42) + "=", String(repeating: "A", count: 42) + "+",
            // Its last character has bits that no SHA-256 fills.
            String(repeating: "A", count: 42) + "B",
        ])
    func `the challenge is the base64url of 32 bytes`(value: String) throws {
        #expect(try error(AppClient.shop.target(["code_challenge": value])) == "invalid_request")
    }

    @Test(arguments: ["profile", "openid-x", "OPENID"])
    func `the scope contains openid; an absent one is openid`(scope: String) throws {
        #expect(try error(AppClient.shop.target(["scope": scope])) == "invalid_scope")
        let location = try Location(try Installation().get(AppClient.shop.target(["scope": nil])))
        #expect(location["scope"] == "openid email profile")
    }

    @Test(
        arguments: [
            ("request", "request_not_supported"), ("request_uri", "request_uri_not_supported"),
            ("registration", "registration_not_supported"), ("resource", "invalid_target"),
            ("client_secret", "invalid_request"),
            ("client_assertion", "invalid_request"), ("client_assertion_type", "invalid_request"),
            ("client_assertion_anything", "invalid_request"), ("code_verifier", "invalid_request"),
            ("code_challenge_other", "invalid_request"),
        ])
    func `names that carry the protocol are refused`(name: String, expected: String) throws {
        #expect(try error(AppClient.shop.target(adding: [(name, "x")])) == expected)
        // Without a value it is omitted (RFC 6749 section 3.1).
        let location = try Location(try Installation().get(AppClient.shop.target(adding: [(name, "")])))
        #expect(location.base == Self.atProvider)
    }

    @Test(arguments: ["response_type", "scope", "code_challenge", "code_challenge_method"])
    func `a request object is refused by its own name, whatever else is missing`(name: String) throws {
        let target = AppClient.shop.target([name: nil], adding: [("request", "x")])
        #expect(try error(target) == "request_not_supported")
    }

    @Test(arguments: ["-1", "+1", "1.5", "x", "1e3", "99999999999999999999", " 1"])
    func `max_age is a number of seconds`(age: String) throws {
        #expect(try error(AppClient.shop.target(["max_age": age])) == "invalid_request")
    }

    @Test func `it is a GET or a POST that goes to a page`() throws {
        let installation = try Installation()
        for method: HTTPRequest.Method in [.head, .put, .delete] {
            let response = try installation.request(method, AppClient.shop.target())
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == "GET, POST")
        }
    }

    @Test(
        .attack(.ambiguousEncoding),
        arguments: ["state=%", "state=%0", "state=%zz", "state=%C0%80", "state=%ff", "state=\u{e9}", "%=1"])
    func `parameters that cannot be decoded end in a page`(text: String) throws {
        let page = try Installation().get(AppClient.shop.target() + "&" + text)
        #expect(page.status == 400)
        #expect(page.head.headerFields[.location] == nil)
    }
}
