// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// What becomes of operations that standbys do not confirm, where it can be known whether the server is the primary.
@Suite struct CutOffPrimaryTests {
    private let fixture = UnconfirmedFixture()
    private var eventLoop: EmbeddedEventLoop { fixture.eventLoop }
    private var key: SingleUseKey { fixture.key }

    /// What those who know say.
    private enum Word: Sendable {
        /// It is the primary, once they would have noticed more.
        case primary(noticedWithin: TimeAmount)
        case otherwise
        case fails, hangs
    }

    /// A store without standbys.
    private func lonely(_ word: Word, asksAboutPrimary: Bool = true) throws -> FaultyEngine {
        let engine = FaultyEngine(try fixture.store(), asksAboutPrimary: asksAboutPrimary)
        engine.say { silence, eventLoop in
            switch word {
            case .primary(let time): eventLoop.makeSucceededFuture(eventLoop.now >= silence + time)
            case .otherwise: eventLoop.makeSucceededFuture(false)
            case .fails: eventLoop.makeFailedFuture(FaultyStore.Down())
            case .hangs: eventLoop.scheduleTask(in: .hours(1)) { true }.futureResult
            }
        }
        return engine
    }

    @Test func `a claim goes on once it is known that the server is the primary, as the same attempt`() throws {
        let store = try lonely(.primary(noticedWithin: .seconds(2)))
        let future = fixture.access(store).within(.seconds(5)).claim(key, seconds: 600, on: eventLoop).future(
            on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get() == .won)
        #expect(Set(store.store.attempts).count == 1)
        #expect(Set(store.silences).count == 1)
        #expect(fixture.count("claim") == 1)
        #expect(fixture.log.lines.count { $0.level == .warning } == 1)
    }

    @Test func `so does a take`() throws {
        let store = try lonely(.primary(noticedWithin: .seconds(2)))
        let future = fixture.access(store).within(.seconds(5)).take(fixture.valueKey, claimSeconds: 600, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(1999))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get().value == [7])
    }

    @Test func `one that comes later in the same silence goes on at once`() throws {
        let store = try lonely(.primary(noticedWithin: .seconds(2)))
        let access = fixture.access(store).within(.seconds(5))
        let first = access.claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(try fixture.result(first)?.get() == .won)
        let later = access.within(.seconds(2)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        #expect(try fixture.result(later)?.get() == .won)
        store.say { _, eventLoop in eventLoop.makeSucceededFuture(false) }
        let cutOff = access.within(.seconds(2)).claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        #expect(fixture.result(cutOff) == nil)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(cutOff)?.get() }
    }

    @Test(arguments: [2, 5])
    func `it fails when its time is over, whatever those who know do`(seconds: Int64) throws {
        for word in [Word.otherwise, .fails, .hangs, .primary(noticedWithin: .seconds(30))] {
            let store = try lonely(word)
            let access = fixture.access(store).within(.seconds(seconds))
            let claim = access.claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
            let take = access.take(fixture.valueKey, claimSeconds: 600, on: eventLoop).future(on: eventLoop)
            eventLoop.advanceTime(by: .milliseconds(seconds * 1000 - 251))
            #expect(fixture.result(claim) == nil)
            #expect(fixture.result(take) == nil)
            eventLoop.advanceTime(by: .milliseconds(251))
            #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(claim)?.get() }
            // A take has its value, which would be lost.
            #expect(fixture.result(take) == nil)
            eventLoop.advanceTime(by: .seconds(12 - seconds))
            #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(take)?.get() }
        }
        #expect(fixture.count("claim") == 4)
        #expect(fixture.count("take") == 4)
    }

    @Test func `no engine is asked about a value, or where none knows`() throws {
        let store = try lonely(.otherwise)
        let put = fixture.access(store).within(.seconds(2)).put(key, value: [1], seconds: 60, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(try fixture.result(put)?.get() == .stored)
        #expect(store.silences.isEmpty)
        let node = try lonely(.otherwise, asksAboutPrimary: false)
        let claim = fixture.access(node).within(.seconds(5)).claim(key, seconds: 600, on: eventLoop).future(
            on: eventLoop)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(try fixture.result(claim)?.get() == .won)
        #expect(node.silences.isEmpty)
    }
}
