// SPDX-License-Identifier: Apache-2.0

package import Metrics
import OIDCBrokerRecords

/// What serves a broker's connections counts where the broker counts.
extension Broker {
    /// The metrics system that the broker was given; without one, that which is bootstrapped by now.
    package var metricsFactory: any MetricsFactory { services.metrics.factory }

    /// Counts a request whose forwarding field, of a trusted proxy, names no client that can be read.
    package func countUnreadableForwarding() { services.metrics.unreadableForwarding.increment() }
}
