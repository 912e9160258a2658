// SPDX-License-Identifier: Apache-2.0

import JOSE
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker

/// Names that wait in the process because the store is away.
@Suite struct WaitingNamesTests {
    private let eventLoop = EmbeddedEventLoop()
    private let store = AwayStore()
    private let metrics = TestMetrics()
    private let log = CapturedLog()
    private let waiting: WaitingNames
    private let names: UnverifiedNames
    /// Another replica.
    private let others: UnverifiedNames
    private let ada = UnverifiedName(["name": "Ada"])
    private let augusta = UnverifiedName(["name": "Augusta"])

    init() throws {
        let access = SingleUseAccess.of(store)
        let keys = [LoginKeys(sealingKey: Array(repeating: 1, count: 32))]
        waiting = try #require(WaitingNames(store: access, metricsFactory: metrics, logger: log.logger))
        names = UnverifiedNames(store: access, waiting: waiting, keys: keys)
        others = UnverifiedNames(store: .of(store), keys: keys)
    }

    private func keep(
        _ name: UnverifiedName, _ subject: String = "s", claim: ClaimInDoubt? = nil
    ) throws -> Bool {
        let owner = SingleUseOwner.owner(issuer: "i", subject: subject)
        guard let claim else {
            return try result(names.keep(name, issuer: "i", subject: subject, owner: owner, on: eventLoop))
        }
        return try result(names.keep(name, issuer: "i", subject: subject, owner: owner, of: claim, on: eventLoop))
    }

    /// The claim of a credential, which the store knows for a quarter of an hour.
    private func claim(_ credential: UInt8, _ claiming: Claiming? = nil) -> ClaimInDoubt {
        ClaimInDoubt(
            key: SingleUseKey(.nativeCredential, [credential]), end: eventLoop.now + .seconds(901), claiming: claiming)
    }

    private func name(_ names: UnverifiedNames, _ subject: String = "s") throws -> UnverifiedName? {
        try result(names.name(issuer: "i", subject: subject, on: eventLoop))
    }

