// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker

/// A value that was taken by a request which never heard of it: its process gives it back, and whoever asks next gets it,
/// once, at any replica.
@Suite struct ReturnedValueTests {
    private let eventLoop = EmbeddedEventLoop()
    private let engine = LossyStore.Engine()
    private let key = SingleUseKey(.handOff, [1])
    private let value: [UInt8] = [7]

    /// A process, and its way to the store.
    private struct Replica {
        let store: LossyStore
        let access: SingleUseAccess
    }

    /// A request, and what has come of it.
    private final class Taking {
        var result: Result<SingleUseTake, any Error>?

        var value: [UInt8]? { try? result?.get().value }
        var isTaken: Bool { (try? result?.get()) == .taken }
        var isRefused: Bool { result.map { (try? $0.get()) == nil } ?? false }
    }

    private func replica() -> Replica {
        let store = LossyStore(engine)
        let shared = SharedStore(
            store, clock: TestClock(), metrics: SharedStoreMetrics(factory: nil), logger: CapturedLog().logger)
        return Replica(store: store, access: SingleUseAccess(.shared(shared)).within(.seconds(5)))
    }

    private func take(_ replica: Replica) -> Taking {
        let taking = Taking()
        replica.access.take(key, claimSeconds: 60, on: eventLoop).future(on: eventLoop).assumeIsolated()
            .whenComplete { taking.result = $0 }
        return taking
    }

    private func put(_ replica: Replica) throws {
        let put = replica.access.put(key, value: value, seconds: 60, on: eventLoop).future(on: eventLoop)
        #expect(try put.wait() == .stored)
    }

    /// Takes that take all of their time, without an answer.
    private func takeInVain(_ replicas: [Replica], _ behavior: LossyStore.Behavior = .losesAnswers) {
        for replica in replicas { replica.store.behave(behavior) }
        let takings = replicas.map { take($0) }
        eventLoop.advanceTime(by: .seconds(5))
        #expect(takings.allSatisfy { $0.isRefused })
        for replica in replicas { replica.store.behave(.answers) }
    }

    /// A take that comes while another one has the value and does not hear of it.
    private func takeWhatIsLost(by first: Replica, at second: Replica) -> Taking {
        first.store.behave(.losesAnswers)
        _ = take(first)
        eventLoop.advanceTime(by: .milliseconds(100))
        return take(second)
    }

    @Test func `another replica gets it as soon as the first one is answered again`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        let taking = take(second)
        #expect(taking.result == nil)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(taking.value == value)
        #expect(take(second).isTaken && take(first).isTaken)
        #expect(engine.values == 0)
    }

    @Test func `nobody has to ask meanwhile`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        eventLoop.advanceTime(by: .seconds(30))
        #expect(take(second).value == value)
    }

    @Test func `of several at one process and at others one had it, and whoever comes gets it`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first, first, second, first])
        eventLoop.advanceTime(by: .seconds(1))
        let takings = [take(second), take(first), take(second)]
        eventLoop.advanceTime(by: .seconds(3))
        #expect(takings.count { $0.value == value } == 1)
        #expect(takings.count { $0.isTaken } == 2)
    }

    @Test func `a request that goes on as the first one has it, and nothing is given back`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        #expect(take(first).value == value)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(take(second).isTaken && take(first).isTaken)
    }

    @Test func `whoever repeats a code is told at once that it was taken`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        #expect(take(first).value == value)
        #expect(take(first).isTaken && take(second).isTaken)
    }

    @Test func `a code that never was is absent`() throws {
        #expect(try take(replica()).result?.get() == .absent)
    }

    @Test func `of one whose process is gone nobody waits for longer than four seconds`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        let taking = takeWhatIsLost(by: first, at: second)
        eventLoop.advanceTime(by: .milliseconds(3900))
        #expect(taking.result == nil)
        eventLoop.advanceTime(by: .milliseconds(500))
        // Nobody got it.
        #expect(try taking.result?.get() == .absent)
    }

    @Test func `nothing is claimed where there is no value yet`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        // It finds the value taken, and does not hear that it is not returned yet.
        let taking = takeWhatIsLost(by: first, at: second)
        second.store.behave(.losesAnswers)
        eventLoop.advanceTime(by: .milliseconds(4900))
        #expect(taking.isRefused)
        second.store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        first.store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(take(second).value == value)
    }

    @Test func `whoever looks before taking sees what was given back`() throws {
        let (first, second) = (replica(), replica())
        func look() throws -> [UInt8]? {
            try second.access.readBeforeTake(key, on: eventLoop).future(on: eventLoop).wait()
        }
        #expect(try look() == nil)
        try put(first)
        #expect(try look() == value)
        takeInVain([first])
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try look() == value)
        #expect(take(second).value == value)
        #expect(try look() == nil)
    }

    @Test func `a value that may have been given back is nobody's any more who took it first`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        first.store.behave(.losesPuts)
        eventLoop.advanceTime(by: .seconds(3))
        #expect(take(second).value == value)
        // It is put once more, in place of the one that was taken.
        first.store.behave(.answers)
        eventLoop.advanceTime(by: .seconds(3))
        let takings = [take(first), take(second)]
        eventLoop.advanceTime(by: .seconds(5))
        #expect(takings.allSatisfy { $0.isTaken })
    }

    @Test func `one that was given back and not heard of is given back again, three times`() throws {
        let replicas = (0..<5).map { _ in replica() }
        try put(replicas[0])
        for replica in replicas[..<3] {
            takeInVain([replica], .losesTakenValues)
            eventLoop.advanceTime(by: .seconds(1))
        }
        #expect(take(replicas[3]).value == value)
        #expect(take(replicas[4]).isTaken)
    }

    @Test func `a minute later it is given up`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        first.store.behave(.losesAnswers)
        _ = take(first)
        eventLoop.advanceTime(by: .seconds(70))
        first.store.behave(.answers)
        let taking = take(second)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(try taking.result?.get() == .absent)
    }

    @Test func `a take that was never done takes nothing, and the value stays for as long as it lives`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first], .fails)
        eventLoop.advanceTime(by: .seconds(90))
        let read = second.access.read(key, on: eventLoop).future(on: eventLoop)
        #expect(try read.wait() == value)
        #expect(take(second).value == value)
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func `whatever is lost and when, it is given once`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let replicas = (0..<3).map { _ in replica() }
        try put(replicas[0])
        var takings: [Taking] = []
        for _ in 0..<40 {
            let replica = replicas[Int.random(in: 0..<3, using: &random)]
            if Bool.random(using: &random) {
                replica.store.behave(LossyStore.Behavior.allCases.randomElement(using: &random) ?? .answers)
            }
            if Int.random(in: 0..<3, using: &random) == 0 { takings.append(take(replica)) }
            eventLoop.advanceTime(by: .milliseconds(Int64.random(in: 1...1000, using: &random)))
        }
        for replica in replicas { replica.store.behave(.answers) }
        eventLoop.advanceTime(by: .seconds(10))
        // Whoever was told that it was taken lost it to one who has it, or to one who may come now.
        for replica in replicas { takings.append(take(replica)) }
        eventLoop.advanceTime(by: .seconds(10))
        #expect(takings.count { $0.value != nil } == 1)
        #expect(takings.allSatisfy { $0.result != nil })
    }
}
