// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import JWTKit
import NIOCore
import NIOHTTP1
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import Testing
import TestingSupport

/// A sign-in with `resource` (RFC 8707) on sockets with TLS: its access token is verified by another implementation.
@Suite(.timeLimit(.minutes(10))) struct ResourceSignInTests {
    private static let orders = "https://api.example/orders"

    private struct AccessToken: JWTPayload {
        var iss: String
        var sub: String
        var aud: String
        var exp: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static func get(
        _ url: String, token: String? = nil, with http: HTTPClient
    ) async throws -> (status: UInt, body: String) {
        var request = HTTPClientRequest(url: url)
        if let token { request.headers.add(name: "authorization", value: "Bearer \(token)") }
        let response = try await http.execute(request, timeout: .seconds(30))
        return (response.status.code, String(buffer: try await response.body.collect(upTo: 65_536)))
    }

    @Test func `the API verifies the token with what the issuer publishes, and UserInfo does not take it`() async throws
    {
        var options = SignInFixture.Options()
        options.resources = [BrokerConfiguration.Resource(name: "orders", identifier: Self.orders)]
        try await SignInFixture.run(options) { fixture in
            let (app, attempt, browser) = (AppClient.basicApp, AppClient.Attempt(), fixture.browser())
            let start = try await fixture.start(browser, app, attempt, [("resource", Self.orders)])
            let atProvider = try await browser.open(try #require(start.location, "\(start.body)"))
            let response = try AppResponse(try await fixture.comeBack(browser, atProvider), app: app)
            let (idToken, redeemed) = try await fixture.redeemAndVerify(response, app, attempt)
            let token = try #require(redeemed["access_token"])
            let keys = JWTKeyCollection()
            try await keys.add(jwksJSON: try await Self.get(fixture.server.issuer + "/jwks", with: fixture.http).body)
            let claims = try await keys.verify(token, as: AccessToken.self)
            #expect(claims.iss == fixture.server.issuer && claims.sub == idToken.subject && claims.aud == Self.orders)
            #expect(claims.exp == fixture.clock.now() + 900)
            let userInfo = fixture.server.issuer + "/userinfo"
            #expect(try await Self.get(userInfo, token: token, with: fixture.http).status == 401)
            let refused = try await fixture.start(browser, app, attempt, [("resource", "urn:other")])
            #expect(try AppResponse(refused, app: app).error == "invalid_target")
        }
    }
}