    /// What there is after the time that a store has.
    private func result<Value: Sendable>(_ eventual: Eventual<Value>) throws -> Value {
        let future = eventual.future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(6))
        return try future.wait()
    }

    private func dropped(_ reason: String) -> Int64 {
        (try? metrics.expectCounter("auth_names_dropped", [("reason", reason)]))?.totalValue ?? 0
    }

    @Test(arguments: [AwayStore.Behavior.fails, .losesAnswers, .isFull])
    func `it is written as soon as the store is back, and every replica finds it`(behavior: AwayStore.Behavior) throws {
        store.behave(behavior)
        #expect(try keep(ada))
        eventLoop.advanceTime(by: .seconds(60))
        #expect(waiting.count == 1)
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(waiting.count == 0)
        #expect(try name(others) == ada)
        #expect(!log.text.contains("Ada"))
    }

    @Test func `one that standbys do not confirm is there at once, and waits until they do`() throws {
        store.behave(.confirmsNoValues)
        #expect(try keep(ada))
        #expect(try name(others) == ada)
        #expect(waiting.count == 1 && waiting.unwrittenCount == 0)
        // A failover to a server that never heard of it.
        let place = LoginKeys(sealingKey: Array(repeating: 1, count: 32)).placeOfName(issuer: "i", subject: "s")
        let sealed = try #require(try result(SingleUseAccess.of(store).read(place.key, on: eventLoop)))
        try result(SingleUseAccess.of(store).remove(place.key, ifEqual: sealed, on: eventLoop))
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(6))
        #expect(try name(others) == ada)
        #expect(waiting.count == 0)
    }

    @Test func `one that standbys do not confirm does not replace what another replica stored later`() throws {
        store.behave(.confirmsNoValues)
        #expect(try keep(ada))
        store.behave(.answers)
        let owner = SingleUseOwner.owner(issuer: "i", subject: "s")
        let kept = others.keep(augusta, issuer: "i", subject: "s", owner: owner, on: eventLoop).future(on: eventLoop)
        #expect(try kept.wait())
        eventLoop.advanceTime(by: .seconds(6))
        #expect(waiting.count == 0)
        #expect(try name(others) == augusta)
    }

    @Test func `a process that ends does not wait for standbys`() throws {
        store.behave(.confirmsNoValues)
        #expect(try keep(ada))
        try waiting.writeLast(on: eventLoop).wait()
        #expect(dropped("ended") == 0)
        // One that no store has is written meanwhile.
        store.behave(.fails)
        #expect(try keep(augusta, "t"))
        let end = waiting.writeLast(on: eventLoop)
        store.behave(.confirmsNoValues)
        eventLoop.advanceTime(by: .milliseconds(1900))
        try end.wait()
        #expect(waiting.count == 2 && waiting.unwrittenCount == 0)
        #expect(try name(others, "t") == augusta)
    }

    @Test func `until then the same process finds it`() throws {
        store.behave(.fails)
        #expect(try keep(ada))
        #expect(try name(names) == ada)
        #expect(try name(others) == nil)
        try result(names.acknowledge(ada, issuer: "i", subject: "s", on: eventLoop))
        #expect(waiting.count == 0)
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try name(others) == nil)
    }

    @Test func `a later name is never replaced by an earlier one that waited`() throws {
        store.behave(.fails)
        #expect(try keep(ada))
        #expect(try keep(augusta))
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try name(others) == augusta)
        store.behave(.fails)
        #expect(try keep(ada))
        store.behave(.answers)
        #expect(try keep(augusta))
        eventLoop.advanceTime(by: .seconds(60))
        #expect(try name(others) == augusta)
    }

    @Test func `many are written, and none twice`() throws {
        store.behave(.fails)
        for number in 0..<100 { #expect(try keep(ada, "\(number)")) }
        #expect(waiting.count == 100)
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(waiting.count == 0)
        for number in 0..<100 { #expect(try name(others, "\(number)") == ada) }
    }

    /// What is known of the claim of a credential when the store is back.
    enum Claimed: CaseIterable, Sendable {
        case byNobody, byTheAttempt, byAnEarlierAttempt, byAnother
    }

    @Test(.attack(.unsignedAppleUser), arguments: Claimed.allCases)
    func `a name whose claim is in doubt counts unless another request has the claim`(claimed: Claimed) throws {
        let key = SingleUseKey(.nativeCredential, [1])
        let attempts = (0..<3).map { _ in SingleUseAttempt() }
        store.behave(.fails)
        for attempt in attempts.prefix(2) {
            #expect(try keep(ada, claim: claim(1, Claiming(key: key, attempt: attempt))))
        }
        // It is not known yet whether this is the person.
        #expect(try name(names) == nil)
        store.behave(.answers)
        let owner: SingleUseAttempt? =
            switch claimed {
            case .byNobody: nil
            case .byTheAttempt: attempts[1]
            case .byAnEarlierAttempt: attempts[0]
            case .byAnother: attempts[2]
            }
        if let owner {
            let claim = store.claim(key, attempt: owner, owner: nil, lifetime: .seconds(600), on: eventLoop)
            #expect(try claim.wait() == .won)
        }
        eventLoop.advanceTime(by: .seconds(2))
        #expect(waiting.count == 0)
        #expect(try name(others) == (claimed == .byAnother ? nil : ada))
        #expect(dropped("used_before") == (claimed == .byAnother ? 1 : 0))
        // What nobody used may still be used.
        #expect(try store.isClaimed(key, on: eventLoop).wait() == (claimed != .byNobody))
    }

    @Test(.attack(.unsignedAppleUser), arguments: [800, 1_800] as [Int64])
    func `a name in doubt is given up once the store may have forgotten the claim`(seconds: Int64) throws {
        store.behave(.fails)
        #expect(try keep(ada, claim: claim(1)))
        eventLoop.advanceTime(by: .seconds(seconds))
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(waiting.count == 0)
        #expect(try name(others) == (seconds == 800 ? ada : nil))
        #expect(dropped("expired") == (seconds == 800 ? 0 : 1))
    }

    @Test(arguments: [true, false])
    func `a name that is put slowly replaces none that came later`(isStored: Bool) throws {
        let owner = SingleUseOwner.owner(issuer: "i", subject: "s")
        store.behave(.holdsValues)
        _ = names.keep(ada, issuer: "i", subject: "s", owner: owner, on: eventLoop)
        store.behave(.isFull)
        _ = names.keep(augusta, issuer: "i", subject: "s", owner: owner, on: eventLoop)
        #expect(waiting.count == 1)
        store.release(isStored ? .success(()) : .failure(AwayStore.Unreachable()))
        // What failed is repeated, and refused.
        eventLoop.advanceTime(by: .seconds(1))
        #expect(waiting.count == 1)
        #expect(try name(names) == augusta)
        store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(waiting.count == 0)
        #expect(try name(others) == augusta)
    }

    @Test func `what is over the limit is counted, and logged once a minute`() throws {
        store.behave(.fails)
        for number in 0..<UInt8(WaitingNames.StateMachine.mostOfPerson + 2) {
            #expect(try keep(ada, claim: claim(number)))
        }
        #expect(waiting.count == WaitingNames.StateMachine.mostOfPerson)
        #expect(dropped("too_many") == 2)
        #expect(log.lines.count { $0.message.contains("given up") } == 1)
        #expect(!log.text.contains("Ada"))
    }

    @Test func `a process that ends waits for them, two seconds at most`() throws {
        store.behave(.fails)
        #expect(try keep(ada))
        // The store is known to be away, and is back before the two seconds are over.
        eventLoop.advanceTime(by: .seconds(10))
        let isWritten = Mutex(false)
        waiting.writeLast(on: eventLoop).whenSuccess { isWritten.withLock { $0 = true } }
        eventLoop.advanceTime(by: .seconds(1))
        #expect(!isWritten.withLock { $0 })
        store.behave(.answers)
        eventLoop.advanceTime(by: .milliseconds(900))
        #expect(isWritten.withLock { $0 })
        #expect(try name(others) == ada)
        #expect(dropped("ended") == 0)
    }

    @Test func `a process that ends gives up what the store does not take`() throws {
        store.behave(.fails)
        #expect(try keep(ada))
        let isOver = Mutex(false)
        waiting.writeLast(on: eventLoop).whenSuccess { isOver.withLock { $0 = true } }
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(!isOver.withLock { $0 })
        eventLoop.advanceTime(by: .milliseconds(1))
        #expect(isOver.withLock { $0 })
        #expect(dropped("ended") == 1)
    }

    @Test func `a process in which none waits ends at once`() throws {
        try waiting.writeLast(on: eventLoop).wait()
    }

    @Test func `for a store in memory nothing waits`() {
        let access = SingleUseAccess.of(InMemorySingleUseStore(capacity: 10))
        #expect(WaitingNames(store: access, metricsFactory: nil, logger: log.logger) == nil)
    }
}
