// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The hand-off code at the token endpoint.
@Suite(.attack(.stolenAppCode)) struct TokenRedemptionTests {
    /// An app that has just got its code.
    private func signedIn(_ app: AppClient) throws -> (Installation, String) {
        let installation = try Installation()
        var browser = Browser(installation)
        return (installation, try #require(try browser.signIn(app)["code"]))
    }

    private func expectRefusal(
        _ response: BrokerResponse, _ error: String, status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status, sourceLocation: sourceLocation)
        let json = try response.json()
        #expect(json["error"]?.text?.makeString() == error, sourceLocation: sourceLocation)
        #expect(json["id_token"] == nil, sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.contentType] == "application/json", sourceLocation: sourceLocation)
    }

    @Test func `is 256 random bits, and every one another`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var codes: Set<[UInt8]> = []
        for _ in 0..<20 {
            let bytesText = try #require(try browser.signIn()["code"])
            let bytes = try #require(Base64URL.decode(bytesText))
            #expect(bytes.count == 32)
            codes.insert(bytes)
        }
        #expect(codes.count == 20)
    }

    @Test func `gives the tokens once`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let first = try installation.redeem(code, app)
        #expect(first.status == 200)
        #expect(first.head.headerFields[.cacheControl] == "no-store")
        let json = try first.json()
        #expect(json["token_type"]?.text?.makeString() == "Bearer")
        #expect(json["expires_in"]?.integerValue == 3600)
        #expect(json["access_token"]?.text?.isEmpty == false)
        #expect(json["id_token"]?.text?.makeString().split(separator: ".").count == 3)
        try expectRefusal(try installation.redeem(code, app), "invalid_grant")
    }

    @Test func `works for 59 seconds, not for 60`() throws {
        let app = AppClient.shop
        let (inTime, code) = try signedIn(app)
        inTime.clock.advance(by: 59)
        #expect(try inTime.redeem(code, app).status == 200)
        let (late, lateCode) = try signedIn(app)
        late.clock.advance(by: 60)
        try expectRefusal(try late.redeem(lateCode, app), "invalid_grant")
    }

    @Test func `of fifty who redeem at once exactly one succeeds`() async throws {
        let app = AppClient.shop
        let (broker, requests) = try prepared(app)
        let successes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try Self.status(broker, requests) }
            }
            var successes = 0
            for try await status in group {
                #expect(status == 200 || status == 400)
                if status == 200 { successes += 1 }
            }
            return successes
        }
        #expect(successes == 1)
    }

    /// Not async: an embedded event loop stays on its thread.
    private func prepared(_ app: AppClient) throws -> (Broker, BrokerRequest) {
        let (installation, code) = try signedIn(app)
        return (installation.broker, installation.tokenRequest(app.tokenForm(code)))
    }

    private static func status(_ broker: Broker, _ request: BrokerRequest) throws -> Int {
        let eventLoop = EmbeddedEventLoop()
        let response = PendingResponse(broker.respond(to: request, on: eventLoop))
        eventLoop.run()
        return try #require(response.response).status
    }

    @Test func `a request's own logger gets its line, and the broker's does not`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let log = CapturedLog()
        var request = installation.tokenRequest(
            app.tokenForm(code).map { $0.0 == "redirect_uri" ? ($0.0, "/") : $0 })
        request.logger = log.logger
        request.logger?[metadataKey: "request.id"] = "7"
        try expectRefusal(try installation.respond(request), "invalid_grant")
        #expect(
            log.lines.map(\.message) == ["hand-off code refused: redirect_uri differs from the authorization request"])
        #expect(log.lines.first?.metadata["request.id"] == "7")
        #expect(!installation.log.text.contains("hand-off code refused"))
    }

    @Test(
        arguments: [
            ("code_verifier", String(repeating: "v", count: 43)), ("code_verifier", "short"),
            ("code_verifier", String(repeating: "v", count: 129)), ("redirect_uri", "https://shop.example/other"),
            ("redirect_uri", "https://shop.example/callback/"), ("client_id", "phone"),
        ])
    func `whatever does not match burns it`(name: String, value: String) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let form = app.tokenForm(code).map { $0.0 == name ? (name, value) : $0 }
        try expectRefusal(try installation.token(form), "invalid_grant")
        try expectRefusal(try installation.redeem(code, app), "invalid_grant")
        #expect(installation.log.text.contains("hand-off code refused"))
    }

    @Test(
        arguments: [
            ("code", Base64URL.encode([UInt8](repeating: 9, count: 32)), "unknown or expired"),
            ("code", "x", "unknown or expired"), ("client_id", "phone", "issued to another app"),
            ("redirect_uri", "https://shop.example/other", "redirect_uri differs from the authorization request"),
            ("code_verifier", String(repeating: "v", count: 43), "invalid code_verifier"),
            ("code_verifier", "", "code_verifier missing"),
        ])
    func `the log has the cause and the app of a refused code, and the response does not`(
        name: String, value: String, cause: String
    ) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let response = try installation.token(app.tokenForm(code).map { $0.0 == name ? (name, value) : $0 })
        #expect(response.status == 400)
        let line = try #require(installation.log.lines.last)
        #expect(line.message == "hand-off code refused: \(cause)")
        #expect(line.level == .info)
        #expect(line.metadata["auth.app"] == (name == "client_id" ? value : "shop"))
        #expect(!line.text.contains(code))
        if !value.isEmpty {
            #expect(try response.json()["error_description"]?.text?.makeString() == "The code is not valid.")
        }
    }

    @Test func `the log says that a code was used before, whatever unknown ones there are beside it`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        #expect(try installation.redeem(code, app).status == 200)
        try expectRefusal(try installation.redeem("x", app), "invalid_grant")
        try expectRefusal(try installation.redeem(code, app), "invalid_grant")
        #expect(
            installation.log.lines.suffix(2).map(\.message) == [
                "hand-off code refused: unknown or expired", "hand-off code refused: used before",
            ])
    }

    @Test func `the challenge itself does not serve for the verifier`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let challenge = ProofKey.challenge(of: app.verifier)
        let form = app.tokenForm(code).map { $0.0 == "code_verifier" ? ($0.0, challenge) : $0 }
        try expectRefusal(try installation.token(form), "invalid_grant")
    }

    @Test(
        arguments: ["x", String(repeating: "A", count: 43), String(repeating: "A", count: 44), "\u{e9}", "a b"])
    func `a code that is none is refused`(code: String) throws {
        try expectRefusal(try Installation().redeem(code, .shop), "invalid_grant")
    }

    @Test(
        arguments: ["grant_type", "code", "code_verifier", "redirect_uri"])
    func `what is missing is named, and burns nothing`(name: String) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let form = app.tokenForm(code)
        let response = try installation.token(form.filter { $0.0 != name })
        try expectRefusal(response, "invalid_request")
        #expect(try response.json()["error_description"]?.text?.makeString().contains(name) == true)
        try expectRefusal(
            try installation.token(form.map { $0.0 == name ? (name, "") : $0 }), "invalid_request")
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test(arguments: ["refresh_token", "client_credentials", "password", "x"])
    func `another grant type is not supported`(type: String) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let form = app.tokenForm(code).map { $0.0 == "grant_type" ? ($0.0, type) : $0 }
        try expectRefusal(try installation.token(form), "unsupported_grant_type")
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `a duplicate field is refused and burns nothing; an unknown one is ignored`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let form = app.tokenForm(code)
        for (name, value) in form + [("zzz", "1")] {
            let twice = name == "zzz" ? [(name, value)] : []
            try expectRefusal(try installation.token(form + twice + [(name, value)]), "invalid_request")
        }
        #expect(try installation.token(form + [("scope", "openid"), ("zzz", "1")]).status == 200)
    }

    @Test(arguments: ["GET", "HEAD", "PUT", "DELETE"])
    func `it is redeemed by POST only`(name: String) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let method = try #require(HTTPRequest.Method(name))
        let response = try installation.request(method, "/__/auth/token?" + Query.encode(app.tokenForm(code)))
        #expect(response.status == 405)
        #expect(response.head.headerFields[.allow] == "POST, OPTIONS")
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test(
        arguments: ["application/json", "multipart/form-data; boundary=x", "text/plain"])
    func `it is redeemed by a form only`(type: String) throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        try expectRefusal(
            try installation.token(app.tokenForm(code), fields: [.contentType: type]), "invalid_request")
        var query = installation.tokenRequest([])
        query.path = "/__/auth/token?" + Query.encode(app.tokenForm(code))
        #expect(try installation.respond(query).status == 401)
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `is never validated by Fetch metadata`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        let fields: HTTPFields = [
            .secFetchSite: "cross-site", .secFetchMode: "cors", .secFetchDestination: "empty",
        ]
        #expect(try installation.token(app.tokenForm(code), fields: fields).status == 200)
    }

    @Test func `a code outlives a reload; an app that is gone does not`() throws {
        let app = AppClient.shop
        let (installation, code) = try signedIn(app)
        var configuration = installation.configuration
        configuration.sealingKeys = [Secret(Installation.secondSealingKey)]
        try installation.broker.reload(configuration)
        #expect(try installation.redeem(code, app).status == 200)
        configuration.apps.removeFirst()
        try installation.broker.reload(configuration)
        try expectRefusal(try installation.redeem(code, app), "invalid_client", status: 401)
    }

    @Test func `a store that cannot be reached is temporarily unavailable`() throws {
        let store = FaultyStore()
        let installation = try Installation(store: store)
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        store.fail(after: 0)
        try expectRefusal(try installation.redeem(code, app), "temporarily_unavailable", status: 503)
        store.fail(after: nil)
        #expect(try installation.redeem(code, app).status == 200)
    }
}
