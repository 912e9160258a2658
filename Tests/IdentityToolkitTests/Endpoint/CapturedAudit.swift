// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization
import TestingSupport

/// The lines of an audit.
final class CapturedAudit: Sendable {
    private let storage = Mutex<[(message: String, metadata: [String: String])]>([])

    var lines: [(message: String, metadata: [String: String])] { storage.withLock { $0 } }
    var text: String { lines.map { "\($0.message) \($0.metadata)" }.joined(separator: "\n") }

    var logger: Logger {
        .recording("auth.audit") { [self] event in
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            storage.withLock { $0.append((event.message.description, metadata)) }
        }
    }
}
