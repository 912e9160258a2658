// SPDX-License-Identifier: Apache-2.0

import AccountsTestSupport
import JOSE
import NIOCore
import StoreTesting
import Testing

@testable import Accounts

/// Which events follow from what happens to an account, in the transaction of it.
struct EventRecorderTests {
    private static let now = AccountFixture.now
    private let fixture = AccountFixture(AccountPolicy(providersThatLinkByEmail: AccountFixture.linking))
    private let listener = AccountListener.webhook()

    @discardableResult
    private func write<Result>(
        at time: Int64 = now, _ body: (AccountOperations, any AccountTransaction) throws -> Result
    ) throws -> Result {
        try fixture.store.transact(.write) { transaction in
            try EventRecorder.run(for: listener, in: transaction, at: time) { try body(fixture.operations, $0) }
        }
    }

    private func signIn(
        _ identity: VerifiedIdentity, _ account: AccountID = AccountID(), session: Int = 1, at time: Int64 = now
    ) throws -> SignedInAccount {
        try write(at: time) {
            try $0.signIn(
                SignInRequest(identity, authTime: time, newAccount: account),
                session: NewSession(id: AccountStep.session(session), secretHash: AccountStep.secretHash(session)),
                in: $1, now: time)
        }
    }

    private var queued: [QueuedEvent] {
        get throws { try fixture.store.transact(.list) { try $0.outbox?.events(after: 0, limit: 100) ?? [] } }
    }

    /// The types and providers of the events since the last call.
    private func events() throws -> [String] {
        let events = try queued
        try fixture.store.transact(.queue) { transaction in
            for event in events { try transaction.outbox?.remove(event, at: Self.now) }
        }
        return try events.map { queued in
            let json = try Self.json(queued.event)
            let provider = json["provider"]?.text.map { " " + $0.makeString() } ?? ""
            return String(queued.event.type.dropFirst("account.".count)) + provider
        }
    }

    private static func json(_ event: AccountEvent) throws -> JSONObject {
        try JSONParser.object(Array(event.json.utf8), limits: JSONLimits(maximumBytes: 65_536))
    }

    @Test func `a user's way makes the events of what happened, and a further sign-in makes none`() throws {
        let ada = AccountFixture.person(at: "p", email: "ada@example.com")
        let person = try signIn(ada)
        let id = person.account.id
        #expect(try events() == ["created p", "first_sign_in p"])
        _ = try signIn(ada, session: 2, at: Self.now + 10)
        #expect(try events() == [])
        // By its email.
        _ = try signIn(AccountFixture.person("a", at: "q", email: "ada@example.com"), session: 3, at: Self.now + 20)
        #expect(try events() == ["linked q", "first_sign_in q"])
        let asking = AuthenticatedSession(person.session)
        try write {
            _ = try $0.update(displayName: .set("Ada"), unlinking: ["q"], asking: asking, in: $1, now: Self.now + 30)
        }
        #expect(try events() == ["unlinked q", "updated"])
        try write { _ = try $0.update(displayName: .set("Ada"), asking: asking, in: $1, now: Self.now + 30) }
        #expect(try events() == [])
        try write {
            _ = try $0.link(
                LinkRequest(AccountFixture.person("r", at: "r"), asking: asking),
                session: NewSession(id: AccountStep.session(9), secretHash: AccountStep.secretHash(9)), in: $1,
                now: Self.now + 30)
        }
        #expect(try events() == ["linked r"])
        try write { try $0.endSession(AccountStep.session(9), of: id, in: $1, now: Self.now + 30) }
        #expect(try events() == ["sessions_ended"])
        try write { try $0.setDisabled(true, id, in: $1) }
        try write { try $0.setDisabled(true, id, in: $1) }
        try write { try $0.setDisabled(false, id, in: $1) }
        #expect(try events() == ["disabled", "enabled"])
        try write { try $0.endSessions(of: id, in: $1, now: Self.now + 40) }
        #expect(try events() == ["sessions_ended"])
        try write { try $0.delete(id, in: $1) }
        #expect(try events() == ["deleted"])
    }

    @Test func `an address that goes to another account, a moved identity and a new subject are events of each`() throws
    {
        let bob = try signIn(AccountFixture.person("bob", at: "p", email: "x@example.com", isProved: false)).account.id
        _ = try events()
        let eve = try signIn(AccountFixture.person("eve", at: "q", email: "x@example.com"), session: 2).account.id
        #expect(try Set(events()) == ["created q", "first_sign_in q"])
        try write { try $0.moveIdentity(at: "q", from: eve, to: bob, in: $1) }
        #expect(try events() == ["unlinked q", "updated", "linked q", "updated"])
        try write { try $0.replaceSubject(at: "q", of: bob, by: "new", in: $1) }
        #expect(try events() == ["sessions_ended"])
    }

