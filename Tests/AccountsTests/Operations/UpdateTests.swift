// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// Changes of an account that remove several identities at once.
struct UpdateTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now

    /// A user with an identity at each of some providers.
    private func person(at providers: [String], in fixture: AccountFixture) throws -> SignedInAccount {
        let person = try fixture.signIn(Fixture.person(at: providers[0]))
        for (number, provider) in providers.dropFirst().enumerated() {
            _ = try fixture.link(Fixture.person(at: provider), to: person, session: 2 + number)
        }
        return person
    }

    private func update(
        _ fixture: AccountFixture, name: AttributeChange = .keep, unlinking providers: [String],
        asking person: SignedInAccount, at time: Int64 = AccountFixture.now
    ) throws -> [String] {
        try fixture.store.transact(.write) {
            try fixture.operations.update(
                displayName: name, unlinking: providers, asking: AuthenticatedSession(person.session), in: $0, now: time
            ).identities.map(\.verified.providerID)
        }
    }

    @Test func `however many providers are named, the records are read once`() throws {
        let fixture = Fixture()
        let person = try person(at: ["p", "q", "r", "s"], in: fixture)
        let names = ["q", "s"] + (0..<100).map { "none-\($0)" }
        let calls = try fixture.store.transact(.write) { transaction in
            let counting = CountingTransaction(transaction)
            _ = try fixture.operations.update(
                displayName: .set("Ada"), unlinking: names, asking: AuthenticatedSession(person.session), in: counting,
                now: Self.now)
            return counting.calls
        }
        #expect(
            calls == [
                "session": 1, "account": 1, "identities": 1, "remove identity": 2, "remove sessions": 2,
                "update account": 1,
            ])
        let contents = fixture.store.contents
        #expect(contents.identities.map(\.verified.providerID) == ["p", "r"])
        #expect(contents.accounts.first?.displayName == "Ada" && contents.accounts.first?.isFoundByEmail == false)
    }

    @Test func `a provider that is named twice is removed once`() throws {
        let fixture = Fixture()
        let person = try person(at: ["p", "q"], in: fixture)
        #expect(try update(fixture, unlinking: ["q", "q"], asking: person) == ["p"])
    }

    @Test func `all of it happens, or nothing`() throws {
        let fixture = Fixture()
        let person = try person(at: ["p", "q"], in: fixture)
        let contents = fixture.store.contents
        let last = try fixture.code {
            try update(fixture, name: .set("Ada"), unlinking: ["q", "p"], asking: person)
        }
        #expect(last == .lastIdentity)
        let name = try fixture.code {
            try update(fixture, name: .set("A\u{7}b"), unlinking: ["q"], asking: person)
        }
        #expect(name == .invalidValue)
        #expect(fixture.store.contents == contents)
    }

    @Test func `unlinking needs a recent sign-in, a change without it does not`() throws {
        let fixture = Fixture()
        let person = try person(at: ["p", "q"], in: fixture)
        let late = Self.now + 300
        let code = try fixture.code { try update(fixture, unlinking: ["none"], asking: person, at: late) }
        #expect(code == .signInTooOld)
        #expect(try update(fixture, name: .set("Ada"), unlinking: [], asking: person, at: late) == ["p", "q"])
    }

    @Test func `the address goes with the identities that have it, and the sessions of each provider end`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p", email: "ada@example.com"))
        _ = try fixture.link(Fixture.person(at: "q", email: "ada@example.com"), to: person, session: 2)
        _ = try fixture.link(Fixture.person(at: "r", email: "eve@example.com"), to: person, session: 3)
        _ = try fixture.signIn(Fixture.person(at: "q"), session: 4)
        let asking = try fixture.signIn(Fixture.person(at: "r"), session: 5)
        #expect(try update(fixture, unlinking: ["p", "q"], asking: asking) == ["r"])
        #expect(fixture.store.contents.accounts.first?.email == EmailAddress("eve@example.com"))
        #expect(fixture.store.contents.sessions.map(\.id) == [AccountStep.session(5)])
    }
}
