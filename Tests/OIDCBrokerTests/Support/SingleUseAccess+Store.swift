// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerRecords

extension SingleUseAccess {
    /// The access to a store: without a future to one in memory, and as to a shared one to any other.
    static func of(_ store: any SingleUseStore) -> SingleUseAccess {
        if let store = store as? InMemorySingleUseStore { return SingleUseAccess(.immediate(store)) }
        return SingleUseAccess(
            .shared(
                SharedStore(
                    store, clock: TestClock(), metrics: SharedStoreMetrics(factory: nil), logger: CapturedLog().logger))
        )
    }
}

extension SharedStore {
    /// Creates the access to a store with a budget of its own.
    convenience init(
        _ base: any SingleUseStore, clock: any UnixClock, metrics: SharedStoreMetrics, logger: Logger
    ) {
        self.init(base, clock: clock, memory: MemoryBudget(bytes: 256 << 20), metrics: metrics, logger: logger)
    }
}
