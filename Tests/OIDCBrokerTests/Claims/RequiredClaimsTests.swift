// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithApple
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// What an app requires of its users, wherever they sign in.
struct RequiredClaimsTests {
    private typealias Required = BrokerConfiguration.RequiredClaims

    private static let staff = Required(["acme": ["groups": .anyOf(["staff", "boss"])]])

    /// Two providers. Each hands on groups.
    private static func installation(
        _ required: Required = staff, groups: JSONValue = ["staff"], handler: SignInHandler? = nil,
        accounts: StubAccounts? = nil
    ) throws -> Installation {
        let installation = try Installation(
            providers: ["acme", "globex"], signInHandlers: handler.map { ["site": $0] } ?? [:],
            extensions: accounts.map { [$0] } ?? []
        ) {
            for index in $0.providers.indices { $0.providers[index].claims = [.init("groups")] }
            $0.apps[0].accounts = accounts != nil
            $0.apps[0].nativeAudiences = [.init(provider: "acme", audience: "app-at-acme")]
            if handler != nil {
                var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
                site.kind = .inProcess
                site.title = "Acme Orders"
                $0.apps.append(site)
            }
            for index in $0.apps.indices { $0.apps[index].require = required }
        }
        for provider in installation.providers { provider.behave { $0.claims["groups"] = groups } }
        return installation
    }

    private static func signIn(_ installation: Installation, at provider: String = "acme") throws -> Location {
        var app = AppClient.shop
        app.provider = provider
        var browser = Browser(installation)
        return try browser.signIn(app)
    }

    private static let groups: [(groups: JSONValue, isAllowed: Bool)] = [
        (["staff"], true), (["guests", "boss"], true), ("staff", true), (["guests"], false), ([], false),
        (.null, false),
        (["staff": true], false), ("Staff", false),
    ]

    @Test(arguments: groups)
    func `a user whose claims are those gets a code, and another access_denied`(
        groups: JSONValue, isAllowed: Bool
    ) throws {
        let installation = try Self.installation(groups: groups)
        let location = try Self.signIn(installation)
        #expect((location["code"] != nil) == isAllowed)
        #expect(location["error"] == (isAllowed ? nil : "access_denied"))
        #expect(location["state"] == "state-of-the-app")
        #expect(installation.log.outcomes == [isAllowed ? "signed_in" : "requirement_not_met"])
        guard !isAllowed else { return }
        // The app is not told which claim; the operator is, without its value.
        #expect(location["error_description"] == "The user may not use the app.")
        let detail = try #require(installation.log.lines.compactMap { $0.metadata["auth.detail"] }.last)
        #expect(detail.contains("the app requires 'groups'") && !detail.contains("staff"))
    }

    @Test func `a provider without its own signs no user in once another has some`() throws {
        let installation = try Self.installation()
        #expect(try Self.signIn(installation, at: "globex")["error"] == "access_denied")
        #expect(try Self.signIn(installation, at: "acme")["code"] != nil)
        #expect(try Self.signIn(try Self.installation(Required()), at: "globex")["code"] != nil)
    }

    @Test func `an email must be verified by the provider, in whatever form that says so`() throws {
        let required = Required(["acme": ["email_verified": .bool(true)]])
        let cases: [(JSONValue, Bool)] = [(true, true), ("true", true), (false, false), (.null, false)]
        for (verified, isAllowed) in cases {
            let installation = try Self.installation(required)
            installation.provider.behave { $0.claims["email_verified"] = verified }
            // Whether or not the app asks for the email.
            var app = AppClient.shop
            (app.provider, app.scope) = ("acme", "openid")
            var browser = Browser(installation)
            #expect((try browser.signIn(app)["code"] != nil) == isAllowed, "\(verified)")
        }
    }

    @Test func `no account is made for a user who may not sign in`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(groups: ["guests"], accounts: accounts)
        #expect(try Self.signIn(installation)["error"] == "access_denied")
        #expect(accounts.asked.isEmpty)
        installation.provider.behave { $0.claims["groups"] = ["staff"] }
        #expect(try Self.signIn(installation)["code"] != nil)
        #expect(accounts.asked.count == 1)
    }

    @Test func `in process the handler is not called, and a page names the app and not the group`() throws {
        let calls = Mutex(0)
        let handler = SignInHandler { _ in
            calls.withLock { $0 += 1 }
            return .redirect()
        }
        let installation = try Self.installation(groups: ["guests"], handler: handler)
        func page() throws -> BrokerResponse {
            var browser = Browser(installation)
            let request = try Location(try browser.get("/__/auth/login/site?to=/orders&provider=acme"))
            return try browser.bring(installation.provider.signIn(request))
        }
        let refused = try page()
        #expect(refused.status == 403)
        #expect(refused.heading == PageTexts.english.noAccess.title)
        #expect(refused.text.contains("Acme Orders"))
        for word in ["groups", "staff", "boss", "guests"] { #expect(!refused.text.contains(word), "\(word)") }
        #expect(calls.withLock { $0 } == 0)
        installation.provider.behave { $0.claims["groups"] = ["boss"] }
        #expect(try page().status == 303)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test(arguments: [true, false])
    func `a native credential of another user is refused, and not used up`(isAllowed: Bool) throws {
        let installation = try Self.installation()
        let now = installation.clock.now()
        func present(_ groups: JSONValue) throws -> BrokerResponse {
            let token = try installation.provider.key.sign([
                "iss": .string(installation.provider.issuer), "sub": .string(TestProvider.subject),
                "aud": "app-at-acme", "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 300)),
                "nonce": .string(NoncePair(raw: "raw").hashed), "groups": groups,
            ])
            var request = installation.tokenRequest([
                ("client_id", "shop"), ("id_token", token), ("raw_nonce", "raw"), ("provider", "acme"),
            ])
            request.path = "/__/auth/credential"
            return try installation.respond(request)
        }
        let response = try present(isAllowed ? ["staff"] : ["guests"])
        #expect(response.status == (isAllowed ? 200 : 400), "\(response.text)")
        #expect(try response.json()["error"]?.text?.makeString() == (isAllowed ? nil : "access_denied"))
        #expect(installation.log.outcomes == [isAllowed ? "signed_in" : "requirement_not_met"])
        // The app may present the token again once the configuration lets its user in.
        guard !isAllowed else { return }
        try installation.broker.reload(with: installation.configuration) { $0.apps[0].require = Required() }
        #expect(try present(["guests"]).status == 200)
    }

    @Test func `a change of what is required holds for the next sign-in`() throws {
        let installation = try Self.installation()
        #expect(try Self.signIn(installation)["code"] != nil)
        try installation.broker.reload(with: installation.configuration) {
            $0.apps[0].require = Required(["acme": ["groups": .anyOf(["admins"])]])
        }
        #expect(try Self.signIn(installation)["error"] == "access_denied")
    }
}

extension Broker {
    /// Reloads a configuration with a change.
    fileprivate func reload(
        with configuration: BrokerConfiguration, _ change: (inout BrokerConfiguration) -> Void
    ) throws {
        var changed = configuration
        change(&changed)
        try reload(changed)
    }
}
