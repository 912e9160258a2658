// SPDX-License-Identifier: Apache-2.0

package import Admission
package import Logging
package import Metrics
package import NIOCore
import OIDCBrokerRecords

/// The log of the process: the format, the level and the queue that its loggers share.
package final class MainLog: Sendable {
    /// The label of the line about lines that were dropped.
    private static let label = "oidc-broker"

    /// The minimum level, which can be changed at any time.
    package let level: LogLevel
    private let format: LogFormat
    private let queue: LogQueue
    private let now: @Sendable () -> LogTime

    /// Creates a log, and starts the thread that writes it.
    /// - Parameters:
    ///   - format: How lines are written.
    ///   - level: The minimum level.
    ///   - output: What lines are written to.
    ///   - factory: What makes the counter of lines that were dropped. It is made here: set the metrics system first.
    ///   - now: The wall clock.
    package init(
        _ format: LogFormat, level: LogLevel, output: any LogOutput = DescriptorOutput.standardError,
        factory: any MetricsFactory = MetricsSystem.factory, now: @escaping @Sendable () -> LogTime = LogTime.now
    ) {
        self.format = format
        self.level = level
        self.now = now
        queue = LogQueue(output, log: .main, factory: factory) { count in
            var line = LogLine(
                format, time: now(), level: .warning, logger: Self.label, message: "log lines were dropped")
            line.append(["auth.lines": .stringConvertible(count)])
            return line.end()
        }
    }

    /// Counts the memory of waiting lines in a budget from now on.
    package func count(in budget: MemoryBudget) { queue.count(in: budget) }

    /// Returns a handler of this log, for `LoggingSystem.bootstrap` or a logger's own factory.
    package func handler(label: String, metadataProvider: Logger.MetadataProvider? = nil) -> LogWriter {
        LogWriter(label: label, log: self, metadataProvider: metadataProvider)
    }

    /// Returns a logger that writes here. Do not set its level, which would no longer change with ``level``.
    package func logger(label: String) -> Logger {
        Logger(label: label) { self.handler(label: $0) }
    }

    func write(_ event: LogEvent, metadata: Logger.Metadata, label: String) {
        var line = LogLine(
            format, time: now(), level: event.level, logger: label, message: event.message.description)
        line.append(metadata)
        queue.enqueue(line.end())
    }

    /// Returns what the lines about requests of a logger have in common.
    func requestLines(label: String) -> RequestLineTemplate {
        RequestLineTemplate(format, label: label)
    }

    func write(_ request: AccessLine, _ template: RequestLineTemplate) {
        queue.enqueue(.request(request, now(), template))
    }

    /// Waits until all lines so far are written. It blocks.
    /// - Returns: Whether they were within the time.
    @discardableResult
    package func flush(within time: TimeAmount) -> Bool { queue.flush(within: time) }

    /// Ends the log: waits until all lines are written, and drops further ones. It blocks; call it last.
    /// - Returns: Whether all were written within the time.
    @discardableResult
    package func end(within time: TimeAmount) -> Bool { queue.end(within: time) }
}
