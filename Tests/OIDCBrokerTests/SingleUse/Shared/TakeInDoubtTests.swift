// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState
@testable import SingleUse

/// A value that was taken by a request without an answer is lost, unless its process is asked again: no other process
/// gets it.
@Suite struct TakeInDoubtTests {
    private let eventLoop = EmbeddedEventLoop()
    private let shared = ReferenceStore()
    private let key = SingleUseKey(.handOff, [1])
    private let value: [UInt8] = [7]

    /// A process, and its way to the store.
    private struct Replica {
        let store: FaultyStore
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
        let store = FaultyStore(shared)
        let shared = SharedStore(
            FaultyEngine(store), clock: TestClock(), metrics: SharedStoreMetrics(factory: nil),
            logger: CapturedLog().logger)
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
    private func takeInVain(_ replicas: [Replica], _ step: FaultyStore.Step = .losesAnswer) {
        for replica in replicas { replica.store.follow(step) }
        let takings = replicas.map { take($0) }
        eventLoop.advanceTime(by: .seconds(5))
        #expect(takings.allSatisfy { $0.isRefused })
        for replica in replicas { replica.store.follow(.answers) }
    }

    @Test func `a request that goes on as the first one has it`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        #expect(take(first).value == value)
        #expect(take(second).isTaken && take(first).isTaken)
    }

    @Test func `at another replica it is taken, and no request waits`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        takeInVain([first])
        #expect(take(second).isTaken)
        eventLoop.advanceTime(by: .seconds(61))
        #expect(take(first).isTaken && take(second).isTaken)
    }

    @Test func `a repeated code is reported as taken at once`() throws {
        let (first, second) = (replica(), replica())
        try put(first)
        #expect(take(first).value == value)
        #expect(take(first).isTaken && take(second).isTaken)
    }

    @Test func `a code that never was is absent`() throws {
        #expect(try take(replica()).result?.get() == .absent)
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
    func `whatever is lost and when, it is given at most once`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let replicas = (0..<3).map { _ in replica() }
        try put(replicas[0])
        var takings: [Taking] = []
        for _ in 0..<40 {
            let replica = replicas[Int.random(in: 0..<3, using: &random)]
            if Bool.random(using: &random) {
                let steps: [FaultyStore.Step] = [.answers, .fails, .losesAnswer]
                replica.store.follow(steps.randomElement(using: &random) ?? .answers)
            }
            if Int.random(in: 0..<3, using: &random) == 0 { takings.append(take(replica)) }
            eventLoop.advanceTime(by: .milliseconds(Int64.random(in: 1...1000, using: &random)))
        }
        for replica in replicas { replica.store.follow(.answers) }
        eventLoop.advanceTime(by: .seconds(10))
        for replica in replicas { takings.append(take(replica)) }
        #expect(takings.count { $0.value != nil } <= 1)
        #expect(takings.allSatisfy { $0.result != nil })
    }
}
