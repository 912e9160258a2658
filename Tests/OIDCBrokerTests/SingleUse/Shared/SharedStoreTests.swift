// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState
@testable import SingleUse

/// A store that replicas share: what is repeated, what fails at once, and what an operator sees.
@Suite struct SharedStoreTests {
    private let eventLoop = EmbeddedEventLoop()
    private let metrics = TestMetrics()
    private let log = CapturedLog()
    private let key = SingleUseKey(.login, [1])

    private func shared(_ store: any SingleUseStore) -> SharedStore {
        SharedStore(store, clock: TestClock(), metrics: SharedStoreMetrics(factory: metrics), logger: log.logger)
    }

    private func claim(_ store: SharedStore, patience: TimeAmount = .seconds(5)) -> EventLoopFuture<SingleUseClaim> {
        SingleUseAccess(.shared(store)).within(patience).claim(key, seconds: 600, on: eventLoop)
            .future(on: eventLoop)
    }

    /// The result of a future that is done; `nil` if it is not.
    private func result<Value: Sendable>(_ future: EventLoopFuture<Value>) -> Result<Value, any Error>? {
        let done = Mutex<Result<Value, any Error>?>(nil)
        future.whenComplete { result in done.withLock { $0 = result } }
        return done.withLock { $0 }
    }

    private func isWon(_ future: EventLoopFuture<SingleUseClaim>) -> Bool? {
        result(future).map { (try? $0.get()) == .won }
    }

    private func isRefused(_ future: EventLoopFuture<SingleUseClaim>) -> Bool? {
        result(future).map { (try? $0.get()) == nil }
    }

    private func count(_ label: String, _ dimensions: [(String, String)]) -> Int64 {
        (try? metrics.expectCounter(label, dimensions))?.totalValue ?? 0
    }

    @Test func `an operation that fails is repeated as the same attempt, and another one is another attempt`() {
        let store = FaultyStore()
        store.follow(.fails)
        let shared = shared(store)
        let future = claim(shared)
        #expect(isWon(future) == nil)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(isWon(future) == nil)
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(isWon(future) == true)
        #expect((5...21).contains(store.attempts.count))
        #expect(Set(store.attempts).count == 1)
        #expect(isWon(claim(shared)) == false)
        #expect(Set(store.attempts).count == 2)
        #expect(count("auth_store_retries", [("operation", "claim")]) == Int64(store.attempts.count - 2))
        #expect(count("auth_store_operations", [("operation", "claim"), ("outcome", "done")]) == 2)
        #expect(shared.waiting == 0)
    }

    @Test func `a claim whose answer was lost is won by the repetition`() {
        let store = FaultyStore()
        store.follow(.losesAnswer)
        let future = claim(shared(store))
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(isWon(future) == true)
    }

    @Test(arguments: [2, 5])
    func `it is given up when its time is over, and not before`(seconds: Int64) {
        let store = FaultyStore()
        let shared = shared(store)
        #expect(isWon(claim(shared)) == true)
        store.follow(.fails)
        let future = claim(shared, patience: .seconds(seconds))
        eventLoop.advanceTime(by: .milliseconds(seconds * 1000 - 251))
        #expect(isRefused(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(isRefused(future) == true)
        #expect(count("auth_store_operations", [("operation", "claim"), ("outcome", "timed_out")]) == 1)
        #expect(shared.waiting == 0)
    }

