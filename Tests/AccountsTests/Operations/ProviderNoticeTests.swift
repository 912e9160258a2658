// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTestSupport
import OIDCBrokerTesting
import StoreTesting
import Testing

/// What a provider reports of a user, which may come late, more than once, and after a revocation of our own.
struct ProviderNoticeTests {
    private typealias Fixture = AccountFixture
    private static let now = AccountFixture.now
    private static let ada = AccountFixture.person(at: "p")

    @discardableResult
    private func end(
        _ fixture: AccountFixture, isRevocation: Bool = true, eventTime: Int64?, at time: Int64
    ) throws -> Bool {
        try fixture.store.transact(.write) {
            try fixture.operations.endSessions(
                of: Self.ada.key, isRevocation: isRevocation, eventTime: eventTime, in: $0, now: time)
        }
    }

    private func revoke(_ person: SignedInAccount, _ fixture: AccountFixture, at time: Int64) throws {
        try fixture.store.transact(.write) {
            try fixture.operations.recordRevocation(
                of: person.identity, isProof: false, asking: AuthenticatedSession(person.session), in: $0, now: time)
        }
    }

    private func sessions(_ fixture: AccountFixture) -> Set<AccountSession.ID> {
        Set(fixture.store.contents.sessions.map(\.id))
    }

    // MARK: Late and again

    @Test(arguments: [false, true]) func `sessions that began after the event stay`(isRevocation: Bool) throws {
        let fixture = Fixture()
        // Before, at and after the event; the last two stay.
        for (number, time) in [-10, 0, 1, 20].enumerated() {
            _ = try fixture.signIn(
                Self.ada, session: number, authTime: Self.now + Int64(time), at: Self.now + Int64(time))
        }
        let kept = fixture.store.contents.sessions.filter { $0.authTime > Self.now }
        for time in [Self.now + 5000, Self.now + 9000] {
            #expect(try end(fixture, isRevocation: isRevocation, eventTime: Self.now, at: time))
            #expect(sessions(fixture) == [AccountStep.session(2), AccountStep.session(3)])
            #expect(Set(fixture.store.contents.sessions) == Set(kept))
            #expect(fixture.store.contents.accounts.first?.validSince == Self.now)
            #expect(fixture.store.contents.violations(under: fixture.operations.policy).isEmpty)
        }
        for session in kept { _ = try fixture.refresh(session, at: Self.now + 9000) }
    }

    @Test func `an old event takes nothing back that was ended later`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try fixture.endSessions(of: person, at: Self.now + 100)
        _ = try fixture.signIn(Self.ada, session: 2, authTime: Self.now + 200, at: Self.now + 200)
        try end(fixture, eventTime: Self.now + 50, at: Self.now + 300)
        #expect(fixture.store.contents.accounts.first?.validSince == Self.now + 100)
        #expect(sessions(fixture) == [AccountStep.session(2)])
    }

    @Test func `an event of a clock that is ahead refuses no sign-in afterwards`() throws {
        let fixture = Fixture()
        _ = try fixture.signIn(Self.ada)
        try end(fixture, eventTime: Self.now + 40, at: Self.now + 10)
        #expect(sessions(fixture).isEmpty)
        #expect(fixture.store.contents.accounts.first?.validSince == Self.now + 10)
        _ = try fixture.signIn(Self.ada, session: 2, authTime: Self.now + 11, at: Self.now + 11)
        #expect(sessions(fixture) == [AccountStep.session(2)])
    }

    @Test(arguments: [Int64.min, .max, 0]) func `no time traps`(time: Int64) throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try revoke(person, fixture, at: Self.now)
        #expect(try end(fixture, eventTime: time, at: Self.now + 10))
        #expect(sessions(fixture).isEmpty == (time == .max))
    }

    @Test func `for a user without an account nothing is ended`() throws {
        #expect(try !end(Fixture(), eventTime: Self.now, at: Self.now))
    }

    // MARK: After a revocation of our own

    /// The seconds from the revocation to the event, and whether the event is news.
    static let passed: [(Int64, Bool)] = [(-61, true), (-60, false), (0, false), (600, false), (601, true)]

    @Test(arguments: passed)
    func `the report of a revocation that was asked for here is no news, for ten minutes`(
        seconds: Int64, isNews: Bool
    ) throws {
        // With the time of the event, however late it comes, and without, where it is that of now.
        for eventTime in [Self.now + 1000 + seconds, nil] {
            let fixture = Fixture()
            let person = try fixture.signIn(Self.ada)
            try revoke(person, fixture, at: Self.now + 1000)
            let time = Self.now + 1000 + (eventTime == nil ? seconds : 90_000)
            #expect(try end(fixture, eventTime: eventTime, at: time))
            #expect(sessions(fixture).isEmpty == isNews)
        }
    }

    @Test func `what else is reported is news at any time`() throws {
        let fixture = Fixture()
        let person = try fixture.signIn(Self.ada)
        try revoke(person, fixture, at: Self.now + 1)
        try end(fixture, isRevocation: false, eventTime: Self.now + 1, at: Self.now + 2)
        #expect(sessions(fixture).isEmpty)
    }
}
