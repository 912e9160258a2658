// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import LatencyMeasurement
import Testing

@Suite struct ExpectationTests {
    private static func description(_ members: String) throws -> TargetDescription {
        let text = """
            {"name": "x", "base": "http://127.0.0.1:8080", "authorize_prefix": "${ISSUER}/authorize?",
             "start": {"path": "/start?state=${STATE}", "set_cookie": "login", "set_cookie_bytes": 3},
             "callback": {"status": [303], "location_prefix": "https://app.example/cb?",
               "location_parameters": {"state": "${STATE}"}, "location_excludes": "error=", "code_parameter": "code"},
             \(members)}
            """
        var variables = TargetVariables()
        variables[.provider] = "http://127.0.0.1:1"
        return try TargetDescription(
            try TargetFile(json: Array(text.utf8)), variables: variables, issuers: ["http://127.0.0.1:1/p0"])
    }

    private static let redeem =
        "\"redeem\": {\"method\": \"POST\", \"path\": \"/token\", \"form\": {\"code\": \"${CODE}\", \"a\": \"x y\"}, "
        + "\"status\": [200], \"id_token_claims\": {\"upstream_sub\": \"${SUBJECT}\"}}"

    private static let page =
        "\"redeem\": {\"path\": \"/me\", \"status\": [200], \"body_contains\": \"${SUBJECT}\"}"

    private var values = SignInValues(state: "s1", nonce: "n1", subject: "110", code: "")
    private var jar = CookieJar()

    @Test mutating func `a start with its cookie is right`() throws {
        let target = try Self.description(Self.redeem)
        let response = TargetResponse(status: 302, setCookies: ["login-1=abc; Path=/"])
        let fault = target.startExpectation.fault(in: response, values: &values, jar: &jar)
        #expect(fault == nil)
        #expect(jar.field == "login-1=abc")
        #expect(target.start.target(values) == "/start?state=s1")
        #expect(target.authorizePrefix.text(values) == "http://127.0.0.1:1/p0/authorize?")
    }

    @Test(arguments: [["login=ab"], ["other=abc"], ["login=abc; Max-Age=0"], []])
    mutating func `a start without its cookie is not`(setCookies: [String]) throws {
        let target = try Self.description(Self.redeem)
        let response = TargetResponse(status: 302, setCookies: setCookies)
        let fault = target.startExpectation.fault(in: response, values: &values, jar: &jar)
        #expect(fault == "no cookie")
    }

    @Test mutating func `a callback with the right state hands out its code`() throws {
        let target = try Self.description(Self.redeem)
        let response = TargetResponse(status: 303, location: "https://app.example/cb?code=c%2F1&state=s1")
        let fault = target.callbackExpectation.fault(in: response, values: &values, jar: &jar)
        #expect(fault == nil)
        #expect(values.code == "c/1")
        let request = try #require(target.redeem)
        #expect(request.body(values) == "a=x%20y&code=c%2F1")
        #expect(request.method == "POST")
    }

    @Test(arguments: [
        (303, "https://app.example/cb?code=c&state=s2", "wrong state in Location"),
        (303, "https://app.example/cb?code=c", "wrong state in Location"),
        (303, "https://app.example/cb?state=s1", "no code in Location"),
        (303, "https://app.example/cb?code=&state=s1", "no code in Location"),
        (303, "https://evil.example/cb?code=c&state=s1", "wrong Location"),
        (303, "https://app.example/cb?error=access_denied&state=s1", "Location with error="),
        (200, "https://app.example/cb?code=c&state=s1", "status 200"),
        (302, "https://app.example/cb?code=c&state=s1", "status 302"),
    ])
    mutating func `a callback that is not right is not counted`(
        status: Int, location: String, expected: String
    ) throws {
        let target = try Self.description(Self.redeem)
        let response = TargetResponse(status: status, location: location)
        let fault = target.callbackExpectation.fault(in: response, values: &values, jar: &jar)
        #expect(fault == expected)
    }

    private static func tokenResponse(_ subject: String) -> [UInt8] {
        let claims: JSONObject = ["upstream_sub": .string(subject)]
        let token = "e30." + Base64URL.encode(claims.serialized()) + ".c2ln"
        let response: JSONObject = ["id_token": .string(token)]
        return response.serialized()
    }

    @Test mutating func `only a token of the right subject counts`() throws {
        let target = try Self.description(Self.redeem)
        let expectation = try #require(target.redeemExpectation)
        let right = TargetResponse(status: 200, body: Self.tokenResponse("110"))
        let good = expectation.fault(in: right, values: &values, jar: &jar)
        #expect(good == nil)
        let wrong = TargetResponse(status: 200, body: Self.tokenResponse("111"))
        let bad = expectation.fault(in: wrong, values: &values, jar: &jar)
        #expect(bad == "wrong upstream_sub in the ID token")
        let none = TargetResponse(status: 200, body: Array("{}".utf8))
        let absent = expectation.fault(in: none, values: &values, jar: &jar)
        #expect(absent == "no ID token")
    }

    @Test mutating func `only a page of the right subject counts`() throws {
        let target = try Self.description(Self.page)
        let expectation = try #require(target.redeemExpectation)
        let right = TargetResponse(status: 200, body: Array("<p>110</p>".utf8))
        let good = expectation.fault(in: right, values: &values, jar: &jar)
        #expect(good == nil)
        let wrong = TargetResponse(status: 200, body: Array("<p>11</p>".utf8))
        let bad = expectation.fault(in: wrong, values: &values, jar: &jar)
        #expect(bad == "wrong body")
    }

    @Test func `with several providers the issuer is the sign-in's own`() throws {
        let text = """
            {"name": "x", "base": "http://127.0.0.1:8080", "authorize_prefix": "${ISSUER}/authorize?",
             "start": {"path": "/start?provider=p${K}"}, "callback": {}, "each_provider": {}}
            """
        var variables = TargetVariables()
        variables[.provider] = "http://127.0.0.1:1"
        variables[.issuer] = "http://127.0.0.1:1/p0"
        let target = try TargetDescription(
            try TargetFile(json: Array(text.utf8)), variables: variables,
            issuers: ["http://127.0.0.1:1/p0", "http://127.0.0.1:1/p1"])
        let second = SignInValues(state: "s", nonce: "n", provider: 1)
        #expect(target.authorizePrefix.text(second) == "http://127.0.0.1:1/p1/authorize?")
        #expect(target.start.target(second) == "/start?provider=p1")
        #expect(target.host == "127.0.0.1:8080")
    }
}
