// SPDX-License-Identifier: Apache-2.0

import Logging
import OpenIDConnect
import Synchronization
import TestingSupport

/// Every line a logger wrote, at any level, with its metadata.
final class CapturedLog: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
        let text: String
    }

    private let storage = Mutex<[Line]>([])

    var lines: [Line] { storage.withLock { $0 } }

    /// All lines as one text.
    var text: String { lines.map(\.text).joined(separator: "\n") }

    /// `auth.outcome` of the lines that have one, in their order.
    var outcomes: [String] { lines.compactMap { $0.metadata["auth.outcome"] } }

    /// A logger whose lines are recorded here.
    var logger: Logger {
        .recording { [self] event in
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            let pairs = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let error = event.error.map { ["\($0)"] } ?? []
            let line = Line(
                level: event.level, message: "\(event.message)", metadata: metadata,
                text: (["\(event.message)"] + pairs + error).joined(separator: " "))
            storage.withLock { $0.append(line) }
        }
    }
}
