// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Synchronization
import Testing

@testable import OIDCBroker
@testable import SingleUse

/// What becomes of operations that standbys of a shared store do not confirm.
@Suite struct UnconfirmedOutcomeTests {
    private let fixture = UnconfirmedFixture()
    private var eventLoop: EmbeddedEventLoop { fixture.eventLoop }
    private var key: SingleUseKey { fixture.key }

    /// A store in which every attempt wins, with standbys or without.
    private final class StandbyStore: ConfirmationStore {
        private let state = Mutex((isConfirmed: false, attempts: [SingleUseAttempt](), asked: 0))

        var attempts: [SingleUseAttempt] { state.withLock { $0.attempts } }
        var asked: Int { state.withLock { $0.asked } }
        func confirm() { state.withLock { $0.isConfirmed = true } }

        private func ask(_ attempt: SingleUseAttempt? = nil) -> Bool {
            state.withLock { state in
                state.asked += 1
                if let attempt { state.attempts.append(attempt) }
                return state.isConfirmed
            }
        }

        func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseClaim> {
            eventLoop.makeSucceededFuture(ask(attempt) ? .won : .wonUnconfirmed)
        }

        func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUsePut> {
            eventLoop.makeSucceededFuture(ask() ? .stored : .storedUnconfirmed)
        }

        func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseTake> {
            eventLoop.makeSucceededFuture(.value([7], isConfirmed: ask(attempt)))
        }
    }

    @Test func `a claim is asked again as the same attempt, until the standbys have it`() throws {
        let store = StandbyStore()
        let future = fixture.access(store).claim(key, seconds: 600, standsAlone: true, on: eventLoop).future(
            on: eventLoop)
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(400))
        #expect(fixture.result(future) == nil)
        store.confirm()
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(future)?.get() == .won)
        #expect(store.attempts.count > 1)
        #expect(Set(store.attempts).count == 1)
        #expect(fixture.count("claim") == 0)
        #expect(fixture.log.lines.allSatisfy { $0.level != .warning })
    }

    @Test func `after a second a claim is won, and one that stands alone fails`() throws {
        let store = fixture.access(StandbyStore()).within(.seconds(5))
        let backed = store.claim(key, seconds: 600, on: eventLoop).future(on: eventLoop)
        let alone = store.claim(key, seconds: 600, standsAlone: true, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(749))
        #expect(fixture.result(backed) == nil)
        #expect(fixture.result(alone) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(backed)?.get() == .won)
        #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(alone)?.get() }
        #expect(fixture.count("claim") == 2)
        // Both within a minute.
        let warnings = fixture.log.lines.filter { $0.level == .warning }
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.hasPrefix("standbys did not confirm") == true)
    }

    @Test func `a take goes on with its value`() throws {
        let store = StandbyStore()
        let future = fixture.access(store).take(key, claimSeconds: 600, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(749))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get().value == [7])
        #expect(Set(store.attempts).count == 1)
        #expect(fixture.count("take") == 1)
    }

    @Test(arguments: [2, 5])
    func `a value is stored again for all of its time, and then counts as stored`(seconds: Int64) throws {
        let store = StandbyStore()
        let future = fixture.access(store).within(.seconds(seconds)).put(key, value: [1], seconds: 60, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(seconds * 1000 - 251))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get() == .stored)
        #expect(store.asked > Int(seconds) * 3)
        #expect(fixture.count("put") == 1)
    }
}
