// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A logger whose lines a test can count.
final class WarningRecorder: Sendable {
    private let storage = Mutex<[String]>([])

    /// The messages so far, each with its metadata.
    var lines: [String] { storage.withLock { $0 } }

    /// A logger whose lines are recorded here.
    var logger: Logger { Logger(label: "test") { _ in Handler(recorder: self) } }

    private struct Handler: LogHandler {
        let recorder: WarningRecorder
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        func log(event: LogEvent) {
            recorder.storage.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}
