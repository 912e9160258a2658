// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import oidc_broker_demo
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The sample app.
@Suite(.onSockets)
struct SampleAppTests {
    private static let issuer = "https://localhost:1/__/auth"

    @Test func `Sends the browser to the broker with everything an authorization request needs`() async throws {
        try await withApp { app in
            let (parameters, cookie) = try await Self.start(app)
            #expect(try parameters.value("response_type") == "code")
            #expect(try parameters.value("client_id") == "sample")
            #expect(try parameters.value("redirect_uri") == "https://localhost:2/callback")
            #expect(try parameters.value("code_challenge_method") == "S256")
            for name in ["state", "nonce", "code_challenge"] {
                #expect(try (parameters.value(name) ?? "").utf8.count >= 22, "\(name)")
            }
            #expect(cookie.hasPrefix("__Host-sample="))
            let (others, otherCookie) = try await Self.start(app)
            #expect(try others.value("state") != parameters.value("state"))
            #expect(cookie != otherCookie)
        }
    }

    @Test func `A denial is shown as one, once, with a way to try again`() async throws {
        try await withApp { app in
            let (parameters, cookie) = try await Self.start(app)
            let query = FormURLEncoding.encode([
                ("error", "access_denied"), ("state", try #require(try parameters.value("state")).makeString()),
                ("iss", Self.issuer),
            ])
            let response = await app.respond(to: Self.get("/callback?" + query, cookie))
            #expect(Self.location(response) == "/result")
            let page = await app.respond(to: Self.get("/result", cookie)).message
            #expect(page.body.contains("id=\"denied\"") && page.body.contains("id=\"sign-in\""))
            let again = await app.respond(to: Self.get("/callback?" + query, cookie)).message
            #expect(again.status == .badRequest && again.body.contains("id=\"unexpected\""))
        }
    }

    @Test
    func `A response with another state, without cookie, from another broker, or duplicate is refused`() async throws {
        try await withApp { app in
            let (parameters, cookie) = try await Self.start(app)
            let state = try #require(try parameters.value("state")).makeString()
            let good = [("error", "access_denied"), ("state", state), ("iss", Self.issuer)]
            let encoded = FormURLEncoding.encode(good)
            for (query, cookie) in [
                (FormURLEncoding.encode([good[0], ("state", state + "x"), good[2]]), cookie),
                (FormURLEncoding.encode([good[0], good[2]]), cookie),
                (encoded + "&state=" + state, cookie),
                (encoded, "__Host-sample=other"),
                (encoded, ""),
            ] {
                let response = await app.respond(to: Self.get("/callback?" + query, cookie)).message
                #expect(response.status == .badRequest && response.body.contains("id=\"unexpected\""), "\(query)")
            }
            let other = FormURLEncoding.encode([good[0], good[1], ("iss", "https://evil.example")])
            _ = await app.respond(to: Self.get("/callback?" + other, cookie))
            let page = await app.respond(to: Self.get("/result", cookie)).message
            #expect(page.body.contains("id=\"failed\"") && !page.body.contains("evil"))
        }
    }

    @Test func `Pages: policy, no cache, no sniffing; unknown paths and methods refused`() async throws {
        try await withApp { app in
            let home = await app.respond(to: Self.get("/")).message
            #expect(home.status == .ok && home.body.contains("id=\"sign-in\""))
            #expect(home.headers["content-security-policy"].first?.contains("default-src 'none'") == true)
            #expect(home.headers["cache-control"] == ["no-store"])
            #expect(home.headers["x-content-type-options"] == ["nosniff"])
            #expect(home.headers["content-length"] == [String(home.body.utf8.count)])
            #expect(await app.respond(to: Self.get("/nothing")).message.status == .notFound)
            #expect(
                await app.respond(to: SampleAppRequest(method: .POST, target: "/")).message.status == .methodNotAllowed)
            #expect(Self.location(await app.respond(to: Self.get("/result"))) == "/")
        }
    }

    @Test func `An error code that is markup is shown as text`() async throws {
        let page = SampleAppResponse.page(SampleAppPages.result(.failed(reason: "<script>"))).message
        #expect(page.body.contains("&lt;script&gt;") && !page.body.contains("<script"))
    }

    private static func get(_ target: String, _ cookie: String = "") -> SampleAppRequest {
        SampleAppRequest(method: .GET, target: target, cookies: cookie.isEmpty ? [] : ["x=y; " + cookie])
    }

    private static func location(_ response: SampleAppResponse) -> String? {
        guard case .redirect(let location, _) = response else { return nil }
        return location
    }

    private static func start(_ app: SampleApp) async throws -> (parameters: Parameters, cookie: String) {
        guard case .redirect(let location, let cookie?) = await app.respond(to: get("/start")) else {
            throw NoRedirect()
        }
        let prefix = issuer + "/authorize?"
        #expect(location.hasPrefix(prefix))
        let query = location.dropFirst(prefix.utf8.count)
        return (try FormURLEncoding.parse(query.utf8), String(cookie.prefix { $0 != ";" }))
    }

    private struct NoRedirect: Error {}

    private func withApp(_ body: (SampleApp) async throws -> Void) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
        let client = try BrokerClient(
            issuer: Self.issuer, clientID: "sample", redirectURI: "https://localhost:2/callback",
            certificatePEM: certificate.certificatePEM, group: MultiThreadedEventLoopGroup.singleton)
        try await attempt {
            try await body(SampleApp(client: client))
        } finally: {
            await client.stop()
        }
    }
}
