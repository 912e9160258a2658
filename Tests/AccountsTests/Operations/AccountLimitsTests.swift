// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import StoreTesting
import Testing

/// Each limit of an account, reached and crossed.
struct AccountLimitsTests {
    private let operations = AccountOperations(policy: AccountPolicy())
    private let store = ModelAccountStore()
    private let now: Int64 = 1_790_000_000

    private func identity(_ number: Int) -> VerifiedIdentity {
        VerifiedIdentity(
            IdentityKey(issuer: "https://p\(number).example", subject: "ada"), providerID: "oidc.p\(number)")
    }

    private func session(_ number: Int) -> NewSession {
        NewSession(id: AccountStep.session(number), secretHash: AccountStep.secretHash(number))
    }

    private func signIn(_ number: Int = 0, session: Int, at time: Int64) throws -> SignedInAccount {
        try store.transact(.write) {
            try operations.signIn(
                SignInRequest(identity(number), authTime: time, newAccount: AccountID()),
                session: self.session(session),
                in: $0, now: time)
        }
    }

    @Test func `an account has at most 20 identities`() throws {
        let person = try signIn(session: 0, at: now)
        func link(_ number: Int) throws {
            _ = try store.transact(.write) {
                try operations.link(
                    LinkRequest(identity(number), asking: AuthenticatedSession(person.session)),
                    session: session(number),
                    in: $0, now: now)
            }
        }
        for number in 1..<AccountLimits.identities { try link(number) }
        #expect(store.contents.identities.count == AccountLimits.identities)
        let refusal = #expect(throws: AccountRefusal.self) { try link(AccountLimits.identities) }
        #expect(refusal?.code == .tooManyIdentities)
        #expect(store.contents.identities.count == AccountLimits.identities)
    }

    @Test func `of 201 sessions the one that was not used for the longest time ends`() throws {
        for number in 0..<AccountLimits.sessions {
            _ = try signIn(session: number, at: now + Int64(number))
        }
        // The first one is used on the next day, which makes the second the longest unused.
        let tomorrow = now + 86_400
        _ = try store.transact(.write) {
            try operations.refresh(
                AccountStep.session(0), secretHash: AccountStep.secretHash(0), in: $0, now: tomorrow)
        }
        _ = try signIn(session: AccountLimits.sessions, at: tomorrow)
        let sessions = Set(store.contents.sessions.map(\.id))
        #expect(sessions.count == AccountLimits.sessions)
        #expect(sessions.contains(AccountStep.session(0)))
        #expect(!sessions.contains(AccountStep.session(1)))
        #expect(sessions.contains(AccountStep.session(AccountLimits.sessions)))
    }

    @Test func `a session ends after the days without use`() throws {
        let person = try signIn(session: 0, at: now)
        // The day of a use does not count, since only the first use of a day is written.
        let end = (now / 86_400 + 401) * 86_400
        #expect(person.session.expiry == end)
        func refresh(at time: Int64) throws {
            _ = try store.transact(.write) {
                try operations.refresh(
                    person.session.id, secretHash: person.session.secretHash, in: $0, now: time)
            }
        }
        let refusal = #expect(throws: AccountRefusal.self) { try refresh(at: end) }
        #expect(refusal?.code == .sessionEnded)
        try refresh(at: end - 1)
        try refresh(at: end)
    }

    @Test func `a name and a photo that an account may not have are not taken over`() {
        func verified(_ name: String, _ photo: String) -> VerifiedIdentity {
            VerifiedIdentity(
                IdentityKey(issuer: "i", subject: "s"), providerID: "p", displayName: name, photoURL: photo)
        }
        #expect(verified("Ada", "https://example.com/a").displayName == "Ada")
        #expect(verified("Ada", "https://example.com/a").photoURL == "https://example.com/a")
        #expect(verified(String(repeating: "a", count: 257), "example.com").displayName == nil)
        #expect(verified(String(repeating: "a", count: 257), "example.com").photoURL == nil)
    }

    @Test(arguments: [
        (String(repeating: "ü", count: 256), true), (String(repeating: "u", count: 257), false), ("", false),
        ("A\u{0}", false), ("A\u{7f}", false), ("A\u{202e}B", false), ("أدا", true), ("A\nB", true), ("A\rB", false),
    ])
    func `names`(text: String, isName: Bool) {
        #expect(Account.isDisplayName(text) == isName)
    }

    @Test(arguments: [
        ("https://example.com/a.png", true), ("HTTPS://example.com", true), ("https://", true),
        ("http://example.com", true), ("gs://bucket/a.png", true), ("a+b-c.1:x", true), ("https:", false),
        ("example.com/a", false), ("1a:b", false), ("a_b:c", false), (":a", false), ("https://exa mple.com", false),
        ("", false),
        ("https://example.com/" + String(repeating: "a", count: 2028), true),
        ("https://example.com/" + String(repeating: "a", count: 2029), false),
    ])
    func `photos`(text: String, isPhoto: Bool) {
        #expect(Account.isPhotoURL(text) == isPhoto)
    }
}
