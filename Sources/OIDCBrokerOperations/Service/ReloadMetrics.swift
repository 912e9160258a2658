// SPDX-License-Identifier: Apache-2.0

package import Metrics

/// What an operator is told about reloads.
package struct ReloadMetrics: Sendable {
    private let valid: Gauge
    private let restartNeeded: Gauge
    private let applied: Counter
    private let refused: Counter

    /// Creates the metrics of a configuration that was just started with.
    package init(factory: any MetricsFactory = MetricsSystem.factory) {
        valid = Gauge(label: "auth_configuration_valid", factory: factory)
        restartNeeded = Gauge(label: "auth_configuration_restart_needed", factory: factory)
        applied = Counter(label: "auth_reloads", dimensions: [("outcome", "applied")], factory: factory)
        refused = Counter(label: "auth_reloads", dimensions: [("outcome", "refused")], factory: factory)
        setValid(true)
        setRestartNeeded(false)
    }

    /// Records whether the configuration in the files can be used.
    package func setValid(_ isValid: Bool) { valid.record(isValid ? 1 : 0) }

    /// Records whether the configuration in the files contains a change that needs a restart.
    package func setRestartNeeded(_ isNeeded: Bool) { restartNeeded.record(isNeeded ? 1 : 0) }

    /// Counts a configuration that was applied.
    package func countApplied() { applied.increment() }

    /// Counts a configuration that was refused.
    package func countRefused() { refused.increment() }
}
