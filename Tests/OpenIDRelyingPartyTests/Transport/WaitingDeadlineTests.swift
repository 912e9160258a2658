// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import Testing

@testable import OpenIDRelyingParty

/// A callback is bounded as a whole, also where it waits for a fetch that another one began.
@Suite struct WaitingDeadlineTests {
    private static let late = RelyingPartyError.transport(.keySet, .timedOut)

    private let loop = EmbeddedEventLoop()

    @Test func `what is not there by the deadline has failed, and what comes later changes nothing`() throws {
        let fetch = loop.makePromise(of: Int.self)
        let waiting = Eventual.future(fetch.futureResult).bounded(by: loop.now + .seconds(15), else: Self.late)
        loop.advanceTime(by: .milliseconds(14_999))
        #expect(!waiting.future(on: loop).isFulfilled)
        loop.advanceTime(by: .milliseconds(1))
        fetch.succeed(1)
        #expect(throws: Self.late) { try waiting.wait() }
    }

    @Test func `what is there before it counts, a failure too`() throws {
        let fetch = loop.makePromise(of: Int.self)
        let waiting = Eventual.future(fetch.futureResult).bounded(by: loop.now + .seconds(15), else: Self.late)
        fetch.succeed(1)
        loop.advanceTime(by: .seconds(20))
        #expect(try waiting.wait() == 1)

        let failed = loop.makePromise(of: Int.self)
        let other = Eventual.future(failed.futureResult).bounded(by: loop.now + .seconds(15), else: Self.late)
        failed.fail(RelyingPartyError.issuerMissing)
        loop.advanceTime(by: .seconds(20))
        #expect(throws: RelyingPartyError.issuerMissing) { try other.wait() }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Whether there is a result already.
    fileprivate var isFulfilled: Bool {
        var isFulfilled = false
        assumeIsolated().whenComplete { _ in isFulfilled = true }
        return isFulfilled
    }
}
