// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Synchronization
import Testing

@testable import OIDCBroker
@testable import SingleUse

/// What becomes of a take that has its value, which standbys did not confirm: its claim stays, so that nobody else gets
/// the value, and whatever happens to the store it is asked again for longer than anything else.
@Suite struct ValueInHandTests {
    private let fixture = UnconfirmedFixture()
    private var eventLoop: EmbeddedEventLoop { fixture.eventLoop }

    /// A store during a failover.
    private final class FailingOverStore: PrimaryCheckingStore, BoundedSingleUseStore, ConfirmationStore {
        struct Down: Error {}
        enum Phase: Sendable {
            /// The primary answers, and its standbys do not.
            case silent
            /// It does not answer.
            case down
            /// A new one answers, and its standbys do.
            case confirmed
            /// A new one answers, at which another attempt has taken the value.
            case taken
        }

        let asksAboutPrimary = true
        private let state = Mutex((phase: Phase.silent, attempts: Set<SingleUseAttempt>()))

        var attempts: Set<SingleUseAttempt> { state.withLock { $0.attempts } }
        func enter(_ phase: Phase) { state.withLock { $0.phase = phase } }

        func isStillPrimary(
            silentSince silence: NIODeadline, on eventLoop: any EventLoop
        ) -> EventLoopFuture<Bool> { eventLoop.makeSucceededFuture(false) }

        func claim(
            _ key: SingleUseKey, attempt: SingleUseAttempt, owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseClaim> {
            switch state.withLock({ $0.phase }) {
            case .silent: eventLoop.makeSucceededFuture(.wonUnconfirmed)
            case .down: eventLoop.makeFailedFuture(Down())
            case .confirmed: eventLoop.makeSucceededFuture(.won)
            case .taken: eventLoop.makeSucceededFuture(.lost)
            }
        }

        func put(
            _ key: SingleUseKey, value: [UInt8], owner: SingleUseOwner?, lifetime: Duration,
            on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUsePut> { eventLoop.makeSucceededFuture(.stored) }

        func take(
            _ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration, on eventLoop: any EventLoop
        ) -> EventLoopFuture<SingleUseTake> {
            let phase = state.withLock { state in
                state.attempts.insert(attempt)
                return state.phase
            }
            switch phase {
            case .silent: return eventLoop.makeSucceededFuture(.value([7], isConfirmed: false))
            case .down: return eventLoop.makeFailedFuture(Down())
            case .confirmed: return eventLoop.makeSucceededFuture(.value([7]))
            case .taken: return eventLoop.makeSucceededFuture(.taken)
            }
        }
    }

    private func take(_ store: FailingOverStore) -> EventLoopFuture<SingleUseTake> {
        fixture.access(store).within(.seconds(5)).take(fixture.key, claimSeconds: 60, on: eventLoop)
            .future(on: eventLoop)
    }

    @Test func `it outlasts a store that is away for longer than anybody else waits`() throws {
        let store = FailingOverStore()
        let access = fixture.access(store).within(.seconds(5))
        let take = access.take(fixture.key, claimSeconds: 60, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(1))
        store.enter(.down)
        eventLoop.advanceTime(by: .seconds(6))
        #expect(fixture.result(take) == nil)
        // By now the store is away, and refuses whoever has nothing in hand.
        let other = access.claim(SingleUseKey(.login, [2]), seconds: 60, on: eventLoop).future(on: eventLoop)
        #expect(throws: SharedStoreError.away) { try fixture.result(other)?.get() }
        eventLoop.advanceTime(by: .seconds(2))
        store.enter(.confirmed)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(take)?.get().value == [7])
        #expect(store.attempts.count == 1)
        #expect(fixture.count("take") == 0)
    }

    @Test func `it ends twelve seconds after it began, as not confirmed`() {
        for phase in [FailingOverStore.Phase.silent, .down] {
            let store = FailingOverStore()
            let take = take(store)
            eventLoop.advanceTime(by: .milliseconds(50))
            store.enter(phase)
            eventLoop.advanceTime(by: .milliseconds(11_699))
            #expect(fixture.result(take) == nil)
            eventLoop.advanceTime(by: .milliseconds(251))
            #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(take)?.get() }
        }
        #expect(fixture.count("take") == 2)
    }

    @Test func `whoever took it at the new primary has it`() throws {
        let store = FailingOverStore()
        let take = take(store)
        eventLoop.advanceTime(by: .seconds(2))
        store.enter(.taken)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(take)?.get() == .taken)
    }

    @Test func `without a value in hand nothing waits longer`() {
        let store = FailingOverStore()
        store.enter(.down)
        let take = take(store)
        let access = fixture.access(FailingOverStore()).within(.seconds(5))
        let claim = access.claim(fixture.key, seconds: 60, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(throws: FailingOverStore.Down.self) { try fixture.result(take)?.get() }
        #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(claim)?.get() }
    }
}
