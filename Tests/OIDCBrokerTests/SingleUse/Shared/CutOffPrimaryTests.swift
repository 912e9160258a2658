// SPDX-License-Identifier: Apache-2.0

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

/// What becomes of operations that standbys do not confirm, where it can be known whether the server is the primary.
@Suite struct CutOffPrimaryTests {
    private let eventLoop = EmbeddedEventLoop()
    private let metrics = TestMetrics()
    private let log = CapturedLog()
    private let key = SingleUseKey(.login, [1])

    /// A store without standbys, and those who know whether it is the primary.
    private final class LonelyStore: PrimaryCheckingStore, BoundedSingleUseStore {
        struct Down: Error {}
        /// What those who know say.
        enum Word: Sendable {
            /// It is the primary, once they would have noticed more.
            case primary(noticedWithin: TimeAmount)
            case otherwise
            case fails, hangs
        }

        let asksAboutPrimary: Bool
        private let state: Mutex<(word: Word, silences: [NIODeadline], attempts: [SingleUseAttempt])>

        init(_ word: Word, asksAboutPrimary: Bool = true) {
            self.asksAboutPrimary = asksAboutPrimary
            state = Mutex((word, [], []))
        }

        var silences: [NIODeadline] { state.withLock { $0.silences } }
        var attempts: [SingleUseAttempt] { state.withLock { $0.attempts } }
        func say(_ word: Word) { state.withLock { $0.word = word } }

        func isStillPrimary(
            silentSince silence: NIODeadline, on eventLoop: any EventLoop
        ) -> EventLoopFuture<Bool> {
            let word = state.withLock { state in
                state.silences.append(silence)
                return state.word
            }
            switch word {
            case .primary(let time): return eventLoop.makeSucceededFuture(eventLoop.now >= silence + time)
            case .otherwise: return eventLoop.makeSucceededFuture(false)
            case .fails: return eventLoop.makeFailedFuture(Down())
            case .hangs:
                let promise = eventLoop.makePromise(of: Bool.self)
                eventLoop.scheduleTask(in: .hours(1)) { promise.succeed(true) }
                return promise.futureResult
            }
        }

        func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseClaim> {
            state.withLock { $0.attempts.append(attempt) }
            return eventLoop.makeSucceededFuture(.wonUnconfirmed)
        }

        func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUsePut> {
            eventLoop.makeSucceededFuture(.storedUnconfirmed)
        }

        func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseTake> {
            eventLoop.makeSucceededFuture(.value([7], isConfirmed: false))
        }

        func read(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
            eventLoop.makeSucceededFuture(nil)
        }

        func remove(
            _ key: SingleUseKey, ifEqual value: [UInt8], on eventLoop: any EventLoop
        ) -> EventLoopFuture<Void> {
            eventLoop.makeSucceededVoidFuture()
        }

        func isClaimed(_ key: SingleUseKey, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
            eventLoop.makeSucceededFuture(false)
        }
    }

    private func access(_ store: LonelyStore) -> SingleUseAccess {
        SingleUseAccess(
            .shared(
                SharedStore(
                    store, clock: TestClock(), metrics: SharedStoreMetrics(factory: metrics), logger: log.logger)))
    }

    private func result<Value: Sendable>(_ future: EventLoopFuture<Value>) -> Result<Value, any Error>? {
        let done = Mutex<Result<Value, any Error>?>(nil)
        future.whenComplete { result in done.withLock { $0 = result } }
        return done.withLock { $0 }
    }

    private func count(_ operation: String) -> Int64 {
        (try? metrics.expectCounter("auth_store_unconfirmed", [("operation", operation)]))?.totalValue ?? 0
    }

    @Test func `a claim goes on once it is known that the server is the primary, as the same attempt`() throws {
        let store = LonelyStore(.primary(noticedWithin: .seconds(2)))
        let future = access(store).within(.seconds(5)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try result(future)?.get() == .won)
        #expect(Set(store.attempts).count == 1)
        #expect(Set(store.silences).count == 1)
        #expect(count("claim") == 1)
        #expect(log.lines.count { $0.level == .warning } == 1)
    }

    @Test func `so does a take`() throws {
        let store = LonelyStore(.primary(noticedWithin: .seconds(2)))
        let future = access(store).within(.seconds(5)).take(key, claimSeconds: 600, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try result(future)?.get().value == [7])
    }

    @Test func `one that comes later in the same silence goes on at once`() throws {
        let store = LonelyStore(.primary(noticedWithin: .seconds(2)))
        let access = access(store).within(.seconds(5))
        let first = access.claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(try result(first)?.get() == .won)
        let later = access.within(.seconds(2)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        #expect(try result(later)?.get() == .won)
        store.say(.otherwise)
        let cutOff = access.within(.seconds(2)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        #expect(result(cutOff) == nil)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(throws: SharedStoreError.unconfirmed) { try result(cutOff)?.get() }
    }

    @Test(arguments: [2, 5])
    func `it fails when its time is over, whatever those who know do`(seconds: Int64) {
        for word in [LonelyStore.Word.otherwise, .fails, .hangs, .primary(noticedWithin: .seconds(30))] {
            let store = LonelyStore(word)
            let access = access(store).within(.seconds(seconds))
            let claim = access.claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
            let take = access.take(key, claimSeconds: 600, on: eventLoop).future(on: eventLoop)
            eventLoop.advanceTime(by: .milliseconds(seconds * 1000 - 251))
            #expect(result(claim) == nil)
            #expect(result(take) == nil)
            eventLoop.advanceTime(by: .milliseconds(251))
            #expect(throws: SharedStoreError.unconfirmed) { try result(claim)?.get() }
            #expect(throws: SharedStoreError.unconfirmed) { try result(take)?.get() }
        }
        #expect(count("claim") == 4)
        #expect(count("take") == 4)
    }

    @Test func `nobody is asked about a value, or where nobody knows`() throws {
        let store = LonelyStore(.otherwise)
        let put = access(store).within(.seconds(2)).put(key, value: [1], seconds: 60, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(try result(put)?.get() == .stored)
        #expect(store.silences.isEmpty)
        let node = LonelyStore(.otherwise, asksAboutPrimary: false)
        let claim = access(node).within(.seconds(5)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try result(claim)?.get() == .won)
        #expect(node.silences.isEmpty)
    }
}
