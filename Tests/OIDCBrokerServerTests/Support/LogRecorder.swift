// SPDX-License-Identifier: Apache-2.0

import Logging

/// A recorder of log lines, for which one test at a time can wait.
final class LogRecorder: Sendable {
    /// A line that did not come before the recorder went.
    struct Missing: Error {
        let message: String
    }

    private let messages: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (messages, continuation) = AsyncStream.makeStream(of: String.self)
    }

    /// A logger whose lines are recorded here.
    var logger: Logger {
        Logger(label: "test") { _ in Handler(continuation: self.continuation) }
    }

    /// Waits for the next line that begins so. Lines before it are forgotten.
    func wait(forPrefix prefix: String) async throws {
        for await message in messages where message.hasPrefix(prefix) { return }
        throw Missing(message: prefix)
    }

    private struct Handler: LogHandler {
        let continuation: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var metadataProvider: Logger.MetadataProvider?
        var logLevel = Logger.Level.trace

        func log(event: LogEvent) {
            continuation.yield(event.message.description)
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}

extension Logger {
    /// A logger that discards everything.
    static var quiet: Logger { Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() } }
}
