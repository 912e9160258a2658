// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

/// What is kept of access tokens that were handed out, and of revocations at a provider.
struct RevocationTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now
    private static let ada = AccountFixture.person(at: "p")

    private func signIn(
        _ fixture: AccountFixture, session: Int = 1, accessToken: AccountIdentity.HandedOutToken?,
        at time: Int64 = RevocationTests.now
    ) throws -> SignedInAccount {
        try fixture.store.transact(.write) {
            try fixture.operations.signIn(
                SignInRequest(Self.ada, authTime: time, accessToken: accessToken), session: Self.session(session),
                in: $0, now: time)
        }
    }

    private func identity(
        _ fixture: AccountFixture, of person: SignedInAccount, at provider: String = "p",
        issuer: String = "https://p"
    ) throws -> AccountIdentity? {
        try fixture.store.transact(.read) {
            try fixture.operations.identity(
                at: provider, issuer: issuer, asking: AuthenticatedSession(person.session), in: $0, now: Self.now)
        }
    }

    private func record(
        _ fixture: AccountFixture, _ identity: AccountIdentity? = nil, isProof: Bool,
        asking person: SignedInAccount, at time: Int64
    ) throws {
        try fixture.store.transact(.write) {
            try fixture.operations.recordRevocation(
                of: identity ?? person.identity, isProof: isProof, asking: AuthenticatedSession(person.session),
                in: $0, now: time)
        }
    }

    private func session(_ number: Int, in fixture: AccountFixture) -> AccountSession? {
        fixture.store.contents.sessions.first { $0.id == AccountStep.session(number) }
    }

    private static func session(_ number: Int) -> NewSession {
        NewSession(id: AccountStep.session(number), secretHash: AccountStep.secretHash(number))
    }

    // MARK: Access tokens

    @Test func `an access token is valid until its expiry, and no other one is`() {
        let token = AccountIdentity.HandedOutToken("token", expiry: Self.now)
        #expect(token.hash == Hash.sha256("token".utf8))
        #expect(token.isValid("token", now: Self.now - 1))
        #expect(!token.isValid("token", now: Self.now))
        #expect(!token.isValid("Token", now: Self.now - 1))
        #expect(!token.isValid("", now: Self.now - 1))
    }

    @Test func `a sign-in records the access token that it hands out, and without one keeps the last`() throws {
        let fixture = Fixture()
        let first = AccountIdentity.HandedOutToken("first", expiry: Self.now + 10)
        #expect(try signIn(fixture, accessToken: first).identity.accessToken == first)
        #expect(try signIn(fixture, session: 2, accessToken: nil).identity.accessToken == first)
        let second = AccountIdentity.HandedOutToken("second", expiry: Self.now + 20)
        #expect(try signIn(fixture, session: 3, accessToken: second).identity.accessToken == second)
        #expect(fixture.store.contents.identities.first?.accessToken == second)
    }

    @Test func `linking, by the user and by the address, records the access token`() throws {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let address = "ada@example.com"
        let person = try fixture.signIn(Fixture.person(at: "p", email: address))
        let token = AccountIdentity.HandedOutToken("token", expiry: Self.now + 10)
        let byAddress = try fixture.store.transact(.write) {
            try fixture.operations.signIn(
                SignInRequest(Fixture.person("a", at: "q", email: address), authTime: Self.now, accessToken: token),
                session: Self.session(2),
                in: $0, now: Self.now)
        }
        #expect(byAddress.account.id == person.account.id && byAddress.identity.accessToken == token)
        let byPerson = try fixture.store.transact(.write) {
            try fixture.operations.link(
                LinkRequest(
                    Fixture.person("b", at: "r"), asking: AuthenticatedSession(person.session), accessToken: token),
                session: Self.session(3),
                in: $0, now: Self.now)
        }
        #expect(byPerson.identity.accessToken == token)
        #expect(fixture.store.contents.identities.count { $0.accessToken == token } == 2)
    }

    // MARK: Whose grant it is

    @Test func `the identity is that of the account at the provider, and of its issuer`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        _ = try fixture.link(Fixture.person("a", at: "q"), to: person)
        _ = try fixture.signIn(Fixture.person("eve", at: "r"), session: 3)
        #expect(try identity(fixture, of: person)?.key == Self.ada.key)
        #expect(try identity(fixture, of: person, at: "q", issuer: "https://q")?.key.subject == "a")
        #expect(try identity(fixture, of: person, at: "r", issuer: "https://r") == nil)
        // The ID of the provider was given to another issuer.
        #expect(try identity(fixture, of: person, at: "p", issuer: "https://q") == nil)
    }

    @Test func `an ended session and a disabled account have no identity to revoke`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try fixture.store.transact(.write) { try fixture.operations.setDisabled(true, person.account.id, in: $0) }
        #expect(try fixture.code { try identity(fixture, of: person) } == .disabled)
        try fixture.store.transact(.write) { try fixture.operations.setDisabled(false, person.account.id, in: $0) }
        try fixture.endSessions(of: person, at: Self.now)
        #expect(try fixture.code { try identity(fixture, of: person) } == .sessionEnded)
    }

    // MARK: What the provider did

    @Test(arguments: [true, false])
    func `a revocation is recorded, and is a proof of the asking session only if it proves anything`(
        isProof: Bool
    ) throws {
        let fixture = Fixture()
        let token = AccountIdentity.HandedOutToken("token", expiry: Self.now + 1000)
        let person = try signIn(fixture, accessToken: token)
        _ = try signIn(fixture, session: 2, accessToken: nil)
        try record(fixture, isProof: isProof, asking: person, at: Self.now + 400)
        let recorded = try #require(fixture.store.contents.identities.first)
        #expect(recorded.revokedAt == Self.now + 400 && recorded.accessToken == nil)
        #expect(session(1, in: fixture)?.lastProofAt == (isProof ? Self.now + 400 : nil))
        #expect(session(2, in: fixture)?.lastProofAt == nil)
        let code = try fixture.code {
            try fixture.store.transact(.write) {
                try fixture.operations.delete(
                    asking: AuthenticatedSession(person.session), in: $0, now: Self.now + 400)
            }
        }
        #expect(code == (isProof ? nil : .signInTooOld))
    }

    @Test func `the next sign-in ends what was recorded`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try record(fixture, isProof: true, asking: person, at: Self.now + 1)
        let again = try signIn(fixture, session: 2, accessToken: nil, at: Self.now + 2)
        #expect(again.identity.revokedAt == nil)
    }

    @Test func `a clock that is behind takes nothing back`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try record(fixture, isProof: true, asking: person, at: Self.now + 10)
        try record(fixture, isProof: true, asking: person, at: Self.now + 5)
        #expect(fixture.store.contents.identities.first?.revokedAt == Self.now + 10)
        #expect(session(1, in: fixture)?.lastProofAt == Self.now + 10)
    }

    @Test func `a revocation is recorded also where the session has ended since then, and then proves nothing`() throws
    {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let other = try fixture.signIn(Self.ada, session: 2)
        try fixture.end(person.session, of: person)
        try record(fixture, isProof: true, asking: person, at: Self.now + 1)
        #expect(fixture.store.contents.identities.first?.revokedAt == Self.now + 1)
        #expect(session(1, in: fixture)?.lastProofAt == nil && session(2, in: fixture)?.lastProofAt == nil)
        #expect(other.account.id == person.account.id)
    }

    @Test func `a sign-in while the provider is asked has a grant of its own, which was not revoked`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let token = AccountIdentity.HandedOutToken("token", expiry: Self.now + 1000)
        _ = try signIn(fixture, session: 2, accessToken: token, at: Self.now + 1)
        try record(fixture, isProof: true, asking: person, at: Self.now + 2)
        let identity = try #require(fixture.store.contents.identities.first)
        #expect(identity.revokedAt == nil && identity.accessToken == token)
        // The user was there all the same.
        #expect(session(1, in: fixture)?.lastProofAt == Self.now + 2)
    }

    @Test func `an identity that was unlinked while the provider is asked proves nothing`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        _ = try fixture.link(Fixture.person("a", at: "q"), to: person)
        try fixture.unlink("p", asking: person)
        try record(fixture, isProof: true, asking: person, at: Self.now + 1)
        #expect(session(1, in: fixture)?.lastProofAt == nil)
        // Nor does one that is another account's by now.
        _ = try fixture.signIn(Self.ada, session: 3)
        try record(fixture, isProof: true, asking: person, at: Self.now + 1)
        #expect(fixture.store.contents.sessions.allSatisfy { $0.lastProofAt == nil })
        #expect(fixture.store.contents.identities.allSatisfy { $0.revokedAt == nil })
    }

    @Test func `an identity that belongs to another account, or to none, is left alone`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        let eve = Fixture.person("eve", at: "q")
        let other = try fixture.signIn(eve, session: 2)
        try record(fixture, other.identity, isProof: true, asking: person, at: Self.now + 1)
        let gone = AccountIdentity(Fixture.person("gone", at: "q"), of: person.account.id, at: Self.now)
        try record(fixture, gone, isProof: true, asking: person, at: Self.now + 1)
        #expect(fixture.store.contents.sessions.allSatisfy { $0.lastProofAt == nil })
        #expect(fixture.store.contents.identities.allSatisfy { $0.revokedAt == nil })
    }
}