    @Test func `a store that is full refuses what is new at once, is not away, and says so once a minute`() {
        let store = FaultyStore()
        store.follow(.isFull)
        let shared = shared(store)
        let access = SingleUseAccess(.shared(shared))
        for _ in 0..<2 {
            #expect(result(claim(shared)).map { try? $0.get() } == .full)
            let put = access.put(key, value: [1], seconds: 60, on: eventLoop).future(on: eventLoop)
            #expect(result(put).map { try? $0.get() } == .full)
        }
        #expect(result(access.read(key, on: eventLoop).future(on: eventLoop)) != nil)
        #expect(shared.status == .reached)
        #expect(store.calls.count == 5)
        for operation in ["claim", "put"] {
            #expect(count("auth_store_operations", [("operation", operation), ("outcome", "full")]) == 2)
            #expect(count("auth_store_operations", [("operation", operation), ("outcome", "done")]) == 0)
        }
        #expect(count("auth_store_operations", [("operation", "read"), ("outcome", "done")]) == 1)
        let full = { log.lines.filter { $0.level == .error && $0.message.hasPrefix("store full") }.count }
        #expect(full() == 1)
        eventLoop.advanceTime(by: .minutes(1))
        #expect(result(claim(shared)).map { try? $0.get() } == .full)
        #expect(full() == 2)
    }

    @Test func `a value counts in the budget until it is stored, and is not sent where there is no room`() {
        let store = FaultyStore()
        let memory = MemoryBudget(bytes: 16 << 20)
        let shared = SharedStore(
            store, clock: TestClock(), memory: memory, metrics: SharedStoreMetrics(factory: metrics),
            logger: log.logger)
        func put() -> EventLoopFuture<SingleUsePut> {
            SingleUseAccess(.shared(shared)).put(key, value: [1], seconds: 60, on: eventLoop).future(on: eventLoop)
        }
        #expect(memory.take(memory.size, of: .responses, for: nil) == nil)
        #expect(result(put()).map { (try? $0.get()) == nil } == true)
        #expect(store.calls.isEmpty)
        #expect(count("auth_store_operations", [("operation", "put"), ("outcome", "too_many")]) == 1)
        // What has no value needs no room.
        #expect(isWon(claim(shared)) == true)
        memory.giveBack(memory.size, of: .responses, for: nil)
        store.follow(.fails)
        let waiting = put()
        #expect(memory.held(.values) > 0 && memory.held == memory.held(.values))
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(result(waiting).map { try? $0.get() } == .stored)
        #expect(memory.held == 0)
    }

    @Test func `a store that does not answer at all is given up in time too`() {
        let store = FaultyStore()
        store.follow(.hangs)
        let shared = shared(store)
        let future = claim(shared, patience: .seconds(2))
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(isRefused(future) == nil)
        #expect(shared.waiting == 1)
        eventLoop.advanceTime(by: .milliseconds(1))
        #expect(isRefused(future) == true)
        #expect(shared.waiting == 0)
    }

    @Test func `away for five seconds: no caller waits, one probes, and the first success lets all in`() throws {
        let store = FaultyStore()
        let shared = shared(store)
        #expect(isWon(claim(shared)) == true)
        store.follow(.fails)
        let first = claim(shared)
        eventLoop.advanceTime(by: .seconds(4))
        // A late caller waits no longer than the others.
        let late = claim(shared)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(isRefused(first) == true)
        #expect(isRefused(late) == true)
        #expect(shared.status == .away)
        let asked = store.calls.count
        for _ in 0..<100 { #expect(isRefused(claim(shared)) == true) }
        #expect(store.calls.count == asked)
        eventLoop.advanceTime(by: .seconds(1))
        // Four probes.
        #expect((asked + 3...asked + 5).contains(store.calls.count))
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(shared.status == .reached)
        #expect(isWon(claim(shared)) == false)
        let after = store.calls.count
        eventLoop.advanceTime(by: .seconds(10))
        #expect(store.calls.count == after)
        let lines = log.lines.map { "\($0.level) \($0.message)" }
        #expect(
            lines == [
                "info store connected", "error store unavailable: sign-ins fail until it responds",
                "notice store available again",
            ])
        #expect(count("auth_store_operations", [("operation", "claim"), ("outcome", "away")]) == 100)
    }

