// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

/// Who is in the way of an imported user, and who may enter the account.
struct ImportTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now

    private func user(
        _ id: String, email: String? = nil, isVerified: Bool = false, at providers: [String] = [],
        hasSecondFactor: Bool = false
    ) throws -> ImportedUser {
        var account = Account(id: try #require(AccountID(id)), createdAt: Self.now - 1000, validSince: 0)
        account.email = email.flatMap { EmailAddress($0) }
        account.isEmailVerified = isVerified
        var members = JSONObject()
        members["email"] = email.map { .string($0) }
        if isVerified { members["emailVerified"] = true }
        if hasSecondFactor { members["secondFactor"] = true }
        account.imported = ImportedRecord(members)
        return ImportedUser(account, identities: providers.map { Fixture.person(id, at: $0) })
    }

    private func take(
        _ user: ImportedUser, _ fixture: AccountFixture, adopts: Bool = false
    ) throws -> ImportOutcome {
        var choices = ImportChoices()
        choices.adopts = adopts
        choices.takesSecondFactors = true
        let chosen = choices
        return try fixture.store.transact(.write) { try fixture.operations.take(user, chosen, in: $0) }
    }

    private func account(_ id: String, _ fixture: AccountFixture) throws -> Account? {
        fixture.store.contents.accounts.first { $0.id.text == id }
    }

    @Test func `an imported identity signs in to the account with the old uid`() throws {
        let fixture = Fixture()
        #expect(try take(user("old", email: "a@a", isVerified: true, at: ["p"]), fixture) == .added)
        let person = try fixture.signIn(Fixture.person("old", at: "p"))
        #expect(person.account.id.text == "old" && !person.isNew)
        #expect(person.account.email?.text == "a@a" && person.account.isEmailVerified)
    }

    @Test func `the imported address counts until an identity proves another one`() throws {
        let fixture = Fixture()
        _ = try take(user("old", email: "a@a", isVerified: true, at: ["p"]), fixture)
        let newcomer = Fixture.person("new", at: "q", email: "a@a")
        #expect(try fixture.code { try fixture.signIn(newcomer) } == .needConfirmation)
        let person = try fixture.signIn(Fixture.person("old", at: "p", email: "b@b"))
        #expect(person.account.email?.text == "b@b")
        #expect(try fixture.signIn(newcomer, session: 2).account.email?.text == "a@a")
    }

    @Test func `an imported address that was not verified is given up`() throws {
        let fixture = Fixture()
        _ = try take(user("old", email: "a@a", at: ["p"]), fixture)
        #expect(try account("old", fixture)?.email?.text == "a@a")
        #expect(try fixture.signIn(Fixture.person("new", at: "q", email: "a@a")).isNew)
        #expect(try account("old", fixture)?.email == nil)
    }

    @Test func `a newcomer with the email of an account without a way to sign in gets another one`() throws {
        let fixture = Fixture()
        _ = try take(user("old", email: "a@a", isVerified: true), fixture)
        let person = try fixture.signIn(Fixture.person("new", at: "q", email: "a@a"))
        #expect(person.isNew && person.account.email == nil)
        #expect(person.importedHolder == .kept(try #require(AccountID("old"))))
        try fixture.store.transact(.write) { transaction in
            try fixture.operations.moveIdentity(
                at: "q", from: person.account.id, to: #require(AccountID("old")), in: transaction)
        }
        #expect(try fixture.signIn(Fixture.person("new", at: "q", email: "a@a"), session: 2).account.id.text == "old")
        #expect(try fixture.code { try fixture.refresh(person.session) } == .sessionEnded)
    }

    private static func entry(until time: Int64 = now + 1) -> AccountPolicy {
        AccountPolicy(providersThatLinkByEmail: AccountFixture.linking, importedUsersEnterByEmailUntil: time)
    }

    @Test(arguments: [true, false]) func `who only had a password enters by the address, once`(isVerified: Bool) throws
    {
        let fixture = Fixture(Self.entry())
        _ = try take(user("old", email: "a@a", isVerified: isVerified), fixture)
        let person = try fixture.signIn(Fixture.person("ada", at: "p", email: "a@a"))
        #expect(person.account.id.text == "old" && person.importedHolder == .entered)
        #expect(person.account.isEmailVerified && person.account.ownsEmail)
        // No user enters it in this way after that, also where its identity is gone.
        let other = try fixture.signIn(Fixture.person("bob", at: "q"), session: 2)
        try fixture.store.transact(.write) { transaction in
            try fixture.operations.moveIdentity(at: "p", from: person.account.id, to: other.account.id, in: transaction)
        }
        let third = try fixture.signIn(Fixture.person("eve", at: "q", email: "a@a"), session: 3)
        #expect(third.isNew)
        #expect(!fixture.store.contents.identities.contains { $0.account == person.account.id })
    }

    @Test func `no user enters by the email alone in any other case`() throws {
        func enters(
            _ user: ImportedUser, _ person: VerifiedIdentity, under policy: AccountPolicy = Self.entry(),
            isDisabled: Bool = false
        ) throws -> Bool {
            let fixture = Fixture(policy)
            _ = try take(user, fixture)
            if isDisabled {
                try fixture.store.transact(.write) { try fixture.operations.setDisabled(true, user.account.id, in: $0) }
            }
            let code = try fixture.code { try fixture.signIn(person) }
            return code == nil
                && fixture.store.contents.identities.contains { $0.account == user.account.id && $0.key == person.key }
        }
        let old = try user("old", email: "a@a", isVerified: true)
        let ada = Fixture.person("ada", at: "p", email: "a@a")
        #expect(try enters(old, ada))
        #expect(try !enters(old, ada, under: Self.entry(until: Self.now)))
        #expect(try !enters(old, ada, under: AccountPolicy(providersThatLinkByEmail: Fixture.linking)))
        #expect(try !enters(old, Fixture.person("ada", at: "p", email: "a@a", isProved: false)))
        #expect(try !enters(old, Fixture.person("ada", at: "p", email: "a@a", isPrivateRelay: true)))
        #expect(try !enters(old, Fixture.person("ada", at: "r", email: "a@a")))
        #expect(try !enters(old, ada, isDisabled: true))
        #expect(try !enters(user("old", email: "a@a", isVerified: true, hasSecondFactor: true), ada))
        #expect(try !enters(user("old", email: "a@a", isVerified: true, at: ["q"]), ada))
        #expect(try !enters(user("old", email: "b@b", isVerified: true), ada))
    }

    @Test func `a conflict changes nothing, and names the other account`() throws {
        let fixture = Fixture()
        let here = try fixture.signIn(Fixture.person("ada", at: "p", email: "a@a"))
        let before = fixture.store.contents
        var same = try user("old")
        same.identities = [Fixture.person("ada", at: "p")]
        #expect(try take(same, fixture) == .conflict(.identity, here.account.id))
        #expect(try take(user("old", email: "A@a", isVerified: true), fixture) == .conflict(.address, here.account.id))
        #expect(try take(user(here.account.id.text), fixture) == .conflict(.uid, here.account.id))
        #expect(fixture.store.contents == before)
        // One that was not verified comes without the address.
        #expect(try take(user("old", email: "a@a"), fixture) == .added)
        #expect(try account("old", fixture)?.email == nil)
    }

    @Test func `an account with the same identity gets its old uid, and its sessions end`() throws {
        let fixture = Fixture()
        let here = try fixture.signIn(Fixture.person("ada", at: "p", email: "a@a"))
        var same = try user("old", email: "a@a", isVerified: true)
        same.identities = [Fixture.person("ada", at: "p"), Fixture.person("ada", at: "q")]
        #expect(try take(same, fixture, adopts: true) == .adopted(here.account.id))
        #expect(fixture.store.contents.accounts.map(\.id.text) == ["old"])
        #expect(fixture.store.contents.sessions.isEmpty)
        #expect(fixture.store.contents.identities.count == 2)
        #expect(try account("old", fixture)?.email?.text == "a@a")
        #expect(try take(same, fixture, adopts: true) == .unchanged)
    }
}
