// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing

@testable import IdentityToolkit

/// Apps of the OpenID kind whose users enter the accounts that the SDKs use.
struct DecisionTests {
    private typealias Installation = DecisionInstallation

    /// Lets no user create an account.
    private struct NoNewAccounts: AccountLimiter {
        func take(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            decide(operation, now: now)
        }

        func decide(_ operation: LimitedAccountOperation, now: Int64) -> AccountRateDecision {
            if case .newAccount = operation { .wait(seconds: 1) } else { .proceed }
        }
    }

    @Test func `a user has one account for both kinds of apps, and the broker's sub stays what it is`() async throws {
        let installation = try Installation()
        let first = try await installation.present(installation.credential("ada", email: "ada@example.com"))
        let uid = try #require(first.account, "\(first.members.string("error_description") ?? "")")
        let claims = try await installation.claims(of: first)
        #expect(claims.string("account") == uid)
        #expect(claims.string("sub") != uid && claims.string("upstream_sub") == "ada")
        let contents = installation.store.model.contents
        #expect(contents.accounts.map(\.id.text) == [uid] && contents.sessions.isEmpty)
        #expect(contents.accounts.first?.email == EmailAddress("ada@example.com"))

        let signedIn = try await installation.signIn("ada", at: .acme)
        #expect(signedIn.string("localId") == uid && signedIn["isNewUser"] == nil)
        let other = try await installation.present(installation.credential("grace"))
        #expect(other.account != nil && other.account != uid)
    }

    @Test func `who enters an imported account by the email at an app is audited as a link`() async throws {
        let audit = CapturedAudit()
        let linking = LinkingProvider(id: "oidc.acme", issuer: Installation.Provider.acme.issuer)
        let installation = try Installation(
            policy: AccountPolicy(providersThatLinkByEmail: [linking], importedUsersEnterByEmailUntil: .max),
            auditLogger: audit.logger)
        let email = try #require(EmailAddress("ada@example.com"))
        var account = Account(id: try #require(AccountID("old")), createdAt: 1, validSince: 0)
        (account.email, account.ownsEmail) = (email, true)
        account.imported = ImportedRecord(json: #"{"email":"ada@example.com"}"#)
        let imported = account
        try installation.store.model.transact(.write) { try $0.insert(imported) }
        let answer = try await installation.present(installation.credential("ada", email: email.text))
        #expect(answer.account == "old")
        let links = audit.lines.filter { $0.message == "account_link" }
        #expect(links.map { $0.metadata["auth.account"] } == ["old"])
    }

    @Test func `the name that Apple sends once is the account's`() async throws {
        let installation = try Installation()
        let user = #"{"name":{"firstName":"Ada","lastName":"Example"}}"#
        let answer = try await installation.present(installation.credential("ada", at: .apple), user: user)
        #expect(answer.status == 200, "\(answer.error ?? "")")
        #expect(installation.store.model.contents.accounts.first?.displayName == "Ada Example")
        #expect(installation.store.model.contents.identities.first?.verified.providerID == "apple.com")
    }

    /// Names beside the ID token, and what the account is called, whichever way the user comes.
    static let names: [(String, String, String?)] = [
        ("A\u{202E}da", "\u{200F}Example\u{7F}", "Ada Example"), ("  Ada ", "", "Ada"), ("\u{200F}", "\u{7}", nil),
        (
            String(repeating: "x", count: 300), String(repeating: "y", count: 300),
            String(repeating: "x", count: 255)
        ),
        (
            String(repeating: "x", count: 200), String(repeating: "y", count: 300),
            String(repeating: "x", count: 200) + " " + String(repeating: "y", count: 55)
        ),
    ]

    @Test(arguments: names)
    func `a name is the same by both ways`(first: String, last: String, name: String?) async throws {
        let members: JSONObject = ["name": ["firstName": .string(first), "lastName": .string(last)]]
        let user = String(decoding: members.serialized(), as: UTF8.self)
        let installation = try Installation()
        let presented = try await installation.present(installation.credential("ada", at: .apple), user: user)
        #expect(presented.status == 200, "\(presented.error ?? "")")
        let signedIn = try await installation.signIn("grace", at: .apple, user: user)
        #expect(signedIn.string("fullName") == name && signedIn.string("displayName") == name)
        // A user with a name in the response has it in the account.
        let accounts = installation.store.model.contents.accounts
        #expect(accounts.map(\.displayName) == [name, name])
    }

    @Test func `an account is usable while it is there and not disabled`() async throws {
        let installation = try Installation()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        func isUsable(_ account: String, since issuedAt: Int64? = nil) async throws -> Bool {
            try await installation.toolkit.isUsable(account: account, since: issuedAt, session: nil, on: loop).get()
        }
        let uid = try #require(
            try await installation.present(installation.credential("ada")).account.flatMap { AccountID($0) })
        #expect(try await isUsable(uid.text))
        let operations = installation.service.operations
        try installation.store.model.transact(.write) { try operations.setDisabled(true, uid, in: $0) }
        #expect(try await !isUsable(uid.text))
        try installation.store.model.transact(.write) { try operations.setDisabled(false, uid, in: $0) }
        #expect(try await isUsable(uid.text))
        // Sessions that began before they were ended.
        let validSince = try installation.store.model.transact(.write) { transaction in
            var account = try #require(try transaction.account(uid))
            account.end(sessionsBefore: account.createdAt + 100)
            try transaction.update(account)
            return account.validSince
        }
        #expect(try await isUsable(uid.text))
        #expect(try await isUsable(uid.text, since: validSince))
        #expect(try await !isUsable(uid.text, since: validSince - 1))
        for other in ["", "nobody", "a b", String(repeating: "x", count: 129)] {
            #expect(try await !isUsable(other))
        }
        installation.store.goDown(true)
        await #expect(throws: AccountStoreError.self) { try await isUsable(uid.text) }
        installation.store.goDown(false)
        try installation.store.model.transact(.write) { try $0.remove(uid) }
        #expect(try await !isUsable(uid.text))
    }

    @Test func `what asks with one token counts for that token alone`() async throws {
        let installation = try Installation()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let uid = try #require(try await installation.present(installation.credential("ada")).account)
        func isUsable(since issuedAt: Int64?) async throws -> Bool {
            try await installation.toolkit.isUsable(account: uid, since: issuedAt, session: nil, on: loop).get()
        }
        let now = installation.clock.now()
        for _ in 0..<120 { #expect(try await isUsable(since: now)) }
        await #expect(throws: ToolkitError.self) { try await isUsable(since: now) }
        #expect(try await isUsable(since: now + 1))
        #expect(try await isUsable(since: nil))
    }

    @Test func `a disabled account is denied until it is enabled`() async throws {
        let installation = try Installation()
        let uid = try #require(
            try await installation.present(installation.credential("ada")).account.flatMap { AccountID($0) })
        let operations = installation.service.operations
        try installation.store.model.transact(.write) { try operations.setDisabled(true, uid, in: $0) }
        let refused = try await installation.present(installation.credential("ada"))
        #expect(refused.status == 400 && refused.error == "access_denied" && refused.members["id_token"] == nil)
        try installation.store.model.transact(.write) { try operations.setDisabled(false, uid, in: $0) }
        #expect(try await installation.present(installation.credential("ada")).account == uid.text)
    }

    @Test func `an address of another account needs the user, who links with the SDK, and then enters`() async throws {
        let installation = try Installation()
        let ada = try await installation.signIn("ada", at: .acme, email: "ada@example.com")
        let credential = try installation.credential("a", at: .apple, email: "Ada@example.com")
        let refused = try await installation.present(credential)
        #expect(refused.status == 400 && refused.error == "interaction_required")
        #expect(installation.store.model.contents.accounts.count == 1)

        let linked = try await installation.signIn(
            "a", at: .apple, email: "Ada@example.com", idToken: ada.string("idToken"))
        #expect(linked.string("localId") == ada.string("localId"), "\(linked.message ?? "")")
        // The same credential, which the refusal did not use up.
        let entered = try await installation.present(credential)
        #expect(entered.account == ada.string("localId"))
        #expect(try await installation.present(credential).error == "invalid_grant")
    }

    @Test func `where no accounts are made no new user enters`() async throws {
        let installation = try Installation(policy: AccountPolicy(makesAccounts: false))
        let refused = try await installation.present(installation.credential("ada"))
        #expect(refused.status == 400 && refused.error == "access_denied")
        #expect(installation.store.model.contents.accounts.isEmpty)
    }

    @Test func `a credential from before the sessions were ended enters nothing`() async throws {
        let installation = try Installation()
        let uid = try #require(
            try await installation.present(installation.credential("ada")).account.flatMap { AccountID($0) })
        let old = try installation.credential("ada")
        installation.clock.advance(by: 60)
        let (operations, now) = (installation.service.operations, installation.clock.now())
        try installation.store.model.transact(.write) { try operations.endSessions(of: uid, in: $0, now: now) }
        #expect(try await installation.present(old).error == "interaction_required")
        #expect(try await installation.present(installation.credential("ada")).account == uid.text)
    }

