// SPDX-License-Identifier: Apache-2.0

import Logging
import MetricsTestKit
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import Synchronization
import TestingSupport

@testable import OIDCBroker
@testable import SingleUse

/// What tests need of operations that standbys do not confirm: a loop whose time they advance, and what is counted and
/// logged meanwhile.
struct UnconfirmedFixture {
    let eventLoop = EmbeddedEventLoop()
    let metrics = TestMetrics()
    let log = CapturedLog()
    let key = SingleUseKey(.login, [1])

    func access(_ store: any SingleUseStore) -> SingleUseAccess {
        SingleUseAccess(
            .shared(
                SharedStore(
                    store, clock: TestClock(), metrics: SharedStoreMetrics(factory: metrics), logger: log.logger)))
    }

    /// What a future has come to; `nil` if it is not complete.
    func result<Value: Sendable>(_ future: EventLoopFuture<Value>) -> Result<Value, any Error>? {
        let done = Mutex<Result<Value, any Error>?>(nil)
        future.whenComplete { result in done.withLock { $0 = result } }
        return done.withLock { $0 }
    }

    /// How many of an operation were not confirmed.
    func count(_ operation: String) -> Int64 {
        (try? metrics.expectCounter("auth_store_unconfirmed", [("operation", operation)]))?.totalValue ?? 0
    }
}

/// A store of which only what standbys confirm is asked for: it holds no value and knows no claim.
protocol ConfirmationStore: SingleUseStore {}

extension ConfirmationStore {
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
