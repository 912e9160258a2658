// SPDX-License-Identifier: Apache-2.0

package import Logging

/// A log handler that hands each line, whatever its level, to a closure.
package struct RecordingLogHandler: LogHandler {
    /// The metadata of the logger, which each line has too.
    package var metadata: Logger.Metadata = [:]
    /// What would add metadata to each line; it is not asked.
    package var metadataProvider: Logger.MetadataProvider?
    /// The lowest level that is recorded: the lowest there is.
    package var logLevel = Logger.Level.trace
    private let record: @Sendable (LogEvent) -> Void

    /// Creates a handler.
    package init(_ record: @escaping @Sendable (LogEvent) -> Void) { self.record = record }

    /// Hands a line to the closure.
    package func log(event: LogEvent) {
        var event = event
        event.metadata = metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 })
        record(event)
    }

    /// A value of the logger's metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

extension Logger {
    /// Makes a logger that hands each line, whatever its level, to a closure.
    package static func recording(
        _ label: String = "test", _ record: @escaping @Sendable (LogEvent) -> Void
    ) -> Logger {
        Logger(label: label) { _ in RecordingLogHandler(record) }
    }
}
