// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The response modes in which an app gets its response, and authorization requests by POST.
struct AppResponseModeTests {
    /// A whole sign-in: the response to the callback.
    private static func callback(
        _ mode: String, _ app: AppClient = .shop, isDenied: Bool = false
    ) throws -> (response: BrokerResponse, installation: Installation) {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try Location(try browser.get(app.target(["response_mode": mode])))
        let answer =
            try isDenied
            ? installation.provider.refuse(request, "access_denied") : installation.provider.signIn(request)
        return (try browser.bring(answer), installation)
    }

    @Test(arguments: [("query", "?"), ("fragment", "#")])
    func `in the URL`(mode: String, separator: String) throws {
        let app = AppClient.shop
        let (response, installation) = try Self.callback(mode, app)
        #expect(response.status == 303)
        let location = try #require(response.head.headerFields[.location])
        let parts = location.split(separator: separator)
        #expect(parts.count == 2)
        #expect(parts.first == "https://shop.example/callback")
        let parameters = try FormURLEncoding.parse(try #require(parts.last))
        #expect(parameters.all.map { $0.name.makeString() } == ["code", "state", "iss"])
        let code = try #require(try parameters.value("code")).makeString()
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `a redirect URI with a query keeps it before the fragment`() throws {
        let (response, _) = try Self.callback("fragment", .back)
        #expect(
            response.head.headerFields[.location]?.hasPrefix("https://back.example/callback?from=broker#code=") == true)
    }

    @Test func `in a form that posts itself, without a referrer's path and with nothing but its own script`() throws {
        let app = AppClient.shop
        let (response, installation) = try Self.callback("form_post", app)
        #expect(response.status == 200)
        #expect(response.text.contains("<form method=\"post\" action=\"https://shop.example/callback\""))
        #expect(response.head.headerFields[.referrerPolicy] == "strict-origin")
        let policy = try #require(response.head.headerFields[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("script-src 'sha256-"))
        #expect(!policy.contains("unsafe"))
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        #expect(response.setCookies.contains { $0.contains("Max-Age=0") })
        let form = try Self.form(in: response)
        #expect(form.map(\.0) == ["code", "state", "iss"])
        #expect(form.map(\.1).dropFirst() == ["state-of-the-app", Installation.issuer])
        #expect(try installation.redeem(try #require(form.first?.1), app).status == 200)
    }

    @Test(arguments: ["query", "fragment", "form_post"])
    func `an error comes in the same mode`(mode: String) throws {
        let (response, _) = try Self.callback(mode, isDenied: true)
        switch mode {
        case "form_post": #expect(try Self.form(in: response).first?.1 == "access_denied")
        case "fragment":
            #expect(response.head.headerFields[.location]?.contains("/callback#error=access_denied&") == true)
        default: #expect(response.head.headerFields[.location]?.contains("/callback?error=access_denied&") == true)
        }
    }

    @Test(arguments: ["fragment", "form_post"])
    func `so does the error of a request that is refused`(mode: String) throws {
        let installation = try Installation()
        for change in [["scope": "x"], ["request": "x"], ["response_type": "token"]] {
            let response = try installation.get(AppClient.shop.target(change.merging(["response_mode": mode]) { $1 }))
            if mode == "form_post" {
                #expect(try Self.form(in: response).first?.0 == "error")
            } else {
                #expect(response.head.headerFields[.location]?.contains("/callback#error=") == true)
            }
        }
    }

    @Test func `a request object that is refused may name the mode`() throws {
        let payload = Base64URL.encode(Array(#"{"response_mode":"form_post"}"#.utf8))
        for (request, isForm) in [("e30.\(payload).", true), ("e30.e30.", false), ("\(payload)", false)] {
            let response = try Installation().get(AppClient.shop.target(["request": request]))
            if isForm {
                #expect(try Self.form(in: response).first?.1 == "request_not_supported")
            } else {
                #expect(try Location(response)["error"] == "request_not_supported")
            }
        }
    }

    @Test(arguments: [
        ("id_token", "#"), ("code id_token", "#"), ("token", "#"), ("code token", "#"), ("none", "?"), ("codes", "?"),
    ])
    func `without a mode, the error of another response type comes as its response would`(
        type: String, separator: String
    ) throws {
        let response = try Installation().get(AppClient.shop.target(["response_type": type]))
        #expect(
            response.head.headerFields[.location]?.contains(
                "/callback\(separator)error=unsupported_response_type&") == true)
        // A mode that is not known changes nothing of it.
        let other = try Installation().get(AppClient.shop.target(["response_type": type, "response_mode": "x"]))
        #expect(other.head.headerFields[.location]?.contains("/callback\(separator)error=") == true)
    }

    @Test(arguments: ["web_message", "query.jwt", "QUERY", "fragment ", "form_post\0"])
    func `another mode is refused, in the query`(mode: String) throws {
        let location = try Location(try Installation().get(AppClient.shop.target(["response_mode": mode])))
        #expect(location["error"] == "invalid_request")
    }

    @Test func `a form is posted to web addresses only`() throws {
        let installation = try Installation()
        let refused = try Location(installation.get(AppClient.phone.target(["response_mode": "form_post"])))
        #expect(refused["error"] == "invalid_request")
        var browser = Browser(installation)
        let request = try Location(try browser.get(AppClient.desk.target(["response_mode": "form_post"])))
        let page = try browser.bring(installation.provider.signIn(request))
        let response = try browser.submit(page)
        #expect(response.text.contains("action=\"http://127.0.0.1:51004/callback\""))
        #expect(try Self.form(in: response).first?.0 == "code")
    }

    @Test func `an authorization request may be a form`() throws {
        let installation = try Installation()
        let app = AppClient.shop
        func post(_ body: String, query: String = "", type: String = "application/x-www-form-urlencoded") throws
            -> BrokerResponse
        {
            try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(
                        method: .post, scheme: "https", authority: "auth.example.com",
                        path: "/__/auth/authorize" + query, headerFields: [.contentType: type]),
                    body: ByteBuffer(string: body)))
        }
        let location = try Location(try post(Query.encode(app.parameters)))
        #expect(location.base == "https://login.acme.example/authorize")
        #expect(try post(Query.encode(app.parameters), query: "?client_id=shop").status == 400)
        #expect(try post(Query.encode(app.parameters), type: "application/json").status == 415)
        #expect(try post("client_id=\u{0}").status == 400)
        #expect(try post("").status == 400)
    }

    /// The hidden fields of a page.
    private static func form(in response: BrokerResponse) throws -> [(String, String)] {
        response.text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/).map {
            (String($0.output.1), String($0.output.2))
        }
    }
}
