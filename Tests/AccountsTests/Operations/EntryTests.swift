// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// Who enters which account.
struct EntryTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now

    @Test func `a verification from before the sessions were ended enters nothing, and uses nothing up`() throws {
        let fixture = Fixture()
        let ada = Fixture.person(at: "p")
        let person = try fixture.signIn(ada)
        try fixture.endSessions(of: person, at: Self.now + 60)
        #expect(
            try fixture.code { try fixture.signIn(ada, session: 2, authTime: Self.now + 59, at: Self.now + 120) }
                == .verificationOutdated)
        let again = try fixture.signIn(ada, session: 2, authTime: Self.now + 60, at: Self.now + 120)
        try fixture.refresh(again.session, at: Self.now + 121)
    }

    @Test func `an account that is made from an older verification can be used`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p"), authTime: Self.now - 1700)
        #expect(person.session.authTime == Self.now - 1700)
        try fixture.refresh(person.session)
    }

    @Test func `a verification in the future counts as one of now`() throws {
        let person = try Fixture().signIn(Fixture.person(at: "p"), authTime: Self.now + 50)
        #expect(person.session.authTime == Self.now)
    }

    @Test func `a re-authentication is of the account that asks, or refused`() throws {
        let fixture = Fixture()
        let ada = try fixture.signIn(Fixture.person("ada", at: "p"))
        _ = try fixture.signIn(Fixture.person("eve", at: "p"), session: 2)
        let expected = ada.account.id
        #expect(
            try fixture.code { try fixture.signIn(Fixture.person("eve", at: "p"), session: 3, expected: expected) }
                == .belongsToAnother)
        #expect(
            try fixture.code { try fixture.signIn(Fixture.person("new", at: "p"), session: 3, expected: expected) }
                == .unknown)
        #expect(
            try fixture.signIn(Fixture.person("ada", at: "p"), session: 3, expected: expected).account.id == expected)
    }

    struct Newcomer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let holder: VerifiedIdentity
        let newcomer: VerifiedIdentity
        let links: Bool

        init(_ name: String, _ holder: VerifiedIdentity, _ newcomer: VerifiedIdentity, links: Bool) {
            (testDescription, self.holder, self.newcomer, self.links) = (name, holder, newcomer, links)
        }
    }

    private static let address = "ada@example.com"
    static let newcomers = [
        Newcomer(
            "both proved", Fixture.person(at: "p", email: address), Fixture.person("a", at: "q", email: address),
            links: true),
        Newcomer(
            "the newcomer's is a relay address", Fixture.person(at: "p", email: address),
            Fixture.person("a", at: "q", email: address, isPrivateRelay: true), links: false),
        Newcomer(
            "the holder's is a relay address", Fixture.person(at: "p", email: address, isPrivateRelay: true),
            Fixture.person("a", at: "q", email: address), links: false),
        Newcomer(
            "the newcomer's provider does not link", Fixture.person(at: "p", email: address),
            Fixture.person("a", at: "lax", email: address), links: false),
        Newcomer(
            "the holder's provider does not link", Fixture.person(at: "lax", email: address),
            Fixture.person("a", at: "q", email: address), links: false),
        Newcomer(
            "the holder's provider had the ID of one that links", Fixture.person(at: "lax", id: "p", email: address),
            Fixture.person("a", at: "q", email: address), links: false),
        Newcomer(
            "the same issuer under another ID", Fixture.person(at: "q", id: "old", email: address),
            Fixture.person("a", at: "q", email: address), links: false),
    ]

    @Test(arguments: newcomers) func `an address enters an account only if all of it holds`(row: Newcomer) throws {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let holder = try fixture.signIn(row.holder)
        let code = try fixture.code {
            let person = try fixture.signIn(row.newcomer, session: 2)
            #expect(person.account.id == holder.account.id)
        }
        #expect(code == (row.links ? nil : .needConfirmation))
    }

    @Test(arguments: [true, false])
    func `who has not proved an email gets an account without it, also if another account has it`(isTaken: Bool) throws
    {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let holder = try isTaken ? fixture.signIn(Fixture.person(at: "p", email: Self.address)).account.id : nil
        let newcomer = Fixture.person("a", at: "q", email: Self.address, isProved: false)
        for (session, isNew) in [(2, true), (3, false)] {
            let person = try fixture.signIn(newcomer, session: session)
            #expect(person.isNew == isNew && person.account.id != holder)
            #expect(person.account.email == nil && person.account.emailKey == nil)
            #expect(person.identity.verified.email == EmailAddress(Self.address))
        }
        let other = try fixture.signIn(Fixture.person("c", at: "lax"), session: 4)
        let unproved = Fixture.person("c", at: "q", email: Self.address, isProved: false)
        let linked = try fixture.link(unproved, to: other, session: 5)
        #expect(linked.account.email == nil && linked.account.emailKey == nil)
        let owner = Fixture.person("b", at: "lax", email: Self.address)
        let proved = try fixture.code { try fixture.signIn(owner, session: 6) }
        #expect(proved == (isTaken ? .needConfirmation : nil))
    }

    @Test func `who proves an address takes it from an account that has not`() throws {
        // Only under the policy `separate` an account gets an address without proof.
        let separate = Fixture(AccountPolicy(email: .separate))
        let eve = Fixture.person("eve", at: "p", email: Self.address, isProved: false)
        let holder = try separate.signIn(eve).account.id
        let unique = AccountOperations(policy: AccountPolicy())
        func signIn(_ identity: VerifiedIdentity) throws -> Account {
            let session = NewSession(RefreshToken(session: AccountSession.ID()))
            return try separate.store.transact(.write) {
                try unique.signIn(
                    SignInRequest(identity, authTime: Self.now), session: session, in: $0, now: Self.now
                ).account
            }
        }
        #expect(try signIn(eve).emailKey == Self.address)
        let owner = try signIn(Fixture.person(at: "q", email: Self.address))
        #expect(owner.id != holder && owner.emailKey == Self.address && owner.isEmailVerified)
        let left = try #require(separate.store.contents.accounts.first { $0.id == holder })
        #expect(left.email == nil && !left.ownsEmail)
        #expect(separate.store.contents.violations(under: unique.policy).isEmpty)
    }

    @Test func `what was removed from an account does not come back by its address`() throws {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let person = try fixture.signIn(Fixture.person(at: "p", email: Self.address))
        let other = Fixture.person("a", at: "q", email: Self.address)
        _ = try fixture.signIn(other, session: 2)
        try fixture.unlink("q", asking: person)
        #expect(try fixture.code { try fixture.signIn(other, session: 3) } == .needConfirmation)
        _ = try fixture.link(other, to: person, session: 3)
        #expect(try fixture.signIn(other, session: 4).account.id == person.account.id)
    }

    @Test func `a full account is not found by its address`() throws {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let person = try fixture.signIn(Fixture.person(at: "p", email: Self.address))
        for number in 1..<AccountLimits.identities {
            _ = try fixture.link(Fixture.person(at: "r\(number)"), to: person, session: 1 + number)
        }
        let other = Fixture.person("a", at: "q", email: Self.address)
        #expect(try fixture.code { try fixture.signIn(other, session: 99) } == .needConfirmation)
    }

    @Test func `a sign-in without an address leaves the one that was proved`() throws {
        let fixture = Fixture()
        _ = try fixture.signIn(Fixture.person(at: "p", email: Self.address))
        let again = try fixture.signIn(Fixture.person(at: "p"), session: 2)
        #expect(again.account.email == EmailAddress(Self.address) && again.account.isEmailVerified)
        let eve = Fixture.person("eve", at: "q", email: Self.address)
        #expect(try fixture.code { try fixture.signIn(eve, session: 3) } == .needConfirmation)
    }

    @Test func `an address from the time of the policy separate becomes the account's own`() throws {
        let separate = Fixture(AccountPolicy(email: .separate))
        let ada = Fixture.person(at: "p", email: Self.address)
        let person = try separate.signIn(ada)
        #expect(person.account.email != nil && person.account.emailKey == nil)
        let unique = AccountOperations(policy: AccountPolicy())
        let again = try separate.store.transact(.write) {
            try unique.signIn(
                SignInRequest(ada, authTime: Self.now), session: NewSession(RefreshToken(session: AccountSession.ID())),
                in: $0, now: Self.now)
        }
        #expect(again.account.emailKey == Self.address)
    }
}
