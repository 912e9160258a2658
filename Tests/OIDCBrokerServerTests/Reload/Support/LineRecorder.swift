// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A recorder of log lines with their level.
final class LineRecorder: Sendable {
    /// One line.
    struct Line: Sendable, Hashable {
        let level: Logger.Level
        let message: String
        /// `auth.changed`.
        var changed: String?
    }

    private let storage = Mutex<[Line]>([])

    /// All of them, in their order.
    var lines: [Line] { storage.withLock { $0 } }

    /// Returns all of them, and forgets them.
    func take() -> [Line] {
        storage.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// A logger whose lines are recorded here.
    var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    private struct Handler: LogHandler {
        let recorder: LineRecorder
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        init(recorder: LineRecorder) { self.recorder = recorder }

        func log(event: LogEvent) {
            let line = Line(
                level: event.level, message: event.message.description,
                changed: event.metadata?["auth.changed"].map { "\($0)" })
            recorder.storage.withLock { $0.append(line) }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
