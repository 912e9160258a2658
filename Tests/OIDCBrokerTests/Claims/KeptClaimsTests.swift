// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// Configured claims that do not fit an ID token, and UserInfo has nevertheless for an app with accounts.
struct KeptClaimsTests {
    private static let names = ["one", "two", "three", "groups"]

    private static func installation(
        _ sent: JSONObject, accounts: StubAccounts = StubAccounts(), claims: [String] = names,
        configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        let installation = try Installation(extensions: [accounts]) {
            $0.providers[0].claims = claims.map { BrokerConfiguration.ProviderClaim(entry: $0) }
            $0.apps[0].accounts = true
            configure(&$0)
        }
        installation.provider.behave { behavior in
            for member in sent.members { behavior.claims[member.name] = member.value }
        }
        return installation
    }

    /// A list whose JSON text has a number of bytes.
    private static func list(_ bytes: Int) -> JSONValue { .array([.string(String(repeating: "g", count: bytes - 4))]) }

    private typealias Tokens = (idToken: JSONObject, accessToken: String)

    private static func signIn(_ installation: Installation, _ app: AppClient = .shop) throws -> Tokens {
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        let response = try installation.redeem(try #require(location["code"], "\(location.text)"), app).json()
        let idToken = try #require(response["id_token"]?.text?.makeString())
        let accessToken = try #require(response["access_token"]?.text?.makeString())
        #expect(idToken.utf8.count <= 8192 && accessToken.utf8.count <= 8192)
        let keys = try KeySet(json: Array(try installation.get("/__/auth/jwks").text.utf8))
        return (
            try JSONWebSignature(compact: idToken).verified(by: keys, algorithms: [.es256]).claims, accessToken
        )
    }

    private static func userInfo(_ installation: Installation, _ tokens: Tokens) throws -> JSONObject {
        let fields: HTTPFields = [.authorization: "Bearer \(tokens.accessToken)"]
        return try installation.get("/__/auth/userinfo", fields: fields).json()
    }

    private static func error(_ installation: Installation, _ app: AppClient = .shop) throws -> String? {
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        #expect(location["code"] == nil)
        #expect(location["error"] == "server_error")
        #expect(installation.log.outcomes == ["unusable_claims"])
        #expect(!installation.log.lines.contains { line in line.metadata.values.contains { "\($0)".contains("gggg") } })
        return location["error_description"]
    }

    /// What a provider sends, and what the ID token has of it.
    struct Fit: Sendable, CustomTestStringConvertible {
        let lengths: [String: Int]
        let inIDToken: Set<String>
        var testDescription: String { "\(lengths)" }
    }

    /// With the object around a claim, `{"groups":…}`, 11 bytes more are kept.
    private static let fits = [
        Fit(lengths: ["groups": 2048], inIDToken: ["groups"]), Fit(lengths: ["groups": 2049], inIDToken: []),
        Fit(lengths: ["groups": 32_757], inIDToken: []),
        Fit(lengths: ["one": 1900, "two": 1900], inIDToken: ["one", "two"]),
        // The longest goes first, and no more than need be.
        Fit(lengths: ["one": 1900, "two": 1901, "three": 1200], inIDToken: ["one", "three"]),
        Fit(lengths: ["one": 2000, "two": 2000, "three": 2000, "groups": 8000], inIDToken: ["one", "two"]),
    ]

    @Test(arguments: fits)
    func `what does not fit the ID token is at UserInfo alone, whole, and nothing else is left out for it`(
        fit: Fit
    ) throws {
        var sent: JSONObject = [:]
        for (name, length) in fit.lengths { sent[name] = Self.list(length) }
        let installation = try Self.installation(sent)
        let tokens = try Self.signIn(installation)
        let userInfo = try Self.userInfo(installation, tokens)
        let found = Self.names.filter { tokens.idToken[$0] != nil }
        #expect(found.count == fit.inIDToken.count)
        if fit.lengths.count < 4 { #expect(Set(found) == fit.inIDToken) }
        for name in Self.names { #expect(userInfo[name] == sent[name], "\(name)") }
        for name in ["name", "email", "picture"] { #expect(tokens.idToken[name] == userInfo[name], "\(name)") }
        #expect(tokens.idToken["email"] != nil)
    }

    @Test func `over 32 KB in all the sign-in ends with the names, before an account is entered`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(["one": "a", "groups": Self.list(32_748)], accounts: accounts)
        #expect(
            try Self.error(installation)
                == "A claim cannot be passed to the app: the claims, with 'one', 'groups', are longer than 32768 bytes."
        )
        #expect(accounts.asked.isEmpty)
        _ = try Self.signIn(try Self.installation(["one": "a", "groups": Self.list(32_747)]))
    }

    /// Apps for which 2 KB and 4,800 bytes are the end.
    @Test(arguments: ["no accounts", "no account", "usual API", "listed", "scope"])
    func `an app that cannot have it from UserInfo is told the name of the claim`(why: String) throws {
        let accounts = StubAccounts()
        if why == "no account" { accounts.decide(.allowed(account: nil)) }
        let name = why == "scope" ? "address" : "groups"
        let value: JSONValue = why == "scope" ? ["formatted": Self.list(2040)] : Self.list(2049)
        let sent: JSONObject = [name: value]
        let installation = try Self.installation(sent, accounts: accounts, claims: [name]) {
            if why == "no accounts" { $0.apps[0].accounts = false }
            guard why == "usual API" || why == "listed" else { return }
            var orders = BrokerConfiguration.Resource(name: "orders", identifier: ResourceSetup.orders)
            if why == "listed" { orders.claims = ["groups"] }
            $0.resources = [orders]
            $0.resourceSigningKeys = [Secret(ResourceSetup.key)]
            $0.apps[0].resources = ["orders"]
            if why == "usual API" { $0.apps[0].defaultResource = "orders" }
        }
        #expect(
            try Self.error(installation) == "A claim cannot be passed to the app: '\(name)' is longer than 2048 bytes.")
    }

    @Test func `the next sign-in replaces it, whatever its length, also for a token that is out`() throws {
        let installation = try Self.installation(["groups": Self.list(3000)])
        let tokens = try Self.signIn(installation)
        for next in [Self.list(4000), ["staff"], nil] as [JSONValue?] {
            installation.provider.behave { $0.claims["groups"] = next }
            _ = try Self.signIn(installation)
            #expect(try Self.userInfo(installation, tokens)["groups"] == next)
        }
    }

    @Test func `claims that are too long in all to be kept replace those of the sign-in before by none`() throws {
        // Section 5.1 of OpenID Connect Core: an app gets them by scopes, and none of them is at UserInfo alone.
        let names = [
            "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
            "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "address", "phone_number",
        ]
        let accounts = StubAccounts()
        let installation = try Self.installation(["nickname": "ada"], accounts: accounts, claims: names)
        var app = AppClient.shop
        app.scope = "openid"
        _ = try Self.signIn(installation, app)
        #expect(accounts.asked.last?.keptClaims?["nickname"] == "ada")
        installation.provider.behave { behavior in
            for name in names { behavior.claims[name] = .string(String(repeating: "g", count: 2046)) }
        }
        _ = try Self.signIn(installation, app)
        #expect(accounts.asked.last?.keptClaims == [:])
    }

    @Test func `an app requires one of a long list`() throws {
        let list: JSONValue = .array((0..<200).map { .string("group-\($0)-of-the-company") })
        for (group, isIn) in [("group-199-of-the-company", true), ("group-200-of-the-company", false)] {
            let installation = try Self.installation(["groups": list]) {
                $0.apps[0].require = BrokerConfiguration.RequiredClaims(["acme": ["groups": .anyOf([group])]])
            }
            var browser = Browser(installation)
            #expect((try browser.signIn()["code"] != nil) == isIn)
        }
    }

    @Test func `with the claims of its users at UserInfo alone, an app has it there too`() throws {
        let installation = try Self.installation(["groups": Self.list(3000), "one": "a"]) {
            $0.apps[0].idTokenClaims = .minimal
        }
        let tokens = try Self.signIn(installation)
        #expect(tokens.idToken["one"] == nil && tokens.idToken["groups"] == nil)
        let userInfo = try Self.userInfo(installation, tokens)
        #expect(userInfo["groups"] == Self.list(3000) && userInfo["one"] == "a")
    }
}
