// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Foundation
import JOSE
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import Testing
import TestingSupport

/// A run over every endpoint, with the log at `trace`, the audit, the access lines and the metrics: none of the codes,
/// tokens, verifiers, cookies, secrets, keys, sealed states, nonces and addresses of the run is written.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct LeakTests {
    /// One run, and what it collects.
    private struct Run {
        let fixture: LeakFixture
        var secrets: SecretValues

        var issuer: String { fixture.server.issuer }

        /// Posts a body to the server.
        /// - Parameter origin: The origin of a listener; `nil` for that of the public one.
        mutating func post(
            _ path: String, _ body: String, type: String = "application/x-www-form-urlencoded",
            headers: [(String, String)] = [], at origin: String? = nil
        ) async throws -> (status: Int, json: JSONObject) {
            var request = HTTPClientRequest(url: (origin ?? fixture.server.publicURL.origin) + path)
            request.method = .POST
            request.headers = HTTPHeaders([("content-type", type)] + headers)
            request.body = .bytes(ByteBuffer(string: body))
            let response = try await fixture.http.execute(request, timeout: .seconds(30))
            let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
            let json = (try? JSONParser.object(bytes, limits: JSONLimits(maximumBytes: 1 << 20))) ?? JSONObject()
            secrets.add(json: json, "the response of \(path)")
            return (Int(response.status.code), json)
        }

        mutating func post(_ path: String, _ form: [(String, String)]) async throws -> (status: Int, json: JSONObject) {
            secrets.add(parameters: form.map { (name: $0.0, value: $0.1) }, "a form")
            return try await post("/__/auth" + path, FormURLEncoding.encode(form))
        }

        mutating func toolkit(_ operation: String, _ body: JSONObject) async throws -> JSONObject {
            secrets.add(json: body, "a request of the SDKs")
            return try await post(
                "/identitytoolkit.googleapis.com/v1/accounts:\(operation)?key=\(LeakFixture.apiKey)",
                String(decoding: body.serialized(), as: UTF8.self), type: "application/json"
            ).json
        }

        /// Sends an admin operation to the loopback listener.
        mutating func admin(
            _ operation: String, _ body: JSONObject, token: String, project: String = LeakFixture.projectID
        ) async throws -> (status: Int, json: JSONObject) {
            secrets.add(token, "a token of the admin operations")
            secrets.add(json: body, "a request of an operator")
            let port = try #require(try await fixture.server.server.boundLoopbackAddress().port)
            return try await post(
                "/identitytoolkit.googleapis.com/v1/projects/\(project)/accounts:\(operation)",
                String(decoding: body.serialized(), as: UTF8.self), type: "application/json",
                headers: [("authorization", "Bearer " + token)], at: "http://127.0.0.1:\(port)")
        }

        mutating func note(_ page: HTTPBrowser.Page, _ browser: HTTPBrowser) async {
            secrets.add(url: page.url, "a request")
            secrets.add(url: page.location, "a redirect")
            secrets.add(cookiesOf: await browser.jar)
            guard page.body.contains("<form method=\"post\""), let form = try? PageForm(page) else { return }
            secrets.add(parameters: form.hidden.map { (name: $0.0, value: $0.1) }, "a page")
        }

        /// From the app to where the provider sends the browser back.
        mutating func authenticate(
            _ browser: HTTPBrowser, _ app: AppClient, _ attempt: AppClient.Attempt, at provider: String
        ) async throws -> HTTPBrowser.Page {
            secrets.add(attempt.state, "the app's state")
            secrets.add(attempt.nonce, "the app's nonce")
            secrets.add(attempt.verifier.value, "the app's verifier")
            let chooser = try await browser.open(app.authorizationURL(issuer: issuer, attempt))
            await note(chooser, browser)
            let start = try await browser.submit(try PageForm(chooser), of: chooser, [("provider", provider)])
            await note(start, browser)
            try #require(start.status == 303, "\(start.body)")
            let back = try await browser.open(try #require(start.location), from: start)
            await note(back, browser)
            return back
        }

        /// The callback, by the provider's redirect or its form.
        mutating func comeBack(
            _ browser: HTTPBrowser, _ page: HTTPBrowser.Page
        ) async throws -> HTTPBrowser.Page {
            let response =
                if page.status == 200 {
                    try await browser.submit(try PageForm(page), of: page)
                } else {
                    try await browser.open(try #require(page.location), from: page)
                }
            await note(response, browser)
            return response
        }

        /// A whole sign-in, redeemed.
        mutating func signIn(_ app: AppClient, at provider: String) async throws -> AppClient.TokenResponseMembers {
            let (browser, attempt) = (HTTPBrowser(fixture.http), AppClient.Attempt())
            let page = try await authenticate(browser, app, attempt, at: provider)
            let end = try await comeBack(browser, page)
            let code = try #require(try AppResponse(end, app: app).code)
            let tokens = try await app.redeem(code, issuer: issuer, verifier: attempt.verifier, with: fixture.http)
            #expect(tokens.status == 200, "\(tokens.json)")
            secrets.add(json: tokens.json, "a token response")
            // Replayed, and with another verifier.
            let again = try await app.redeem(
                code, issuer: issuer, verifier: CodeVerifier(bytes: SecureRandom.bytes(32)), with: fixture.http)
            #expect(again.status == 400)
            return tokens
        }
    }

    private static func start(_ fixture: LeakFixture) -> Run {
        Run(fixture: fixture, secrets: fixture.configured)
    }

    private func finish(_ run: Run, mentions: [String: [String]]) throws {
        var secrets = run.secrets
        secrets.add(requests: run.fixture.provider.recordedRequests(), "a request to the provider")
        secrets.add(requests: run.fixture.apple.recordedRequests(), "a request to Apple")
        for person in OpenIDProvider.Person.mock { secrets.add(person.email, "an email") }
        for person in MockApple.Person.mock { secrets.add(person.email, "an email") }
        #expect(secrets.values.count > 30)
        let texts = try run.fixture.streams.texts()
        #expect(secrets.leaks(in: texts) == [])
        // The streams are those of this run, and not empty.
        for (name, text) in texts {
            for expected in mentions[name] ?? [] { #expect(text.contains(expected), "\(expected) in the \(name)") }
        }
        // A secret that is planted is found in each of them.
        let planted = try #require(secrets.values.keys.sorted().first)
        for (name, text) in texts {
            #expect(!secrets.leaks(in: [(name, text + "\nplanted=\(planted)\n")]).isEmpty, "\(name)")
        }
    }

    @Test func `the browser's endpoints, and those of apps`() async throws {
        try await LeakFixture.run { fixture in
            var run = Self.start(fixture)
            let tokens = try await run.signIn(.publicApp, at: "acme")
            _ = try await run.signIn(.basicApp, at: "apple")
            // An app on the device; the user is asked about it.
            let (browser, attempt) = (HTTPBrowser(fixture.http), AppClient.Attempt())
            var named = AppClient.nativeApp.authorizationURL(issuer: run.issuer, attempt, [("provider", "acme")])
            run.secrets.add(url: named, "a start")
            let start = try await browser.open(named)
            await run.note(start, browser)
            let back = try await browser.open(try #require(start.location), from: start)
            await run.note(back, browser)
            let held = try await run.comeBack(browser, back)
            let continued = try await browser.submit(try PageForm(held), of: held)
            await run.note(continued, browser)
            #expect(continued.location?.contains("code=") == true)
            // Callbacks that fail: without the cookie, with another code, with a state that is none, with an error.
            for change in 0..<4 {
                let (browser, attempt) = (HTTPBrowser(fixture.http), AppClient.Attempt())
                let page = try await run.authenticate(browser, .publicApp, attempt, at: "acme")
                let location = try #require(page.location)
                if change == 0 { await browser.forget() }
                let changed: String =
                    switch change {
                    case 1: location.replacing("code=", with: "code=not-the-code-of-this-login-")
                    case 2: location.replacing("state=", with: "state=AAAA")
                    case 3:
                        run.issuer + "/handler?error=access_denied&" + String(location.split(separator: "?").last ?? "")
                    default: location
                    }
                run.secrets.add(url: changed, "a callback")
                let response = try await browser.open(changed, from: page)
                #expect(response.status == 400 || response.location?.contains("error=") == true, "\(change)")
            }
            // UserInfo, revocation and logout.
            let accessToken = try #require(tokens["access_token"])
            for token in [accessToken, "no-access-token-at-all"] {
                run.secrets.add(token, "an access token")
                var request = HTTPClientRequest(url: run.issuer + "/userinfo")
                request.headers.add(name: "authorization", value: "Bearer " + token)
                _ = try await fixture.http.execute(request, timeout: .seconds(30)).body.collect(upTo: 65_536)
            }
            _ = try await run.post("/revoke", [("client_id", "shop"), ("token", accessToken)])
            _ = try await run.post(
                "/token", [("client_id", "desk"), ("client_secret", "a-wrong-secret"), ("code", "a-code-that-is-none")])
            let idToken = try #require(tokens["id_token"])
            named = run.issuer + "/logout?" + FormURLEncoding.encode([("id_token_hint", idToken)])
            run.secrets.add(url: named, "a logout")
            let logout = try await browser.open(named)
            await run.note(logout, browser)
            _ = try await browser.submit(try PageForm(logout), of: logout)
            _ = try await browser.open(fixture.server.publicURL.origin + "/elsewhere?code=secret-in-a-query-elsewhere")
            run.secrets.add("secret-in-a-query-elsewhere", "a query of another path")
            run.secrets.add(cookiesOf: await browser.jar)
            try finish(
                run,
                mentions: [
                    "log": ["signed_in", "sign-in began", "sign-in succeeded", "hand-off code redeemed"],
                    "audit": ["\"callback\"", "\"redeemed\"", "\"refused\""],
                    "access": ["/__/auth/handler", "/__/auth/userinfo", "path=other"],
                    "metrics": ["auth_callbacks_total", "auth_redemption_duration_seconds"],
                    "spans": ["authorize", "callback", "userinfo", "signed_in", "redeemed"],
                ])
        }
    }

    @Test func `native credentials, revocations, notifications and the wire of the SDKs`() async throws {
        try await LeakFixture.run { fixture in
            var run = Self.start(fixture)
            let rawNonce = Base64URL.encode(SecureRandom.bytes(32))
            run.secrets.add(rawNonce, "a raw nonce")
            let person = MockApple.Person.mock[0]
            let credential = try fixture.apple.nativeCredential(
                bundleID: LeakFixture.bundleID, rawNonce: rawNonce, person: person)
            let form =
                [
                    ("client_id", "shop"), ("provider", "apple"), ("id_token", credential.idToken),
                    ("authorization_code", credential.authorizationCode), ("raw_nonce", rawNonce),
                ] + (credential.user.map { [("user", $0)] } ?? [])
            let signedIn = try await run.post("/credential", form)
            #expect(signedIn.status == 200, "\(signedIn.json)")
            let repeated = try await run.post("/credential", form)
            #expect(repeated.status == 400)
            let next = try fixture.apple.nativeCredential(
                bundleID: LeakFixture.bundleID, rawNonce: rawNonce, person: person)
            let idToken = signedIn.json["id_token"]?.text?.makeString() ?? ""
            _ = try await run.post(
                "/revoke",
                [
                    ("client_id", "shop"), ("provider", "apple"), ("id_token", idToken),
                    ("code", next.authorizationCode),
                ])
            let notification = fixture.apple.notification("consent-revoked", about: person, to: LeakFixture.servicesID)
            let body = try fixture.apple.body(of: notification)
            let members = try JSONParser.object(Array(body.utf8), limits: JSONLimits(maximumBytes: 1 << 16)).members
            for member in members { run.secrets.add(member.value.text?.makeString(), "a notification") }
            _ = try await run.post("/__/auth/notifications/apple", body, type: "application/json")
            _ = try await run.post("/__/auth/notifications/apple", "{}", type: "application/json")
            try await useToolkit(&run)
            try finish(
                run,
                mentions: [
                    "log": ["native sign-in succeeded"],
                    "audit": [
                        "\"credential\"", "\"notification\"", "\"account_sign_in\"", "\"account_delete\"",
                        "\"account_admin_update\"",
                    ],
                    "access": [
                        "accounts:signInWithIdp", "projects/acme-shop/accounts:update", "/__/auth/credential",
                        "/__/auth/notifications/apple",
                    ],
                    "metrics": ["auth_account_operations_total", "auth_credentials_total"],
                    "spans": ["credential", "revoke", "signed_in"],
                ])
        }
    }

    /// A sign-in of an SDK, and what it does with the session.
    private func useToolkit(_ run: inout Run) async throws {
        let rawNonce = Base64URL.encode(SecureRandom.bytes(32))
        run.secrets.add(rawNonce, "a raw nonce of an SDK")
        let credential = try run.fixture.provider.nativeCredential(
            clientID: LeakFixture.sdkAudience, rawNonce: rawNonce, person: OpenIDProvider.Person.mock[0])
        run.secrets.add(credential.idToken, "an ID token of an SDK")
        run.secrets.add(credential.accessToken, "an access token of an SDK")
        let postBody = FormURLEncoding.encode([
            ("id_token", credential.idToken), ("access_token", credential.accessToken), ("nonce", rawNonce),
            ("providerId", "oidc.acme"),
        ])
        let request: JSONObject = [
            "requestUri": "http://localhost", "returnSecureToken": true, "postBody": .string(postBody),
        ]
        let signedIn = try await run.toolkit("signInWithIdp", request)
        let idToken = try #require(signedIn["idToken"]?.text?.makeString(), "\(signedIn)")
        let refreshToken = try #require(signedIn["refreshToken"]?.text?.makeString())
        // The same credential again is refused.
        _ = try await run.toolkit("signInWithIdp", request)
        _ = try await run.toolkit("lookup", ["idToken": .string(idToken)])
        _ = try await run.toolkit("lookup", ["idToken": "not-a-token-of-any-account"])
        run.secrets.add("not-a-token-of-any-account", "a token that is none")
        _ = try await run.post(
            "/securetoken.googleapis.com/v1/token?key=" + LeakFixture.apiKey,
            FormURLEncoding.encode([("grant_type", "refresh_token"), ("refresh_token", refreshToken)]))
        _ = try await run.toolkit("update", ["idToken": .string(idToken), "displayName": "A Name Of A Person"])
        run.secrets.add("A Name Of A Person", "a name")
        try await administer(&run, try #require(signedIn["localId"]?.text?.makeString()))
        _ = try await run.toolkit("delete", ["idToken": .string(idToken)])
    }

    /// What an operator's program does with an account: with the token, with a wrong one, and in another project.
    private func administer(_ run: inout Run, _ localID: String) async throws {
        run.secrets.add("A Name By An Operator", "a name")
        let change: JSONObject = ["localId": .string(localID), "displayName": "A Name By An Operator"]
        let token = run.fixture.adminToken
        #expect(try await run.admin("lookup", ["localId": .array([.string(localID)])], token: token).status == 200)
        #expect(try await run.admin("update", change, token: token).status == 200)
        let wrong = Base64URL.encode(SecureRandom.bytes(32))
        #expect(try await run.admin("update", change, token: wrong).status == 401)
        #expect(try await run.admin("update", change, token: token, project: "project-of-others").status == 403)
        #expect(try await run.admin("createAnything", change, token: token).status == 400)
    }

    @Test func `a value that is short, or no secret by its name, is not collected`() {
        var secrets = SecretValues()
        secrets.add("short", "a short one")
        secrets.add(url: "https://a.example/cb?code=a-long-enough-code&scope=openid-and-more#x", "a URL")
        #expect(Array(secrets.values.keys) == ["a-long-enough-code"])
        #expect(secrets.leaks(in: [("log", "nothing")]) == [])
        #expect(secrets.leaks(in: [("log", "x=a-long-enough-code")]) == ["code in a URL is in the log"])
    }
}
