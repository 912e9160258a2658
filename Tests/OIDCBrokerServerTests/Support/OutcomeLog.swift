// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TestingSupport

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
        .recording { [self] event in
            guard let label = event.metadata?["auth.outcome"] else { return }
            let detail = (event.metadata?["auth.detail"].map { "\($0)" } ?? "").filter { $0 != "\"" }
            let outcome = Outcome(label: "\(label)", detail: detail == "none" ? "" : detail)
            storage.withLock { $0.append(outcome) }
        }
    }
}
