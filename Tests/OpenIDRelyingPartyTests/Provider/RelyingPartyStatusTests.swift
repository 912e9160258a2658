// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What a relying party tells operators about its provider.
@Suite struct RelyingPartyStatusTests {
    private static func session() throws -> UnpluggedSession {
        UnpluggedSession(
            try TestProvider(
                issuer: "https://op.example", client: TestProvider.Client(id: "client", secret: "secret"),
                clock: TestClock()))
    }

    @Test func `nothing is known before the first sign-in, and asking fetches nothing`() throws {
        let session = try Self.session()
        #expect(session.party.status == RelyingPartyStatus())
        #expect(session.provider.requests.isEmpty)
    }

    @Test func `ages count from the fetch`() throws {
        let session = try Self.session()
        try session.signIn()
        session.provider.clock.advance(by: 30)
        let status = session.party.status
        #expect(status.metadata.phase == .current)
        #expect(status.metadata.age == 30)
        #expect(status.keys.age == 30)
        #expect(status.metadata.failure == nil)
        #expect(status.openCircuits.isEmpty)
    }

    @Test func `a provider that is down has been so since the first failure, until the next success`() throws {
        let session = try Self.session()
        session.provider.behave { $0.isDown = true }
        for pause in [100, 200] as [Int64] {
            _ = try? session.begin()
            session.provider.clock.advance(by: pause)
        }
        let failure = try #require(session.party.status.metadata.failure)
        #expect(failure.seconds == 300)
        #expect(failure.error.code == .unreachable)
        #expect(session.party.status.metadata.phase == .missing)
        session.provider.behave { $0.isDown = false }
        try session.signIn()
        #expect(session.party.status.metadata.failure == nil)
        #expect(session.party.status.metadata.phase == .current)
    }

    @Test func `a document stays in use while it cannot be fetched again, then is gone`() throws {
        let session = try Self.session()
        try session.signIn()
        session.provider.behave { $0.isDown = true }
        session.provider.clock.advance(by: CachedDocument<Int>.staleFor - 1)
        _ = try? session.begin()
        let status = session.party.status
        #expect(status.metadata.phase == .expired)
        #expect(status.metadata.failure != nil)
        session.provider.clock.advance(by: 1)
        #expect(session.party.status.metadata.phase == .missing)
        #expect(session.party.status.metadata.age == nil)
    }
}

/// How long a circuit has been open.
@Suite struct OpenCircuitTests {
    @Test func `it is open since it opened, however often a probe fails, until one succeeds`() throws {
        var machine = ProviderCircuit.StateMachine()
        for now in 0..<5 as Range<Int64> {
            #expect(machine.openSince == nil)
            machine.ended(.ordinary, .failed(retryAfter: nil), now: 1_000 + now)
        }
        #expect(machine.openSince == 1_004)
        let probe = machine.admit(now: 1_100)
        let first = try #require(probe)
        machine.ended(first, .failed(retryAfter: nil), now: 1_100)
        #expect(machine.openSince == 1_004)
        let nextProbe = machine.admit(now: 1_200)
        let second = try #require(nextProbe)
        #expect(machine.openSince == 1_004)
        machine.ended(second, .answered, now: 0)
        #expect(machine.openSince == nil)
        machine.ended(.ordinary, .failed(retryAfter: 7), now: 1_300)
        #expect(machine.openSince == 1_300)
    }
}
