// SPDX-License-Identifier: Apache-2.0

package import Metrics
package import SingleUse

extension SharedStoreMetrics {
    /// Creates the metrics of a store in the metrics system.
    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped.
    package init(factory: (any MetricsFactory)?) {
        let operations = CounterFamily("auth_store_operations", ["operation", "outcome"], factory: factory)
        let retries = CounterFamily("auth_store_retries", ["operation"], factory: factory)
        let unconfirmed = CounterFamily("auth_store_unconfirmed", ["operation"], factory: factory)
        let durations = TimerFamily("auth_store_operation_duration_seconds", ["operation"], factory: factory)
        self.init(
            operation: { operations.increment($0, $1) }, retry: { retries.increment($0) },
            unconfirmed: { unconfirmed.increment($0) }, duration: { durations.record($1, $0) })
    }
}
