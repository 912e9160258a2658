// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// prompt=none: no page of the broker's, but interaction_required at the app.
struct SilentPromptTests {
    private func expectInteractionRequired(
        _ response: BrokerResponse, _ app: AppClient, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try Location(response, sourceLocation: sourceLocation)
            .expectError("interaction_required", at: app.redirectURI, sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `where the user would have to choose a provider`() throws {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        try expectInteractionRequired(try browser.get(AppClient.shop.target(["prompt": "none"])), .shop)
        // With the provider's name there is nothing to choose.
        let named = try Location(try browser.get(AppClient.shop.target(["prompt": "none", "provider": "acme"])))
        #expect(named["prompt"] == "none")
        // And with another prompt there is a page.
        #expect(try browser.get(AppClient.shop.target(["prompt": "login"])).status == 200)
    }

    @Test(arguments: [AppClient.desk, AppClient.phone])
    func `where only "Continue to APP" returns the response`(app: AppClient) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        try expectInteractionRequired(try browser.get(app.target(["prompt": "none"])), app)
        #expect(installation.provider.requests.isEmpty)
        #expect(try Location(try browser.get(app.target(["prompt": "login"]))).base.hasSuffix("/authorize"))
    }

    @Test func `where the provider ignores it`() throws {
        let setup = try AppleSetup()
        var browser = Browser(setup.installation)
        let target = AppClient.shop.target(["prompt": "none", "provider": "apple"])
        try expectInteractionRequired(try browser.get(target), .shop)
    }

    @Test func `where the provider is not told of it`() throws {
        let installation = try Installation { $0.providers[0].appParameters = ["login_hint"] }
        var browser = Browser(installation)
        try expectInteractionRequired(try browser.get(AppClient.shop.target(["prompt": "none"])), .shop)
        #expect(try Location(try browser.get(AppClient.shop.target())).base.hasSuffix("/authorize"))
    }

    @Test func `an https app's goes on, and the provider answers`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let request = try Location(try browser.get(AppClient.shop.target(["prompt": "none"])))
        #expect(request["prompt"] == "none")
        #expect(try Location(try browser.bring(installation.provider.signIn(request)))["code"] != nil)
    }

    /// What a page asks in a hidden frame.
    private func ask(
        in browser: inout Browser, _ app: AppClient = .shop, _ changes: [String: String?] = ["prompt": "none"]
    ) throws -> BrokerResponse {
        try browser.get(app.target(changes)) { $0[.secFetchDestination] = "iframe" }
    }

    @Test(arguments: ["query", "fragment"])
    func `in a hidden frame it ends at the redirect URI, without a cookie`(mode: String) throws {
        var browser = Browser(try Installation())
        let response = try ask(in: &browser, .shop, ["prompt": "none", "response_mode": mode])
        #expect(response.status == 303)
        #expect(response.setCookies.isEmpty)
        let url = try #require(response.head.headerFields[.location])
        let start = "https://shop.example/callback" + (mode == "query" ? "?" : "#") + "error=login_required&"
        #expect(url.utf8.starts(with: start.utf8), "\(url)")
        #expect(url.contains("&state=state-of-the-app&"))
    }

    @Test func `in a hidden frame where a page would have to be shown`() throws {
        var browser = Browser(try Installation(providers: ["acme", "globex"]))
        try expectInteractionRequired(try ask(in: &browser), .shop)
    }

    @Test func `in a hidden frame the app's own error is told`() throws {
        var browser = Browser(try Installation())
        let location = try Location(try ask(in: &browser, .shop, ["prompt": "none", "response_type": "token"]))
        #expect(location.text.contains("/callback#error=unsupported_response_type&"))
    }

    @Test(arguments: ["login", "none login", "", "NONE"])
    func `no other start is served in a frame`(prompt: String) throws {
        var browser = Browser(try Installation())
        #expect(try ask(in: &browser, .shop, ["prompt": prompt]).status == 403)
        #expect(try ask(in: &browser, .shop, [:]).status == 403)
        // The page that posts the response is not shown in a frame.
        #expect(try ask(in: &browser, .shop, ["prompt": "none", "response_mode": "form_post"]).status == 403)
        for destination in ["frame", "embed", "object"] {
            let target = AppClient.shop.target(["prompt": "none"])
            #expect(try browser.get(target) { $0[.secFetchDestination] = destination }.status == 403)
        }
    }

    @Test(arguments: ["none login", "consent none", "none none"])
    func `beside another value it is an error`(prompt: String) throws {
        let location = try Location(try Installation().get(AppClient.shop.target(["prompt": prompt])))
        #expect(location["error"] == "invalid_request")
    }

    @Test(arguments: ["NONE", "nonesuch", "login nonesuch", "registration", "\u{e9}"])
    func `a value that is not announced is an error`(prompt: String) throws {
        let installation = try Installation(providers: ["acme", "globex"])
        let location = try Location(try installation.get(AppClient.shop.target(["prompt": prompt])))
        location.expectError("invalid_request")
    }

    @Test func `each value that is announced is passed on`() throws {
        let installation = try Installation()
        let metadata = try installation.get("/__/auth/.well-known/openid-configuration").json()
        let announced = try #require(metadata["prompt_values_supported"]?.arrayValue).compactMap {
            $0.text?.makeString()
        }
        #expect(announced == ["none", "login", "consent", "select_account", "create"])
        for prompt in announced + ["login consent", "select_account create"] {
            let location = try Location(try installation.get(AppClient.shop.target(["prompt": prompt])))
            #expect(location["prompt"] == prompt)
        }
    }
}
