// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import NIOPosix
import OIDCBrokerTesting
import StoreTesting
import Testing

/// Entries into accounts that begin no session.
struct SessionlessEntryTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now
    private static let address = "ada@example.com"

    private static func enter(
        _ fixture: Fixture, _ identity: VerifiedIdentity, authTime: Int64 = now, mayCreate: Bool = true,
        at time: Int64 = now
    ) throws -> EnteredAccount {
        try fixture.store.transact(.write) {
            try fixture.operations.enter(
                SignInRequest(identity, authTime: authTime, mayCreate: mayCreate), in: $0, now: time)
        }
    }

    @Test func `the first one makes the account that a sign-in finds, and the other way round`() throws {
        let fixture = Fixture()
        let ada = Fixture.person(at: "p", email: Self.address)
        let entered = try Self.enter(fixture, ada)
        #expect(entered.isNew && entered.identity.key == ada.key)
        #expect(entered.account.email == EmailAddress(Self.address) && entered.account.isEmailVerified)
        #expect(fixture.store.contents.sessions.isEmpty)
        let person = try fixture.signIn(ada)
        #expect(!person.isNew && person.account.id == entered.account.id)
        let again = try Self.enter(fixture, ada, at: Self.now + 60)
        #expect(!again.isNew && again.account.id == entered.account.id)
        #expect(again.account.lastSignInAt == Self.now + 60)
        #expect(fixture.store.contents.sessions == [person.session])
    }

    @Test func `an address enters the holder's account by the rules of a sign-in`() throws {
        let fixture = Fixture(AccountPolicy(providersThatLinkByEmail: Fixture.linking))
        let holder = try fixture.signIn(Fixture.person(at: "p", email: Self.address))
        let entered = try Self.enter(fixture, Fixture.person("a", at: "q", email: Self.address))
        #expect(!entered.isNew && entered.account.id == holder.account.id)
        #expect(fixture.store.contents.identities.count == 2)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: AccountRefusal.Code
        var policy = AccountPolicy()
        var identity = AccountFixture.person("new", at: "q")
        var authTime = AccountFixture.now + 100
        var mayCreate = true
        var isDisabled = false
        var sessionsEndedAt: Int64?
    }

    static let refused = [
        Refused(
            testDescription: "a disabled account", code: .disabled, identity: AccountFixture.person(at: "p"),
            isDisabled: true),
        Refused(
            testDescription: "an address of another account", code: .needConfirmation,
            identity: AccountFixture.person("new", at: "q", email: address)),
        Refused(
            testDescription: "no new accounts", code: .noNewAccounts, policy: AccountPolicy(makesAccounts: false)),
        Refused(testDescription: "no account, and none wanted", code: .unknown, mayCreate: false),
        Refused(
            testDescription: "verified before the sessions were ended", code: .verificationOutdated,
            identity: AccountFixture.person(at: "p"), authTime: AccountFixture.now + 49,
            sessionsEndedAt: AccountFixture.now + 50),
    ]

    @Test(arguments: refused) func `what refuses a sign-in refuses an entry, and nothing is written`(
        row: Refused
    ) throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Fixture.person(at: "p", email: Self.address))
        if let time = row.sessionsEndedAt { try fixture.endSessions(of: person, at: time) }
        try fixture.store.transact(.write) {
            try fixture.operations.setDisabled(row.isDisabled, person.account.id, in: $0)
        }
        let before = fixture.store.contents
        let operations = AccountOperations(policy: row.policy)
        let entry = SignInRequest(row.identity, authTime: row.authTime, mayCreate: row.mayCreate)
        let code = try fixture.code {
            try fixture.store.transact(.write) { try operations.enter(entry, in: $0, now: Self.now + 100) }
        }
        #expect(code == row.code)
        let session = NewSession(RefreshToken(session: AccountSession.ID()))
        let sameCode = try fixture.code {
            try fixture.store.transact(.write) {
                try operations.signIn(entry, session: session, in: $0, now: Self.now + 100)
            }
        }
        #expect(sameCode == row.code)
        #expect(fixture.store.contents == before)
    }

    @Test func `the service enters with its own clock, and fails with the refusal`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let store = ModelAccountStore()
        let service = AccountService(
            store: store, policy: AccountPolicy(), tokens: try AccountTokenFixture().tokens,
            clock: { Self.now })
        let ada = Fixture.person(at: "p")
        let entered = try await service.enter(SignInRequest(ada), on: loop).get()
        #expect(entered.isNew && entered.account.createdAt == Self.now && store.contents.sessions.isEmpty)
        let person = try await service.signIn(SignInRequest(ada), on: loop).get()
        #expect(person.person.account.id == entered.account.id)
        let refusal = await #expect(throws: AccountRefusal.self) {
            _ = try await service.enter(SignInRequest(Fixture.person("new", at: "p"), mayCreate: false), on: loop).get()
        }
        #expect(refusal?.code == .unknown)
    }
}
