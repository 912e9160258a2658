// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit

/// Logout tokens of a provider (OpenID Connect Back-Channel Logout 1.0), and the sessions of accounts.
struct ProviderLogoutTests {
    private typealias Installation = DecisionInstallation

    /// A logout token, and which of the sessions `phone`, `laptop`, `unknown` (the same user without a session at the
    /// provider) and `grace` are left.
    struct Row: Sendable {
        let what: String
        var subject: String?
        var session: String?
        var events: JSONObject = [:]
        let left: [String]
    }

    static let rows = [
        Row(what: "a session", session: "s-phone", left: ["laptop", "unknown", "grace"]),
        Row(what: "a session and its user", subject: "ada", session: "s-phone", left: ["laptop", "unknown", "grace"]),
        Row(what: "a user", subject: "ada", left: ["grace"]),
        Row(
            what: "a session with offline access", subject: "ada", session: "s-phone",
            events: ["revoke_offline_access": true], left: ["grace"]),
        Row(
            what: "a session without offline access", subject: "ada", session: "s-phone",
            events: ["revoke_offline_access": false], left: ["laptop", "unknown", "grace"]),
        Row(what: "an unknown session", session: "s-other", left: ["phone", "laptop", "unknown", "grace"]),
        Row(what: "an unknown user", subject: "eve", left: ["phone", "laptop", "unknown", "grace"]),
    ]

    @Test(arguments: rows) func `what ends at the provider ends here, and nothing else`(row: Row) async throws {
        let installation = try Installation()
        let people = [
            ("phone", try await installation.signIn("ada", at: .acme, session: "s-phone")),
            ("laptop", try await installation.signIn("ada", at: .acme, session: "s-laptop")),
            ("unknown", try await installation.signIn("ada", at: .acme)),
            ("grace", try await installation.signIn("grace", at: .acme, session: "s-grace")),
        ]
        let status = try await installation.logOut(subject: row.subject, session: row.session, events: row.events)
        #expect(status == 200, "\(row.what)")
        var left: [String] = []
        for (name, person) in people where try await installation.refresh(person).status == 200 { left.append(name) }
        #expect(left == row.left, "\(row.what)")
    }

    @Test func `the session of another provider of the same account stays, and the account can be entered again`()
        async throws
    {
        let installation = try Installation()
        let apple = try await installation.signIn("ada-at-apple", at: .apple)
        let linked = try await installation.signIn("ada", at: .acme, idToken: apple.string("idToken"))
        let acme = try await installation.signIn("ada", at: .acme, session: "s")
        #expect(acme.string("localId") == apple.string("localId"))
        #expect(try await installation.logOut(subject: "ada") == 200)
        #expect(try await installation.refresh(acme).members.message == "TOKEN_EXPIRED")
        // It began with Apple, as the session did that the link replaced.
        #expect(try await installation.refresh(linked).status == 200)
        let again = try await installation.signIn("ada", at: .acme, session: "s")
        #expect(try await installation.refresh(again).status == 200)
    }

    /// The row's `phone`, `laptop` and `unknown` are sessions of an OpenID app, all of one user.
    @Test(arguments: rows) func `the sessions of OpenID apps end in the same way`(row: Row) async throws {
        let installation = try AppSessionInstallation()
        var people: [(name: String, token: String?)] = []
        var subject: String?
        for name in ["phone", "laptop", "unknown"] {
            try #require(installation.base.providers[.acme]).behave {
                $0.claims = name == "unknown" ? [:] : ["sid": .string("s-" + name)]
            }
            let answer = try await installation.signIn(.back)
            let claims = try await installation.base.claims(of: answer)
            #expect(claims["sid"] == nil)
            subject = claims.string("upstream_sub")
            people.append((name, answer.refreshToken))
        }
        let status = try await installation.base.logOut(
            subject: row.subject == "ada" ? subject : row.subject, session: row.session, events: row.events)
        #expect(status == 200, "\(row.what)")
        for (name, token) in people {
            let answer = try await installation.refresh(token, .back)
            #expect(answer.status == 200 || answer.error == "invalid_grant")
            #expect((answer.status == 200) == row.left.contains(name), "\(row.what): \(name)")
        }
    }

    @Test(arguments: [[:], ["revoke_offline_access": true]] as [JSONObject])
    func `refresh tokens that outlive a logout end with offline access`(events: JSONObject) async throws {
        let installation = try AppSessionInstallation { configuration in
            for index in configuration.apps.indices { configuration.apps[index].refreshTokensOutliveLogout = true }
        }
        try #require(installation.base.providers[.acme]).behave { $0.claims = ["sid": "s"] }
        let token = try await installation.signIn(.back).refreshToken
        #expect(try await installation.base.logOut(subject: "ada", session: "s", events: events) == 200)
        #expect(try await installation.refresh(token, .back).status == (events.members.isEmpty ? 200 : 400))
    }

    @Test func `without the store the provider is to send the token again`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn("ada", at: .acme, session: "s")
        installation.store.goDown(true)
        #expect(try await installation.logOut(session: "s") == 503)
        installation.store.goDown(false)
        #expect(try await installation.refresh(person).status == 200)
    }

    @Test func `a credential that is presented later still has the provider's session`() throws {
        let signIn = VerifiedSignIn(
            issuer: "https://p", subject: "ada", claims: Claims(["sub": "ada", "sid": "s"]),
            idToken: Secret("e30.e30.c2ln"), accessToken: nil, refreshToken: nil, expiresIn: nil, rawNonce: "")
        let identity = VerifiedIdentity(signIn, providerID: "p", isApple: false, name: nil)
        #expect(identity.providerSession == AccountSession.hash(ofProviderSession: "s", issuer: "https://p"))
        let pending = PendingCredentialFixture.make(identity).withoutProfile
        let read = try #require(PendingCredential(encoded: pending.encoded))
        #expect(read.identity.providerSession == identity.providerSession)
    }

    @Test func `the session of another issuer has another hash, wherever one ends and the other begins`() {
        let hashes = [("s", "https://p"), ("s", "https://q"), ("ps", "https://"), ("", "https://ps")].map {
            AccountSession.hash(ofProviderSession: $0, issuer: $1)
        }
        #expect(Set(hashes).count == hashes.count)
    }
}
