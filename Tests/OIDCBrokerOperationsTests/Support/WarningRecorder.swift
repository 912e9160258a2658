// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TestingSupport

/// A logger whose lines a test can count.
final class WarningRecorder: Sendable {
    private let storage = Mutex<[String]>([])

    /// The messages so far, each with its metadata.
    var lines: [String] { storage.withLock { $0 } }

    /// A logger whose lines are recorded here.
    var logger: Logger {
        .recording { [self] event in
            let line = "\(event.message) \(event.metadata ?? [:])"
            storage.withLock { $0.append(line) }
        }
    }
}
