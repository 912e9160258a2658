// SPDX-License-Identifier: Apache-2.0

import Metrics
import Synchronization

/// The labels and dimensions of every counter that was incremented in this process, once for each increment.
///
/// The metrics system can be set once a process: nothing else in the tests may set it.
final class CapturedMetrics: MetricsFactory {
    /// The one that is set.
    static let shared: CapturedMetrics = {
        let metrics = CapturedMetrics()
        MetricsSystem.bootstrap(metrics)
        return metrics
    }()

    private let storage = Mutex<[String]>([])

    /// One text for each increment.
    var counters: [String] { storage.withLock { $0 } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let text = label + " " + dimensions.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        return Increments(text: text, metrics: self)
    }

    private final class Increments: CounterHandler {
        private let text: String
        private let metrics: CapturedMetrics

        init(text: String, metrics: CapturedMetrics) {
            self.text = text
            self.metrics = metrics
        }

        func increment(by amount: Int64) { metrics.storage.withLock { $0.append(text) } }
        func reset() {}
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
