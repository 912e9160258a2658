// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// What becomes of a take that has its value, which standbys did not confirm: its claim stays, so that no other request
/// gets the value, and it is asked again for longer than anything else, whatever happens to the store.
@Suite struct ValueInHandTests {
    private let fixture = UnconfirmedFixture()
    private var eventLoop: EmbeddedEventLoop { fixture.eventLoop }

    private func take(_ store: FaultyStore) -> EventLoopFuture<SingleUseTake> {
        fixture.access(FaultyEngine(store)).within(.seconds(5)).take(fixture.valueKey, claimSeconds: 60, on: eventLoop)
            .future(on: eventLoop)
    }

    @Test func `it outlasts a store that is away for longer than any other request waits`() throws {
        let store = try fixture.store()
        let access = fixture.access(FaultyEngine(store)).within(.seconds(5))
        let take = access.take(fixture.valueKey, claimSeconds: 60, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(1))
        store.follow(.fails)
        eventLoop.advanceTime(by: .seconds(6))
        #expect(fixture.result(take) == nil)
        // By now the store is away, and refuses requests that have nothing in hand.
        let other = access.claim(SingleUseKey(.login, [2]), seconds: 60, on: eventLoop).future(on: eventLoop)
        #expect(throws: SharedStoreError.away) { try fixture.result(other)?.get() }
        eventLoop.advanceTime(by: .seconds(2))
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(take)?.get().value == [7])
        #expect(Set(store.calls.filter { $0.operation == .take }.map(\.attempt)).count == 1)
        #expect(fixture.count("take") == 0)
    }

    @Test func `it ends twelve seconds after it began, as not confirmed`() throws {
        for step in [FaultyStore.Step.isUnconfirmed, .fails] {
            let store = try fixture.store()
            let take = take(store)
            eventLoop.advanceTime(by: .milliseconds(50))
            store.follow(step)
            eventLoop.advanceTime(by: .milliseconds(11_699))
            #expect(fixture.result(take) == nil)
            eventLoop.advanceTime(by: .milliseconds(251))
            #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(take)?.get() }
        }
        #expect(fixture.count("take") == 2)
    }

    @Test func `the request that took it at the new primary has it`() throws {
        let reference = ReferenceStore()
        func put() {
            _ = reference.put(fixture.valueKey, value: [7], owner: nil, lifetime: .seconds(60), on: eventLoop)
        }
        put()
        let store = FaultyStore(reference)
        store.follow(.isUnconfirmed)
        let take = take(store)
        eventLoop.advanceTime(by: .seconds(2))
        reference.forget()
        put()
        _ = reference.take(
            fixture.valueKey, attempt: SingleUseAttempt(), claimLifetime: .seconds(60), on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(take)?.get() == .taken)
    }

    @Test func `without a value in hand nothing waits longer`() throws {
        let store = try fixture.store()
        store.follow(.fails)
        let take = take(store)
        let access = fixture.access(FaultyEngine(try fixture.store())).within(.seconds(5))
        let claim = access.claim(fixture.key, seconds: 60, on: eventLoop).future(on: eventLoop)
        eventLoop.advanceTime(by: .seconds(5))
        #expect(throws: FaultyStore.Down.self) { try fixture.result(take)?.get() }
        #expect(throws: SharedStoreError.unconfirmed) { try fixture.result(claim)?.get() }
    }
}
