// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// What an operator changes and deletes, without a session of the account.
struct OperatorTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now
    private static let ada = AccountFixture.person(at: "p", email: "ada@example.com")

    private func update(
        _ fixture: AccountFixture, _ id: AccountID, at time: Int64 = AccountFixture.now,
        _ make: (inout AccountChange) -> Void
    ) throws -> (account: Account, identities: [AccountIdentity]) {
        var change = AccountChange()
        make(&change)
        return try fixture.store.transact(.write) {
            try fixture.operations.update(id, by: change, in: $0, now: time)
        }
    }

    @Test func `everything at once`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let claims = try #require(CustomClaims(json: #"{"role":"admin"}"#))
        let updated = try update(fixture, person.account.id) {
            $0.displayName = .set("Ada")
            $0.photoURL = .set("https://example.com/ada.png")
            $0.customClaims = .set(claims)
            $0.isDisabled = true
        }
        #expect(updated.account.displayName == "Ada" && updated.account.photoURL == "https://example.com/ada.png")
        #expect(updated.account.customClaims == claims && updated.account.isDisabled)
        #expect(fixture.store.contents.accounts == [updated.account])
        #expect(try fixture.code { try fixture.refresh(person.session) } == .disabled)
        let cleared = try update(fixture, person.account.id) {
            $0.displayName = .clear
            $0.customClaims = .clear
            $0.isDisabled = false
        }
        #expect(cleared.account.displayName == nil && cleared.account.customClaims == nil)
        #expect(!cleared.account.isDisabled && cleared.account.photoURL != nil)
        _ = try fixture.refresh(person.session)
    }

    @Test func `a change of nothing keeps everything`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let contents = fixture.store.contents
        #expect(try update(fixture, person.account.id) { _ in }.account == contents.accounts.first)
        #expect(fixture.store.contents == contents)
    }

    @Test func `an account that is not there is unknown`() throws {
        let fixture = Fixture()
        _ = try fixture.signIn(Self.ada)
        let contents = fixture.store.contents
        #expect(try fixture.code { try update(fixture, AccountID()) { $0.isDisabled = true } } == .unknown)
        let deleted = try fixture.code {
            try fixture.store.transact(.write) { try fixture.operations.delete(AccountID(), in: $0) }
        }
        #expect(deleted == .unknown)
        #expect(fixture.store.contents == contents)
    }

    @Test func `all of it happens, or nothing`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let contents = fixture.store.contents
        let last = try fixture.code {
            try update(fixture, person.account.id) {
                $0.isDisabled = true
                $0.validSince = Self.now
                $0.deletedProviders = ["p"]
            }
        }
        #expect(last == .lastIdentity)
        let name = try fixture.code {
            try update(fixture, person.account.id) {
                $0.isDisabled = true
                $0.displayName = .set("A\u{7}b")
            }
        }
        #expect(name == .invalidValue)
        #expect(fixture.store.contents == contents)
    }

    @Test func `an identity that is removed takes all sessions along that began with it`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        _ = try fixture.link(Fixture.person(at: "q", email: "eve@example.com"), to: person, session: 2)
        let other = try fixture.signIn(Fixture.person(at: "q", email: "eve@example.com"), session: 3)
        let updated = try update(fixture, person.account.id) { $0.deletedProviders = ["p", "none"] }
        #expect(updated.identities.map(\.verified.providerID) == ["q"])
        #expect(updated.account.email == EmailAddress("eve@example.com") && !updated.account.isFoundByEmail)
        #expect(fixture.store.contents.sessions.map(\.id) == [other.session.id])
        #expect(fixture.store.contents.violations(under: fixture.operations.policy).isEmpty)
    }

    // MARK: Sessions

    @Test func `sessions that began until validSince end, and those that began since stay`() throws {
        let fixture = Fixture()
        for number in 0...2 {
            let time = Self.now + Int64(number)
            _ = try fixture.signIn(Self.ada, session: number, authTime: time, at: time)
        }
        let id = try #require(fixture.store.contents.accounts.first?.id)
        let updated = try update(fixture, id, at: Self.now + 10) { $0.validSince = Self.now + 1 }
        #expect(updated.account.validSince == Self.now + 1)
        #expect(fixture.store.contents.sessions.map(\.id) == [AccountStep.session(2)])
        #expect(fixture.store.contents.violations(under: fixture.operations.policy).isEmpty)
    }

    @Test func `validSince only grows`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        _ = try update(fixture, person.account.id, at: Self.now + 10) { $0.validSince = Self.now + 5 }
        _ = try fixture.signIn(Self.ada, session: 2, authTime: Self.now + 20, at: Self.now + 20)
        let updated = try update(fixture, person.account.id, at: Self.now + 30) { $0.validSince = Self.now + 1 }
        #expect(updated.account.validSince == Self.now + 5)
        #expect(fixture.store.contents.sessions.map(\.id) == [AccountStep.session(2)])
    }

    @Test(arguments: [1, 100_000, Int64.max - AccountFixture.now])
    func `a validSince after now ends all sessions, and refuses no sign-in afterwards`(ahead: Int64) throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let updated = try update(fixture, person.account.id, at: Self.now) { $0.validSince = Self.now + ahead }
        #expect(updated.account.validSince == Self.now)
        #expect(fixture.store.contents.sessions.isEmpty)
        _ = try fixture.signIn(Self.ada, session: 2)
    }

    // MARK: Deletion

    @Test func `a deletion needs no recent sign-in`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try fixture.store.transact(.write) { try fixture.operations.delete(person.account.id, in: $0) }
        let contents = fixture.store.contents
        #expect(contents.accounts.isEmpty && contents.identities.isEmpty && contents.sessions.isEmpty)
    }

    @Test func `of several, what is not disabled stays unless it is forced`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        func delete(isForced: Bool) throws -> AccountOperations.BatchDeletion {
            try fixture.store.transact(.write) {
                try fixture.operations.deleteOfBatch(person.account.id, isForced: isForced, in: $0)
            }
        }
        #expect(try delete(isForced: false) == .notDisabled)
        #expect(fixture.store.contents.accounts.count == 1)
        _ = try update(fixture, person.account.id) { $0.isDisabled = true }
        #expect(try delete(isForced: false) == .deleted)
        #expect(fixture.store.contents.accounts.isEmpty)
        #expect(try delete(isForced: true) == .absent)
        let other = try fixture.signIn(Self.ada, session: 2)
        let forced = try fixture.store.transact(.write) {
            try fixture.operations.deleteOfBatch(other.account.id, isForced: true, in: $0)
        }
        #expect(forced == .deleted)
    }
}
