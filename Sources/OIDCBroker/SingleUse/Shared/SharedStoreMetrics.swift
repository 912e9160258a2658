// SPDX-License-Identifier: Apache-2.0

import Metrics
import NIOCore
import OIDCBrokerRecords

/// What is counted and measured of a store outside of this process.
final class SharedStoreMetrics: Sendable {
    /// Operations, by `operation` and `outcome`.
    let operations: CounterFamily
    /// Tries after the first one, by `operation`.
    let retries: CounterFamily
    /// Operations that fewer standbys than required confirmed in the end, by `operation`.
    let unconfirmed: CounterFamily
    /// The time of an operation with all its tries, by `operation`.
    let duration: TimerFamily

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped.
    init(factory: (any MetricsFactory)?) {
        operations = CounterFamily("auth_store_operations", ["operation", "outcome"], factory: factory)
        retries = CounterFamily("auth_store_retries", ["operation"], factory: factory)
        unconfirmed = CounterFamily("auth_store_unconfirmed", ["operation"], factory: factory)
        duration = TimerFamily("auth_store_operation_duration_seconds", ["operation"], factory: factory)
    }
}
