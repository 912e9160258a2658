// SPDX-License-Identifier: Apache-2.0

import Logging
import OpenIDConnect
import Synchronization

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

    var logger: Logger {
        var logger = Logger(label: "test") { _ in CapturingLogHandler(log: self) }
        logger.logLevel = .trace
        return logger
    }

    func append(_ line: Line) { storage.withLock { $0.append(line) } }
}

private struct CapturingLogHandler: LogHandler {
    let log: CapturedLog
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .trace
    var metadataProvider: Logger.MetadataProvider?

    init(log: CapturedLog) { self.log = log }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all: [String: String] = [:]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }) { all[key] = "\(value)" }
        let pairs = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let error = event.error.map { ["\($0)"] } ?? []
        log.append(
            CapturedLog.Line(
                level: event.level, message: "\(event.message)", metadata: all,
                text: (["\(event.message)"] + pairs + error).joined(separator: " ")))
    }
}