    @Test func `a further try goes on as the attempt whose end is unknown`() {
        let store = FaultyStore()
        let shared = shared(store)
        #expect(
            isWon(
                SingleUseAccess(.shared(shared)).claim(SingleUseKey(.login, [2]), seconds: 600, on: eventLoop)
                    .future(on: eventLoop)) == true)
        store.follow(.losesAnswer)
        let lost = claim(shared, patience: .seconds(2))
        eventLoop.advanceTime(by: .seconds(2))
        #expect(isRefused(lost) == true)
        store.follow(.answers)
        // Not another caller, which would be told that it is used up.
        #expect(isWon(claim(shared)) == true)
        #expect(isWon(claim(shared)) == false)
    }

    @Test func `a minute later it is another caller's`() {
        let store = FaultyStore()
        let shared = shared(store)
        store.follow(.losesAnswer)
        let lost = claim(shared, patience: .seconds(2))
        eventLoop.advanceTime(by: .seconds(2))
        #expect(isRefused(lost) == true)
        store.follow(.answers)
        eventLoop.advanceTime(by: .seconds(61))
        #expect(isWon(claim(shared)) == false)
    }

    @Test func `a store that takes no writes is away, also for reads`() {
        let store = FaultyStore()
        let shared = shared(store)
        #expect(isWon(claim(shared)) == true)
        store.follow { $0.operation.isRead ? .answers : .fails }
        let access = SingleUseAccess(.shared(shared))
        let refused = claim(shared)
        var late: EventLoopFuture<SingleUseClaim>?
        for step in 0..<60 {
            if step == 40 { late = claim(shared) }
            _ = access.isClaimed(key, on: eventLoop)
            eventLoop.advanceTime(by: .milliseconds(100))
        }
        #expect(isRefused(refused) == true)
        #expect(late.map { isRefused($0) } == true)
        #expect(shared.status == .away)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(shared.status == .away)
        store.follow(.answers)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(shared.status == .reached)
    }

    @Test(arguments: [false, true])
    func `without sign-ins it is asked, and within ten seconds it is known that it is away or back`(hangs: Bool) {
        let store = FaultyStore()
        let shared = shared(store)
        shared.watch(on: eventLoop)
        #expect(isWon(claim(shared)) == true)
        eventLoop.advanceTime(by: .seconds(60))
        #expect(shared.status == .reached)
        // Once in two seconds, and only writes: a primary that takes none still answers reads.
        #expect((29...31).contains(store.calls.count))
        #expect(store.calls.allSatisfy { $0.operation == .claim })
        store.follow(hangs ? .hangs : .fails)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(shared.status == .reached)
        eventLoop.advanceTime(by: .seconds(4))
        #expect(shared.status == .away)
        store.follow(.answers)
        eventLoop.advanceTime(by: .seconds(6))
        #expect(shared.status == .reached)
        let lines = log.lines.map { "\($0.level) \($0.message)" }
        #expect(
            lines == [
                "info store connected", "error store unavailable: sign-ins fail until it responds",
                "notice store available again",
            ])
    }

    @Test func `a store that is busy is not asked, and neither is one whose broker is gone`() {
        let store = FaultyStore()
        var shared: SharedStore? = shared(store)
        shared?.watch(on: eventLoop)
        for _ in 0..<20 {
            if let shared { _ = claim(shared) }
            eventLoop.advanceTime(by: .seconds(1))
        }
        #expect(store.calls.count == 20)
        shared = nil
        eventLoop.advanceTime(by: .seconds(20))
        #expect(store.calls.count == 20)
    }

    @Test func `a broker that is gone asks no more`() {
        let store = FaultyStore()
        store.follow(.fails)
        var shared: SharedStore? = shared(store)
        shared?.probe(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(1))
        shared = nil
        let asked = store.calls.count
        eventLoop.advanceTime(by: .seconds(10))
        #expect(store.calls.count == asked)
    }

    @Test func `a process that starts while the store is away asks until it is there`() {
        let store = FaultyStore()
        store.follow(.fails)
        let shared = shared(store)
        shared.probe(on: eventLoop)
        eventLoop.advanceTime(by: .minutes(1))
        #expect(shared.status == .notReached)
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(shared.status == .reached)
    }
}
