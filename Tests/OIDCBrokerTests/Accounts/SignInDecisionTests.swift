// SPDX-License-Identifier: Apache-2.0

import Configuration
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// Sign-ins of apps with accounts, which an extension allows or does not.
struct SignInDecisionTests {
    private static func installation(
        _ accounts: StubAccounts, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        try Installation(extensions: [accounts]) {
            for index in $0.apps.indices { $0.apps[index].accounts = true }
            configure(&$0)
        }
    }

    /// A whole sign-in: what the app gets for its code.
    private static func signIn(_ installation: Installation, _ app: AppClient = .shop) throws -> JSONObject {
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        let response = try installation.redeem(try #require(location["code"], "\(location.text)"), app)
        #expect(response.status == 200)
        return try response.json()
    }

    private static func claims(of response: JSONObject, _ installation: Installation) throws -> JSONObject {
        let token = try #require(response["id_token"]?.text?.makeString())
        let keys = try KeySet(json: Array(try installation.get("/__/auth/jwks").text.utf8))
        return try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256]).claims
    }

    private static func account(_ claims: JSONObject) -> String? { claims["account"]?.text?.makeString() }

    @Test func `the app gets the account as a claim of its own, and the same sub as without`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        let response = try Self.signIn(installation)
        let claims = try Self.claims(of: response, installation)
        #expect(Self.account(claims) == StubAccounts.uid)
        #expect(
            claims["sub"]?.text?.makeString()
                == SubjectIdentifier.derive(issuer: installation.provider.issuer, subject: TestProvider.subject))
        let token = try #require(response["access_token"]?.text?.makeString())
        let userInfo = try installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(token)"])
        #expect(try Self.account(userInfo.json()) == StubAccounts.uid)
        let asked = try #require(accounts.asked.first)
        #expect(accounts.asked.count == 1)
        #expect(asked.signIn.issuer == installation.provider.issuer && asked.signIn.subject == TestProvider.subject)
        #expect(asked.providerID == "oidc.acme" && !asked.sendsUser && asked.name == nil)
        #expect(installation.log.outcomes == ["signed_in"])
    }

    @Test func `the account waits with the credential for the user's Continue`() throws {
        let installation = try Self.installation(StubAccounts())
        let claims = try Self.claims(of: Self.signIn(installation, .desk), installation)
        #expect(Self.account(claims) == StubAccounts.uid)
    }

    @Test func `an app without accounts is not asked about, and its records are what they were`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts) { $0.apps[0].accounts = false }
        let claims = try Self.claims(of: Self.signIn(installation), installation)
        #expect(claims["account"] == nil && accounts.asked.isEmpty)
        let plain = try Installation(stubs: installation.providers)
        let others = try Self.claims(of: Self.signIn(plain), plain)
        #expect(claims.members.map { $0.name.makeString() } == others.members.map { $0.name.makeString() })
    }

    @Test(arguments: [(false, true), (true, true), (true, false)])
    func `a claim account of the provider never takes that name`(hasAccounts: Bool, hasUID: Bool) throws {
        let accounts = StubAccounts()
        if !hasUID { accounts.decide(.allowed(account: nil)) }
        let installation = try Self.installation(accounts) { $0.apps[0].accounts = hasAccounts }
        installation.provider.behave { $0.claims = ["account": "forged"] }
        let response = try Self.signIn(installation)
        let claims = try Self.claims(of: response, installation)
        #expect(Self.account(claims) == (hasAccounts && hasUID ? StubAccounts.uid : nil))
        #expect(response["account"] == nil)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decision: SignInDecision?
        let error: String
        let outcome: String
    }

    static let refusals = [
        Refusal(
            testDescription: "disabled", decision: .disabled, error: "access_denied", outcome: "account_refused"),
        Refusal(
            testDescription: "an address that is another account's", decision: .needsInteraction,
            error: "interaction_required", outcome: "account_needs_interaction"),
        Refusal(
            testDescription: "not now", decision: .unavailable, error: "temporarily_unavailable",
            outcome: "accounts_unavailable"),
        Refusal(
            testDescription: "an unavailable store", decision: nil, error: "temporarily_unavailable",
            outcome: "accounts_unavailable"),
    ]

    @Test(arguments: refusals) func `the app gets the error, and nothing is handed off`(row: Refusal) throws {
        let accounts = StubAccounts()
        accounts.decide(row.decision)
        let store = FaultyStore()
        let installation = try Installation(store: store, extensions: [accounts]) { $0.apps[0].accounts = true }
        var browser = Browser(installation)
        let response = try browser.bring(try browser.authenticate())
        let location = try Location(response)
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == row.error && location["code"] == nil)
        #expect(location["state"] == "state-of-the-app")
        #expect(response.setCookies.contains { $0.contains("Max-Age=0") })
        // Only a record of a hand-off has an owner.
        #expect(store.owners.isEmpty)
        #expect(installation.log.outcomes == [row.outcome])
        for secret in ["hunter2", "ada@people.example", TestProvider.subject, "Ada"] {
            #expect(!installation.log.text.contains(secret), "\(secret)")
        }
    }

    @Test func `what an imported account has to do with a sign-in is audited, or in the log`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        accounts.decide(.allowed(account: StubAccounts.uid, holder: .entered))
        _ = try Self.signIn(installation)
        let lines = installation.audit.lines.filter { $0.message.hasPrefix("account_") }
        #expect(lines.map(\.message) == ["account_link", "account_sign_in"])
        #expect(lines.allSatisfy { $0.metadata["auth.account"] == StubAccounts.uid })
        #expect(Set(lines.map { $0.metadata["auth.sub"] }).count == 1)
        accounts.decide(.allowed(account: StubAccounts.uid, holder: .kept("old")))
        _ = try Self.signIn(installation)
        let kept = installation.log.lines.filter { $0.metadata["auth.imported_account"] == "old" }
        #expect(kept.map { $0.metadata["auth.account"] } == [StubAccounts.uid])
        #expect(installation.audit.lines.filter { $0.message == "account_link" }.count == 1)
    }

    @Test func `a user other than the one that the app names enters no account`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        var browser = Browser(installation)
        let request = try Location(
            try browser.get(AppClient.shop.target(["claims": #"{"id_token":{"sub":{"value":"somebody"}}}"#])))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location["error"] == "login_required")
        #expect(accounts.asked.isEmpty)
    }

    @Test func `a record with an account comes back as it was`() throws {
        // One that was imported may be any text.
        let uid = "\u{FC} 1"
        let record = HandOffRecord(
            clientID: "shop", redirectURI: "https://shop.example/callback", codeChallenge: nil, issuer: "i",
            claims: ["sub": "x", "account": .string(uid)], upstream: nil)
        let read = try #require(HandOffRecord(record.encoded))
        #expect(read == record)
        let claims = try #require(read.claims.object)
        #expect(Self.account(claims) == uid && read.person.account == uid)
    }

    // MARK: Configuration

    @Test func `an app with accounts needs an extension that decides, at creation and at a reload`() throws {
        for extensions in [[], [StubAccounts(decidesSignIns: false)]] {
            let error = #expect(throws: BrokerConfigurationError.self) {
                try Installation(extensions: extensions) { $0.apps[1].accounts = true }
            }
            #expect(error?.errors.map(\.key) == ["auth.app.back.accounts"])
            #expect(error?.errors.first?.expected.contains("auth.accounts.project-id") == true)
        }
        let installation = try Installation()
        var configuration = installation.configuration
        configuration.apps[0].accounts = true
        let error = #expect(throws: BrokerConfigurationError.self) { try installation.broker.reload(configuration) }
        #expect(error?.errors.map(\.key) == ["auth.app.shop.accounts"])
        let admitting = try Installation(extensions: [StubAccounts(decidesSignIns: false), StubAccounts()])
        #expect(throws: Never.self) { try admitting.broker.reload(configuration) }
    }

    @Test func `both settings are read, and are off unless they are given`() async throws {
        let plain = try await ConfigurationFixture.read()
        #expect(plain.apps.first?.accounts == false && plain.providers.first?.linksByEmail == false)
        let given = try await ConfigurationFixture.read([
            "auth.app.shop.accounts": true, "auth.provider.acme.links-by-email": true,
        ])
        #expect(given.apps.first?.accounts == true && given.providers.first?.linksByEmail == true)
    }

    @Test func `the metadata names the claim where an app has it`() throws {
        func names(_ installation: Installation) throws -> [String?] {
            let json = try installation.get("/__/auth/.well-known/openid-configuration").json()
            return try #require(json["claims_supported"]?.arrayValue).map { $0.text?.makeString() }
        }
        let without = try names(Installation())
        #expect(without.contains("upstream_sub") && !without.contains("account"))
        #expect(try names(Self.installation(StubAccounts())) == without + ["account"])
    }
}