    @Test func `of more than thirty sign-ins of an identity at an app in a minute the next must wait`() async throws {
        let installation = try Installation()
        for _ in 0..<30 {
            #expect(try await installation.present(installation.credential("ada")).status == 200)
        }
        let next = try installation.credential("ada")
        let refused = try await installation.present(next)
        #expect(refused.status == 503 && refused.error == "temporarily_unavailable")
        #expect(try await installation.present(installation.credential("grace")).status == 200)
        // At another app no user is kept out by that.
        let elsewhere = try await installation.signIn("ada", at: .acme)
        #expect(elsewhere["localId"] != nil, "\(elsewhere.message ?? "")")
        installation.clock.advance(by: 60)
        #expect(try await installation.present(next).status == 200)
    }

    @Test func `while too many accounts are made, only the known enter`() async throws {
        let installation = try Installation(limiter: NoNewAccounts())
        let ada = VerifiedIdentity(
            IdentityKey(issuer: Installation.Provider.acme.issuer, subject: "ada"), providerID: "oidc.acme")
        let (operations, now) = (installation.service.operations, installation.clock.now())
        let known = try installation.store.model.transact(.write) {
            try operations.enter(SignInRequest(ada, authTime: now), in: $0, now: now)
        }
        let refused = try await installation.present(installation.credential("grace"))
        #expect(refused.status == 503 && refused.error == "temporarily_unavailable")
        #expect(try await installation.present(installation.credential("ada")).account == known.account.id.text)
    }

    @Test func `while the store is unavailable the app is told to wait, and its credential is not used up`()
        async throws
    {
        let installation = try Installation()
        let credential = try installation.credential("ada")
        installation.store.goDown(true)
        let refused = try await installation.present(credential)
        #expect(refused.status == 503 && refused.error == "temporarily_unavailable")
        installation.store.goDown(false)
        #expect(try await installation.present(credential).status == 200)
    }
}