    @Test func `an imported account has no event until a user signs in`() throws {
        let id = try #require(AccountID("imported"))
        var account = Account(id: id, createdAt: 1)
        account.imported = ImportedRecord(json: "{}")
        let user = ImportedUser(account, identities: [AccountFixture.person(at: "p")])
        try fixture.store.transact(.write) { _ = try fixture.operations.take(user, ImportChoices(), in: $0) }
        #expect(try events() == [])
        _ = try signIn(AccountFixture.person(at: "p"))
        #expect(try events() == ["first_sign_in p"])
        _ = try signIn(AccountFixture.person(at: "p"), session: 2, at: Self.now + 1)
        #expect(try events() == [])
        try write { try $0.delete(id, in: $1) }
        #expect(try events() == ["deleted"])
    }

    @Test func `an event has the account as it is afterwards, and of a deleted one as it was`() throws {
        let id = try #require(AccountID("ada"))
        _ = try signIn(AccountFixture.person(at: "p", email: "ada@example.com"), id)
        try write { try $0.delete(id, in: $1) }
        for (event, type) in zip(try queued, ["account.created", "account.first_sign_in", "account.deleted"]) {
            var json = try Self.json(event.event)
            #expect(json["jti"]?.text?.makeString() == event.event.id && event.event.id.utf8.count == 22)
            json["jti"] = nil
            let account: JSONObject = [
                "created_at": .number(JSONNumber(Self.now)), "last_sign_in_at": .number(JSONNumber(Self.now)),
                "disabled": false, "email": "ada@example.com", "email_verified": true,
                "identities": .array([
                    .object(["provider": "p", "upstream_iss": "https://p", "upstream_sub": "ada"])
                ]),
            ]
            var expected: JSONObject = [
                "type": .string(type), "iat": .number(JSONNumber(Self.now)), "uid": "ada", "account": .object(account),
            ]
            if type != "account.deleted" { expected["provider"] = "p" }
            #expect(json == expected)
            #expect(event.destination == "webhook" && event.event.account == id && event.event.time == Self.now)
        }
    }

    @Test func `a logout token of a provider is an event of each account whose sessions it ends, once`() async throws {
        let service = AccountService(
            store: fixture.store, policy: AccountPolicy(), tokens: try AccountTokenFixture().tokens,
            clock: { Self.now }, queues: AccountQueues(), listener: listener)
        func hash(_ session: String) -> [UInt8] { AccountSession.hash(ofProviderSession: session, issuer: "https://p") }
        var ids: [AccountID] = []
        for (number, subject) in ["ada", "bob"].enumerated() {
            var person = AccountFixture.person(subject, at: "p")
            person.providerSession = hash("s-" + subject)
            ids.append(try signIn(person, session: number).account.id)
        }
        let ada = AccountFixture.person("ada", at: "p").key
        _ = try events()
        let logouts: [(session: String?, person: IdentityKey?, expected: [AccountID])] = [
            ("s-other", nil, []), (nil, AccountFixture.person("eve", at: "p").key, []), ("s-ada", ada, [ids[0]]),
            ("s-ada", ada, []), (nil, ada, []), ("s-bob", nil, [ids[1]]),
        ]
        for (session, person, expected) in logouts {
            try await service.endSessions(
                begunIn: session.map(hash), orWith: person, on: EventDeliveryTests.loop
            ).get()
            #expect(try queued.map(\.event.account) == expected)
            #expect(try events() == expected.map { _ in "sessions_ended" })
        }
    }

    @Test func `without a listener, and where the transaction fails, no event is written`() throws {
        let ada = AccountFixture.person(at: "p")
        _ = try fixture.signIn(ada)
        #expect(try queued.isEmpty)
        #expect(throws: AccountRefusal.self) {
            try write { operations, transaction in
                _ = try operations.signIn(
                    SignInRequest(AccountFixture.person("new", at: "p")),
                    session: NewSession(id: AccountStep.session(5), secretHash: AccountStep.secretHash(5)),
                    in: transaction, now: Self.now)
                throw AccountRefusal(.unknown)
            }
        }
        #expect(try queued.isEmpty)
    }

    @Test func `an outbox that is full loses events and refuses nothing`() async throws {
        let listener = AccountListener(destination: "webhook", room: 4)
        let delivery = EventDelivery(
            store: fixture.store, listener: listener, clock: { Self.now },
            receiver: { _, _ in throw EventRefusal("503") })
        let loop = EventDeliveryTests.loop
        for (number, isKept) in [true, true, false].enumerated() {
            try fixture.store.transact(.write) { transaction in
                try EventRecorder.run(for: listener, in: transaction, at: Self.now) {
                    _ = try fixture.operations.enter(
                        SignInRequest(AccountFixture.person("\(number)", at: "p")), in: $0, now: Self.now)
                }
            }
            #expect(try queued.count == (isKept ? 2 * (number + 1) : 4))
            _ = try await delivery.measure(on: loop)
        }
        #expect(fixture.store.contents.accounts.count == 3)
        #expect(try await delivery.pass(on: loop).report.counts[.lost] == 2)
        #expect(try await delivery.measure(on: loop) == OutboxUsage(waiting: 4, oldest: Self.now, givenUp: 0))
        #expect(!listener.hasRoom)
        listener.note(waiting: 3)
        #expect(listener.hasRoom)
    }
}
