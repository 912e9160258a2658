// SPDX-License-Identifier: Apache-2.0

import Foundation
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerOperations
import OIDCBrokerTesting
import Testing
import TestingSupport

/// Connections that cannot be accepted because nothing is left to hold them.
struct AcceptErrorHandlerTests {
    @Test func `each failure is counted where the listener was told to, and one line a second is written`() throws {
        let (metrics, clock, log) = (TestMetrics(), TestClock(), MetadataRecorder())
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            AcceptErrorHandler(clock: clock.elapsed, logger: log.logger, metricsFactory: metrics))
        func fail(_ code: CInt) {
            channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
        }
        let counter = try metrics.expectCounter("auth_limits", [("limit", "descriptors")])
        #expect(counter.totalValue == 0)
        for code in [EMFILE, ENFILE, ENOBUFS] { fail(code) }
        #expect(counter.totalValue == 3)
        #expect(log.lines.map { $0["auth.detail"] } == ["errno \(EMFILE)"])
        clock.advance(by: 1)
        fail(ENOMEM)
        #expect(counter.totalValue == 4)
        #expect(log.lines.count == 2)
        // The pauses make no other handles.
        channel.embeddedEventLoop.advanceTime(by: AcceptErrorHandler.pause)
        #expect(metrics.counters(label: "auth_limits").count == 1)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `a connection that was gone before it was accepted is no such error`() throws {
        let metrics = TestMetrics()
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            AcceptErrorHandler(logger: MetadataRecorder().logger, metricsFactory: metrics))
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNABORTED, reason: "accept"))
        #expect(throws: IOError.self) { try channel.throwIfErrorCaught() }
        #expect(metrics.counterTotal(label: "auth_limits") == 0)
        _ = try channel.finish(acceptAlreadyClosed: true)
    }
}
