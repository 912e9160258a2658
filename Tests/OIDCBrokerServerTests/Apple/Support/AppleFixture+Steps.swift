// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import Testing
import TestingSupport

// The steps of a sign-in, as the browser takes them, and what an app does.

extension AppleFixture {
    /// A sign-in that an app redeemed.
    struct SignedIn: Sendable {
        let token: BrokerIDToken
        /// All claims of the same ID token.
        let claims: JSONObject
        let response: AppClient.TokenResponseMembers

        /// The name that came beside the ID token.
        var user: JSONObject? { response.json["user"]?.objectValue }
    }

    /// From the app to Apple's first response.
    func goToApple(
        _ browser: HTTPBrowser, _ app: AppClient, _ attempt: AppClient.Attempt
    ) async throws -> HTTPBrowser.Page {
        let page = try await browser.open(app.authorizationURL(issuer: issuer, attempt))
        try #require(page.status == 303, "\(page.body)")
        let location = try #require(page.location)
        try #require(location.hasPrefix(apple.issuer + "/auth/authorize?"))
        return try await browser.open(location, from: page)
    }

    /// Through Apple's login page to its consent page.
    func logIn(
        _ browser: HTTPBrowser, _ login: HTTPBrowser.Page, as person: MockApple.Person
    ) async throws -> HTTPBrowser.Page {
        let form = try PageForm(login)
        #expect(form.inputs == ["email", "password"])
        let response = try await browser.submit(
            form, of: login, [("email", person.email), ("password", person.password)])
        return try await browser.open(try #require(response.location), from: response)
    }

    /// Submits Apple's last page, a cross-site form, and returns the broker's response.
    func comeBack(_ browser: HTTPBrowser, _ page: HTTPBrowser.Page) async throws -> HTTPBrowser.Page {
        let form = try PageForm(page)
        try #require(form.action == callbackURL)
        return try await browser.submit(form, of: page)
    }

    /// A whole sign-in without pages, redeemed and verified.
    @discardableResult
    func signIn(_ browser: HTTPBrowser, _ app: AppClient = .publicApp) async throws -> SignedIn {
        let attempt = AppClient.Attempt()
        let page = try await goToApple(browser, app, attempt)
        return try await redeem(try AppResponse(try await comeBack(browser, page), app: app), app, attempt)
    }

    /// Checks that a response is a valid one, redeems it and verifies the result.
    func redeem(_ response: AppResponse, _ app: AppClient, _ attempt: AppClient.Attempt) async throws -> SignedIn {
        #expect(response.error == nil)
        #expect(response.state == attempt.state)
        #expect(response.issuer == issuer)
        let redeemed = try await app.redeem(
            try #require(response.code), issuer: issuer, verifier: attempt.verifier, with: http)
        let signedIn = try await verified(redeemed, app)
        #expect(signedIn.token.nonce == attempt.nonce)
        return signedIn
    }

    /// What a token response holds, verified as an app does.
    func verified(_ response: AppClient.TokenResponseMembers, _ app: AppClient) async throws -> SignedIn {
        try #require(response.status == 200, "\(response.json)")
        let token = try await BrokerIDToken.verified(response, fetchedFrom: issuer, with: http)
        #expect(token.issuer == issuer)
        #expect(token.audience == app.name)
        #expect(token.upstreamIssuer == apple.issuer)
        #expect(token.provider == "apple.com")
        let segments = try #require(response["id_token"]).split(separator: ".").map(String.init)
        let payload = try #require(Base64URL.decode(segments[1]))
        return SignedIn(
            token: token, claims: try JSONParser.object(payload, limits: JSONLimits(maximumBytes: 1 << 16)),
            response: response)
    }

    /// Posts a form of an app to one of the broker's endpoints.
    func post(
        _ endpoint: String, _ form: [(String, String)], as app: AppClient
    ) async throws -> AppClient.TokenResponseMembers {
        var request = HTTPClientRequest(url: issuer + "/" + endpoint)
        request.method = .POST
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        var fields = form
        switch app.authentication {
        case .none:
            fields.append(("client_id", app.name))
        case .post(let secret):
            fields += [("client_id", app.name), ("client_secret", secret)]
        case .basic(let secret):
            let pair = FormURLEncoding.percentEncode(app.name) + ":" + FormURLEncoding.percentEncode(secret)
            request.headers.add(
                name: "authorization", value: "Basic " + Data(pair.utf8).base64EncodedString())
        }
        request.body = .bytes(ByteBuffer(string: FormURLEncoding.encode(fields)))
        let response = try await http.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 1 << 20)
        // A revocation's success is empty.
        let json =
            body.readableBytes == 0
            ? JSONObject()
            : try JSONParser.object(Array(body.readableBytesView), limits: JSONLimits(maximumBytes: 1 << 20))
        return AppClient.TokenResponseMembers(status: Int(response.status.code), json: json)
    }

    /// What Apple was asked at a path, in the order of the requests.
    func asked(_ path: String) -> [OpenIDProvider.RecordedRequest] {
        apple.recordedRequests().filter { $0.path == path }
    }
}
