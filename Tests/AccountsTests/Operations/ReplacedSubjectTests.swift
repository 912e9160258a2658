// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import StoreTesting
import Testing

/// An identity whose subject an operator replaces.
struct ReplacedSubjectTests {
    private typealias Fixture = AccountFixture

    private func replace(
        _ provider: String, of person: SignedInAccount, by subject: String, _ fixture: Fixture
    ) throws {
        try fixture.store.transact(.write) {
            try fixture.operations.replaceSubject(at: provider, of: person.account.id, by: subject, in: $0)
        }
    }

    @Test func `the new subject enters the account, and the former one and its sessions do not`() throws {
        let fixture = Fixture()
        let old = Fixture.person("old", at: "p", email: "a@a")
        let person = try fixture.signIn(old)
        let linked = try fixture.link(Fixture.person("else", at: "q"), to: person)
        let other = try fixture.signIn(Fixture.person("else", at: "q"), session: 3)
        let new = Fixture.person("new", at: "p", email: "a@a")
        #expect(try fixture.code { try fixture.signIn(new, session: 4) } == .needConfirmation)
        try replace("p", of: person, by: "new", fixture)
        #expect(try fixture.code { try fixture.refresh(person.session) } == .sessionEnded)
        #expect(try fixture.code { try fixture.refresh(linked.session) } == .sessionEnded)
        #expect(try fixture.code { try fixture.refresh(other.session) } == nil)
        let entered = try fixture.signIn(new, session: 4)
        #expect(entered.account.id == person.account.id && entered.account.isEmailVerified)
        // The former subject is no user any more.
        #expect(try fixture.code { try fixture.signIn(old, session: 5) } == .needConfirmation)
    }

    @Test func `what is not there, and a subject that another account has, change nothing`() throws {
        let fixture = Fixture()
        let ada = try fixture.signIn(Fixture.person("ada", at: "p"))
        _ = try fixture.signIn(Fixture.person("eve", at: "p"), session: 2)
        let contents = fixture.store.contents
        #expect(try fixture.code { try replace("q", of: ada, by: "new", fixture) } == .unknown)
        #expect(try fixture.code { try replace("p", of: ada, by: "eve", fixture) } == .belongsToAnother)
        #expect(try fixture.code { try replace("p", of: ada, by: "ada", fixture) } == .belongsToAnother)
        #expect(fixture.store.contents == contents)
    }
}
