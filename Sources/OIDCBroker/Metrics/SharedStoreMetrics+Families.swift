// SPDX-License-Identifier: Apache-2.0

import Metrics
import OIDCBrokerRecords
import SingleUse

extension SharedStoreMetrics {
    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped.
    init(factory: (any MetricsFactory)?) {
        let operations = CounterFamily("auth_store_operations", ["operation", "outcome"], factory: factory)
        let retries = CounterFamily("auth_store_retries", ["operation"], factory: factory)
        let unconfirmed = CounterFamily("auth_store_unconfirmed", ["operation"], factory: factory)
        let durations = TimerFamily("auth_store_operation_duration_seconds", ["operation"], factory: factory)
        self.init(
            operation: { operations.increment($0, $1) }, retry: { retries.increment($0) },
            unconfirmed: { unconfirmed.increment($0) }, duration: { durations.record($1, $0) })
    }
}
