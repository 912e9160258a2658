// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import JOSE
import NIOConcurrencyHelpers
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo

/// The sample app's page "Your account", without a broker.
@Suite(.onSockets)
struct SampleAppAccountsTests {
    private static let origin = "https://localhost:2"
    private static let signIn = Array("provider=development&user=ada".utf8)

    @Test func `No user is signed in: a button for each user at each provider, and forms for this origin only`()
        async throws
    {
        try await withApp { app, _ in
            let page = await app.respond(to: SampleAppRequest(method: .GET, target: "/account")).message
            #expect(page.status == .ok && page.body.contains("id=\"signed-out\""))
            for id in ["sign-in-development", "sign-in-apple"] {
                #expect(PageForm(html: page.body, id: id)?.action == "/account/sign-in")
            }
            #expect(page.body.split(separator: "name=\"user\"").count - 1 == 4)
            let policy = try #require(page.headers["content-security-policy"].first)
            #expect(policy.contains("default-src 'none'") && policy.contains("form-action 'self'"))
            // Otherwise a browser hides the origin of the form.
            #expect(page.headers["referrer-policy"] == ["same-origin"])
            let home = await app.respond(to: SampleAppRequest(method: .GET, target: "/")).message
            #expect(home.body.contains("href=\"/account\""))
            #expect(home.headers["referrer-policy"] == ["no-referrer"])
        }
    }

    @Test(arguments: [nil, "null", "https://localhost:3", "https://localhost:2/", "https://evil.example"] as [String?])
    func `A form of another origin does nothing`(origin: String?) async throws {
        try await withApp { app, presented in
            let request = SampleAppRequest(
                method: .POST, target: "/account/sign-in", origin: origin, body: Self.signIn)
            #expect(await app.respond(to: request).message.status == .forbidden)
            #expect(presented.withLockedValue { $0 } == 0)
        }
    }

    @Test(arguments: [
        ("/account/sign-in", "provider=development"), ("/account/sign-in", "user=ada"),
        ("/account/sign-in", "provider=other&user=ada"), ("/account/sign-in", "provider=development&user=eve"),
        ("/account/sign-in", "provider=development&user=ada&user=grace"), ("/account/sign-in", "%"),
        ("/account/link", "user=ada"), ("/account/unlink", ""), ("/account/nothing", "provider=apple&user=ada"),
        ("/account/sign-in", "provider=development&user=ada&x=" + String(repeating: "x", count: 4096)),
    ])
    func `A form that is not one of the page's does nothing`(path: String, body: String) async throws {
        try await withApp { app, presented in
            let request = SampleAppRequest(
                method: .POST, target: path, origin: Self.origin, body: Array(body.utf8))
            #expect(await app.respond(to: request).message.status == .notFound)
            #expect(presented.withLockedValue { $0 } == 0)
        }
    }

    @Test func `A broker that cannot be reached is said in words, in a session of its own`() async throws {
        try await withApp { app, presented in
            let request = SampleAppRequest(
                method: .POST, target: "/account/sign-in", origin: Self.origin, body: Self.signIn)
            guard case .redirect("/account", let cookie?) = await app.respond(to: request) else {
                Issue.record("no redirect with a cookie")
                return
            }
            #expect(presented.withLockedValue { $0 } == 1)
            #expect(cookie.hasPrefix("__Host-sample-account=") && cookie.contains("HttpOnly"))
            let own = String(cookie.prefix { $0 != ";" })
            let page = await app.respond(
                to: SampleAppRequest(method: .GET, target: "/account", cookies: [own])
            ).message
            #expect(page.body.contains("id=\"error\"") && page.body.contains("could not be reached"))
            #expect(!page.body.contains("id=\"error-code\"") && page.body.contains("id=\"signed-out\""))
            let other = await app.respond(to: SampleAppRequest(method: .GET, target: "/account")).message
            #expect(!other.body.contains("id=\"error\""))
        }
    }

    @Test(arguments: ["/account/link", "/account/unlink", "/account/again", "/account/refresh", "/account/delete"])
    func `What needs an account says that no user is signed in`(path: String) async throws {
        try await withApp { app, presented in
            let request = SampleAppRequest(method: .POST, target: path, origin: Self.origin, body: Self.signIn)
            guard case .redirect("/account", let cookie?) = await app.respond(to: request) else {
                Issue.record("no redirect with a cookie")
                return
            }
            let own = String(cookie.prefix { $0 != ";" })
            let page = await app.respond(
                to: SampleAppRequest(method: .GET, target: "/account", cookies: [own])
            ).message
            #expect(page.body.contains("You are not signed in. Sign in first."))
            #expect(presented.withLockedValue { $0 } == 0)
        }
    }

    @Test func `An app without accounts has no such page, and no web app`() async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
        let client = try BrokerClient(
            issuer: "https://localhost:1/__/auth", clientID: "sample", redirectURI: Self.origin + "/callback",
            certificatePEM: certificate.certificatePEM, group: MultiThreadedEventLoopGroup.singleton)
        let app = SampleApp(client: client)
        let page = await app.respond(to: SampleAppRequest(method: .GET, target: "/account")).message
        let web = await app.respond(to: SampleAppRequest(method: .GET, target: "/web")).message
        let home = await app.respond(to: SampleAppRequest(method: .GET, target: "/")).message
        await client.stop()
        #expect(page.status == .notFound && web.status == .notFound)
        #expect(!home.body.contains("/account") && !home.body.contains("/web"))
    }

    /// Runs a body with an app whose broker cannot be reached, and with the number of sheets that were presented.
    private func withApp(
        _ body: (SampleApp, _ presented: NIOLockedValueBox<Int>) async throws -> Void
    ) async throws {
        let certificate = try DevelopmentCertificate.make(hosts: ["localhost"])
        let client = try BrokerClient(
            issuer: "https://localhost:1/__/auth", clientID: "sample", redirectURI: Self.origin + "/callback",
            certificatePEM: certificate.certificatePEM, group: MultiThreadedEventLoopGroup.singleton)
        // Its requests fail at once, without a connection.
        await client.stop()
        let presented = NIOLockedValueBox(0)
        let sheet = SignInSheet { provider, _, rawNonce in
            presented.withLockedValue { $0 += 1 }
            return SignInSheet.Credential(providerID: provider.wireID, idToken: "e30.e30.AA", rawNonce: rawNonce)
        }
        let wire = AccountsWire(
            client: client, origin: "https://localhost:1", projectID: "project", apiKey: "sample-key",
            bundleID: "org.example.sample")
        let accounts = SampleAppAccounts(wire: wire, sheet: sheet, origin: Self.origin)
        try await body(SampleApp(client: client, accounts: accounts), presented)
    }
}
