// SPDX-License-Identifier: Apache-2.0

package import Metrics
package import NIOCore

/// The timers of one metric.
package struct TimerFamily: Sendable {
    private let kept: KeptHandles<Timer>

    /// - Parameter factory: The metrics system; `nil` for the one that is bootstrapped when a timer is first used.
    package init(_ label: String, _ names: [String], factory: (any MetricsFactory)?) {
        kept = KeptHandles(names) { dimensions in
            Timer(label: label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        }
    }

    /// Records a duration.
    package func record(_ duration: TimeAmount, _ first: String = "", _ second: String = "") {
        kept.handle(first, second, "").recordNanoseconds(max(0, duration.nanoseconds))
    }
}
