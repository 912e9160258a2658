// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import NIOEmbedded
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// What becomes of operations that standbys of a shared store do not confirm.
@Suite struct UnconfirmedOutcomeTests {
    private let fixture = UnconfirmedFixture()
    private var eventLoop: EmbeddedEventLoop { fixture.eventLoop }
    private var key: SingleUseKey { fixture.key }

    @Test func `a claim is asked again as the same attempt, until the standbys have it`() throws {
        let store = try fixture.store()
        let future = fixture.access(store).claim(key, seconds: 600, standsAlone: true, on: eventLoop).future(
            on: eventLoop)
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(400))
        #expect(fixture.result(future) == nil)
        store.follow(.answers)
        eventLoop.advanceTime(by: .milliseconds(250))
        #expect(try fixture.result(future)?.get() == .won)
        #expect(store.attempts.count > 1)
        #expect(Set(store.attempts).count == 1)
        #expect(fixture.count("claim") == 0)
        #expect(fixture.log.lines.allSatisfy { $0.level != .warning })
    }

    @Test func `after a second a claim is won, and one that stands alone fails`() throws {
        let store = fixture.access(try fixture.store()).within(.seconds(5))
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
        #expect(warnings.first?.message.hasPrefix("store write not confirmed") == true)
    }

    @Test func `a take goes on with its value`() throws {
        let store = try fixture.store()
        let future = fixture.access(store).take(fixture.valueKey, claimSeconds: 600, on: eventLoop).future(
            on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(749))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get().value == [7])
        #expect(Set(store.attempts).count == 1)
        #expect(fixture.count("take") == 1)
    }

    @Test(arguments: [2, 5])
    func `a value is stored again for all of its time, and then counts as stored`(seconds: Int64) throws {
        let store = try fixture.store()
        let future = fixture.access(store).within(.seconds(seconds)).put(key, value: [1], seconds: 60, on: eventLoop)
            .future(on: eventLoop)
        eventLoop.advanceTime(by: .milliseconds(seconds * 1000 - 251))
        #expect(fixture.result(future) == nil)
        eventLoop.advanceTime(by: .milliseconds(251))
        #expect(try fixture.result(future)?.get() == .stored)
        #expect(store.calls.count > Int(seconds) * 3)
        #expect(fixture.count("put") == 1)
    }
}
