// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// The logged outcomes of callbacks and of failed starts.
final class OutcomeLog: Sendable {
    /// One line.
    struct Outcome: Sendable, Hashable {
        /// `auth.outcome`.
        let label: String
        /// `auth.detail` without its quotes; empty where there is none.
        let detail: String
    }

    private let storage = Mutex<[Outcome]>([])

    /// All of them, in their order.
    var outcomes: [Outcome] { storage.withLock { $0 } }

    /// A logger whose lines are recorded here.
    var logger: Logger {
        var logger = Logger(label: "test") { _ in Handler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    private struct Handler: LogHandler {
        let log: OutcomeLog
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        init(log: OutcomeLog) { self.log = log }

        func log(event: LogEvent) {
            guard let label = event.metadata?["auth.outcome"] else { return }
            let detail = (event.metadata?["auth.detail"].map { "\($0)" } ?? "").filter { $0 != "\"" }
            log.storage.withLock {
                $0.append(Outcome(label: "\(label)", detail: detail == "none" ? "" : detail))
            }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
