// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOHTTP1
import Testing

@testable import oidc_broker_demo

/// The sample app's page "Your account" if the broker fails, or a response comes late.
struct SampleAppAccountsFailureTests {
    private static let origin = "https://localhost:2"
    private let broker = ScriptedBroker()
    private let app: SampleAppAccounts

    init() {
        let sheet = SignInSheet { provider, _, rawNonce in
            SignInSheet.Credential(providerID: provider.wireID, idToken: "e30.e30.AA", rawNonce: rawNonce)
        }
        app = SampleAppAccounts(wire: broker.wire, sheet: sheet, origin: Self.origin)
    }

    /// Signs a user in.
    /// - Returns: The cookie.
    private func signIn() async throws -> String {
        guard case .redirect("/account", let cookie?) = await post("sign-in", []) else { throw NotSignedIn() }
        return String(cookie.prefix { $0 != ";" })
    }

    @discardableResult
    private func post(_ action: String, _ cookies: [String]) async -> SampleAppResponse {
        await app.respond(
            to: SampleAppRequest(
                method: .POST, target: "/account/" + action, cookies: cookies, origin: Self.origin,
                body: Array("provider=apple&user=ada".utf8)))
    }

    private func page(_ cookie: String) async -> String {
        await app.respond(to: SampleAppRequest(method: .GET, target: "/account", cookies: [cookie])).message.body
    }

    @Test func `A provider that is unlinked is said to be, even if there is no new ID token`() async throws {
        let cookie = try await signIn()
        // The ID token is renewed by this, so that unlinking needs no other one.
        #expect(await page(cookie).contains("id=\"account\""))
        broker.answer("token", .serviceUnavailable)
        guard case .redirect("/account", nil) = await post("unlink", [cookie]) else {
            Issue.record("the user got another cookie")
            return
        }
        let shown = await page(cookie)
        #expect(shown.contains("id=\"account\"") && shown.contains("id=\"unlinked\""))
        #expect(!shown.contains("id=\"error\""))
    }

    @Test func `A provider that is not unlinked is not said to be`() async throws {
        let cookie = try await signIn()
        broker.answer("accounts:update", .serviceUnavailable)
        await post("unlink", [cookie])
        let shown = await page(cookie)
        #expect(shown.contains("id=\"account\"") && shown.contains("id=\"error\""))
        #expect(!shown.contains("id=\"unlinked\""))
    }

    @Test(arguments: [("link", "linked"), ("refresh", "refreshed"), ("again", "signed-in-again")])
    func `A page that comes late does not undo what was done meanwhile`(action: String, notice: String) async throws {
        let cookie = try await signIn()
        broker.before("accounts:lookup") { await post(action, [cookie]) }
        #expect(await page(cookie).contains("id=\"account\""))
        let shown = await page(cookie)
        #expect(shown.contains("id=\"account\"") && shown.contains("id=\"\(notice)\""))
    }

    @Test func `A session that has ended does not end the one that took its place meanwhile`() async throws {
        let cookie = try await signIn()
        broker.answer("accounts:lookup", .badRequest, ["error": ["message": "TOKEN_EXPIRED"]])
        broker.before("accounts:lookup") {
            broker.answer("accounts:lookup", .ok, ["users": [["localId": "ada"]]])
            await post("link", [cookie])
        }
        let shown = await page(cookie)
        #expect(shown.contains("id=\"account\"") && shown.contains("id=\"linked\""))
        #expect(await page(cookie).contains("id=\"account\""))
    }

    @Test(arguments: [HTTPResponseStatus.serviceUnavailable, .badGateway, .unauthorized])
    func `A body that ends sessions ends none with another status`(status: HTTPResponseStatus) async throws {
        let cookie = try await signIn()
        broker.answer("accounts:lookup", status, ["error": ["message": "TOKEN_EXPIRED"]])
        #expect(await page(cookie).contains("id=\"not-shown\""))
        broker.answer("accounts:lookup", .ok, ["users": [["localId": "ada"]]])
        #expect(await page(cookie).contains("id=\"account\""))
    }
}

private struct NotSignedIn: Error {}
