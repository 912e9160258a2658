// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing

@testable import IdentityToolkit

/// What Apple reports about a user, and the sessions of the account.
struct AppleNotificationTests {
    private typealias Installation = DecisionInstallation

    /// Two users who are signed in at Apple.
    private func people(_ installation: Installation) async throws -> (ada: JSONObject, grace: JSONObject) {
        let people = (
            ada: try await installation.signIn("ada", at: .apple),
            grace: try await installation.signIn("grace", at: .apple)
        )
        #expect(try await installation.refresh(people.ada).status == 200, "\(people.ada.message ?? "")")
        installation.clock.advance(by: 10)
        return people
    }

    @Test(arguments: ["consent-revoked", "account-delete", "account-deleted"])
    func `the sessions of the account end, and no others`(type: String) async throws {
        let installation = try Installation()
        let (ada, grace) = try await people(installation)
        #expect(try await installation.notify(type, about: "ada") == 200)
        let ended = try await installation.refresh(ada)
        #expect(ended.status == 400 && ended.members.message == "TOKEN_EXPIRED")
        #expect(try await installation.refresh(grace).status == 200)
        // The account stays, and can be entered again.
        let again = try await installation.signIn("ada", at: .apple)
        #expect(again.string("localId") == ada.string("localId") && again["isNewUser"] == nil)
        #expect(try await installation.refresh(again).status == 200)
        // A repetition ends nothing.
        #expect(try await installation.notify(type, about: "ada") == 200)
        #expect(try await installation.refresh(again).status == 200)
    }

    @Test(arguments: ["consent-revoked", "account-deleted"])
    func `a notification that is late, or comes again, ends no session that began since`(type: String) async throws {
        let installation = try Installation()
        let (ada, _) = try await people(installation)
        let time = installation.clock.now()
        installation.clock.advance(by: 3600)
        let again = try await installation.signIn("ada", at: .apple)
        // Under other identifiers, as if the first one was forgotten.
        for number in 0..<3 {
            #expect(try await installation.notify(type, about: "ada", identifier: "jti-\(number)", at: time) == 200)
            #expect(try await installation.refresh(ada).members.message == "TOKEN_EXPIRED")
            #expect(try await installation.refresh(again).status == 200)
        }
        #expect(installation.store.model.contents.accounts.contains { $0.validSince == time })
    }

    /// The seconds from a revocation that the app asked for to the event, and whether the event is news.
    static let passed: [(Int64, Bool)] = [(-30, false), (0, false), (600, false), (601, true)]

    @Test(arguments: passed)
    func `the app's own revocation is no news for ten minutes, and then the sessions end`(
        seconds: Int64, isNews: Bool
    ) async throws {
        let installation = try Installation()
        let (ada, _) = try await people(installation)
        let revokedAt = installation.clock.now()
        try installation.store.model.transact(.write) { transaction in
            for account in try transaction.accounts(after: nil, limit: 10) {
                for var identity in try transaction.identities(of: account.id) {
                    identity.revokedAt = revokedAt
                    try transaction.update(identity)
                }
            }
        }
        installation.clock.advance(by: 2000)
        #expect(try await installation.notify("consent-revoked", about: "ada", at: revokedAt + seconds) == 200)
        let refreshed = try await installation.refresh(ada)
        #expect(refreshed.members.message == (isNews ? "TOKEN_EXPIRED" : nil))
        // The end of the Apple account is news in any case.
        #expect(
            try await installation.notify("account-deleted", about: "ada", identifier: "jti-2", at: revokedAt) == 200)
        #expect(try await installation.refresh(ada).members.message == "TOKEN_EXPIRED")
    }

    @Test func `sessions that began with another provider of the account end too`() async throws {
        let installation = try Installation()
        let ada = try await installation.signIn("a", at: .acme)
        let linked = try await installation.signIn("ada", at: .apple, idToken: ada.string("idToken"))
        #expect(linked.string("localId") == ada.string("localId"), "\(linked.message ?? "")")
        #expect(try await installation.notify("consent-revoked", about: "ada") == 200)
        for session in [ada, linked] {
            #expect(try await installation.refresh(session).members.message == "TOKEN_EXPIRED")
        }
    }

    @Test(arguments: ["email-disabled", "email-enabled", "something-new"])
    func `what concerns no session ends none, and is delivered only if there is a receiver`(
        type: String
    ) async throws {
        let installation = try Installation()
        let (ada, _) = try await people(installation)
        #expect(try await installation.notify(type, about: "ada") == 503)
        #expect(try await installation.refresh(ada).status == 200)
    }

    @Test func `a user without an account is no error`() async throws {
        let installation = try Installation()
        let (ada, _) = try await people(installation)
        #expect(try await installation.notify("consent-revoked", about: "nobody") == 200)
        #expect(try await installation.refresh(ada).status == 200)
    }

    @Test func `it may be addressed to an app of either kind, and to no other`() async throws {
        let installation = try Installation()
        let audiences = [Installation.bundleID, Installation.Provider.apple.shopAudience]
        for (number, audience) in audiences.enumerated() {
            let ada = try await installation.signIn("ada", at: .apple)
            installation.clock.advance(by: 10)
            #expect(
                try await installation.notify(
                    "consent-revoked", about: "ada", to: audience, identifier: "jti-\(number)") == 200)
            #expect(try await installation.refresh(ada).members.message == "TOKEN_EXPIRED")
        }
        let ada = try await installation.signIn("ada", at: .apple)
        #expect(try await installation.notify("consent-revoked", about: "ada", to: "com.somebody.else") == 400)
        #expect(try await installation.refresh(ada).status == 200)
    }

    @Test func `while the store is unavailable Apple is asked to send it again`() async throws {
        let installation = try Installation()
        let (ada, _) = try await people(installation)
        installation.store.goDown(true)
        #expect(try await installation.notify("consent-revoked", about: "ada") == 503)
        installation.store.goDown(false)
        #expect(try await installation.refresh(ada).status == 200)
        #expect(try await installation.notify("consent-revoked", about: "ada") == 200)
        #expect(try await installation.refresh(ada).members.message == "TOKEN_EXPIRED")
    }
}
