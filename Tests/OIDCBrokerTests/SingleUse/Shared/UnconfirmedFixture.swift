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
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState
@testable import SingleUse

/// What tests need of operations that standbys do not confirm: a loop whose time they advance, and what is counted and
/// logged meanwhile.
struct UnconfirmedFixture {
    let eventLoop = EmbeddedEventLoop()
    let metrics = TestMetrics()
    let log = CapturedLog()
    let key = SingleUseKey(.login, [1])
    /// The key of a value.
    let valueKey = SingleUseKey(.handOff, [1])

    func access(_ store: any SingleUseStore) -> SingleUseAccess {
        SingleUseAccess(
            .shared(
                SharedStore(
                    store, clock: TestClock(), metrics: SharedStoreMetrics(factory: metrics), logger: log.logger)))
    }

    /// A store in which every attempt wins, a value waits for a take, and no standby confirms anything.
    func store() throws -> FaultyStore {
        let reference = ReferenceStore(.everybodyWins)
        _ = try reference.put(valueKey, value: [7], owner: nil, lifetime: .seconds(60), on: eventLoop).wait()
        let store = FaultyStore(reference)
        store.follow(.isUnconfirmed)
        return store
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
