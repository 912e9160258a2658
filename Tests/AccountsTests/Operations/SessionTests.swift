// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// What begins, keeps and ends a session.
struct SessionTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now

    private func sessions(_ fixture: AccountFixture) -> Set<AccountSession.ID> {
        Set(fixture.store.contents.sessions.map(\.id))
    }

    @Test func `a session that begins with linking keeps the time of authentication of the one that asks`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let linked = try fixture.link(Fixture.person(at: "q"), to: person, at: Self.now + 200)
        #expect(linked.session.authTime == Self.now)
        #expect(linked.session.providerID == "p")
    }

    @Test func `unlinking ends the sessions that began with the provider, but for the one that asks`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"), session: 1)
        _ = try fixture.link(Fixture.person(at: "q"), to: person, session: 2)
        _ = try fixture.signIn(Fixture.person(at: "q"), session: 3)
        let asking = try fixture.signIn(Fixture.person(at: "q"), session: 4)
        try fixture.unlink("q", asking: asking)
        #expect(sessions(fixture) == Set([1, 2, 4].map(AccountStep.session)))
    }

    @Test func `a renamed provider takes its sessions along`() throws {
        let fixture = Fixture()
        let first = try fixture.signIn(Fixture.person(at: "p", id: "old"), session: 1)
        _ = try fixture.link(Fixture.person(at: "q"), to: first, session: 2)
        let asking = try fixture.signIn(Fixture.person(at: "q"), session: 3)
        #expect(try fixture.signIn(Fixture.person(at: "p", id: "new"), session: 4).session.providerID == "new")
        try fixture.unlink("new", asking: asking)
        #expect(sessions(fixture) == [AccountStep.session(3)])
    }

    @Test func `a renamed provider whose new ID is taken in the account keeps the old one, for its session too`() throws
    {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"), session: 1)
        _ = try fixture.link(Fixture.person(at: "q"), to: person, session: 2)
        let renamed = try fixture.signIn(Fixture.person(at: "p", id: "q"), session: 3)
        #expect(renamed.session.providerID == "p" && renamed.identity.verified.providerID == "p")
    }

    @Test(arguments: [AccountPolicy.SensitiveOperation.link, .unlink])
    func `an operation that needs a recent sign-in is refused with an old one`(
        operation: AccountPolicy.SensitiveOperation
    ) throws {
        func code(_ operations: Set<AccountPolicy.SensitiveOperation>) throws -> AccountRefusal.Code? {
            let fixture = Fixture(AccountPolicy(operationsAfterRecentSignIn: operations))
            let person = try fixture.signIn(Fixture.person(at: "p"))
            return try fixture.code {
                if operation == .link {
                    _ = try fixture.link(Fixture.person(at: "q"), to: person, at: Self.now + 300)
                } else {
                    try fixture.unlink("nothing", asking: person, at: Self.now + 300)
                }
            }
        }
        #expect(try code([operation]) == .signInTooOld)
        #expect(try code([]) == nil)
    }

    @Test func `the sessions that end are those up to now, of every clock, and time never goes back`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"), at: Self.now)
        try fixture.endSessions(of: person, at: Self.now + 100)
        #expect(sessions(fixture).isEmpty)
        #expect(fixture.store.contents.accounts.first?.validSince == Self.now + 100)
        // A process whose clock is behind.
        try fixture.endSessions(of: person, at: Self.now - 100)
        #expect(fixture.store.contents.accounts.first?.validSince == Self.now + 100)
        let later = try fixture.signIn(
            Fixture.person(at: "p"), session: 2, authTime: Self.now + 500, at: Self.now + 500)
        try fixture.endSessions(of: later, at: Self.now + 200)
        #expect(fixture.store.contents.accounts.first?.validSince == Self.now + 500)
    }

    @Test func `a session of another account than the token names is none`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let forged = AuthenticatedSession(person.session.id, of: AccountID())
        let code = try fixture.code {
            try fixture.store.transact(.write) { try fixture.operations.prove(forged, in: $0, now: Self.now) }
        }
        #expect(code == .sessionEnded)
    }

    @Test func `linking uses up what may be used once, and only if it succeeds`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"))
        let uses = [
            TokenUse(hash: [1], expiry: Self.now + 10), TokenUse(hash: [2], expiry: Self.now + 10),
        ]
        #expect(
            try fixture.code { try fixture.link(Fixture.person(at: "p"), to: person, uses: uses) } == .alreadyLinked)
        #expect(try fixture.code { try fixture.link(Fixture.person(at: "q"), to: person, uses: uses) } == nil)
        let again = [TokenUse(hash: [2], expiry: Self.now + 10)]
        #expect(
            try fixture.code { try fixture.link(Fixture.person(at: "r"), to: person, session: 3, uses: again) } == .used
        )
        let late = [TokenUse(hash: [3], expiry: Self.now)]
        #expect(
            try fixture.code { try fixture.link(Fixture.person(at: "r"), to: person, session: 3, uses: late) } == .used)
    }

    @Test func `one session of an account is ended, and no other one`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"), session: 1)
        let linked = try fixture.link(Fixture.person(at: "q"), to: person, session: 2)
        let other = try fixture.signIn(Fixture.person("other", at: "p"), session: 3)
        #expect(try fixture.code { try fixture.end(other.session, of: person) } == .sessionEnded)
        #expect(try fixture.code { try fixture.end(person.session, of: person) } == nil)
        #expect(try fixture.code { try fixture.end(person.session, of: person) } == .sessionEnded)
        #expect(try fixture.code { try fixture.refresh(person.session, at: 0) } == .sessionEnded)
        #expect(try fixture.code { try fixture.refresh(linked.session) } == nil)
        #expect(try fixture.code { try fixture.refresh(other.session) } == nil)
    }

    @Test func `sessions and what was used up are swept once they have expired, within the limit`() throws {
        let fixture = Fixture(AccountPolicy(sessionIdleDays: 1))
        let person = try fixture.signIn(Fixture.person(at: "p"))
        _ = try fixture.link(
            Fixture.person(at: "q"), to: person, uses: [TokenUse(hash: [1], expiry: Self.now + 10)])
        #expect(fixture.store.sweep(before: Self.now + 9, limit: 100) == 0)
        #expect(fixture.store.sweep(before: Self.now + 10, limit: 100) == 1)
        #expect(fixture.store.sweep(before: person.session.expiry, limit: 1) == 1)
        #expect(fixture.store.sweep(before: person.session.expiry, limit: 100) == 1)
        #expect(sessions(fixture).isEmpty)
    }

    @Test(arguments: [
        #"{"role":"admin"}"#, #"{}"#, #"{"a":{"b":[1,2,3]}}"#,
    ])
    func `custom claims that an account may have`(json: String) {
        #expect(CustomClaims(json: json) != nil)
    }

    @Test(
        arguments: [
            "", "[]", "1", #"{"a":1,"a":2}"#, #"{"sub":"x"}"#, #"{"firebase":{}}"#, #"{"sid":1}"#,
            #"{"a":"\#(String(repeating: "x", count: 993))"}"#, #"{"a":"# + String(repeating: "[", count: 8),
        ] + CustomClaims.reservedNames.map { #"{"\#($0)":1}"# })
    func `custom claims that an account may not have`(json: String) {
        #expect(CustomClaims(json: json) == nil)
    }

    @Test func `custom claims are at most 1,000 UTF-16 code units`() {
        func claims(_ text: String) -> CustomClaims? { CustomClaims(json: #"{"a":"\#(text)"}"#) }
        for (character, count) in [("x", 992), ("\u{4E2D}", 992), ("\u{1F600}", 496)] {
            let text = String(repeating: character, count: count)
            #expect(claims(text)?.json.utf16.count == 1000)
            #expect(claims(text + "x") == nil)
        }
    }
}
