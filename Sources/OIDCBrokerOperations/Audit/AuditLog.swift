// SPDX-License-Identifier: Apache-2.0

package import Admission
package import Logging
package import Metrics
package import NIOCore
import OIDCBrokerRecords
package import OpenIDRelyingParty

/// The audit: one JSON object a line, appended to a file or written to standard output by a thread of its own.
///
/// A problem with it stops no sign-in. A line that cannot be written is counted as
/// `auth_audit_writes_failed`, and the main log says so once a second at most.
package final class AuditLog: Sendable {
    /// The label of the loggers whose lines belong here.
    package static let label = "auth.audit"
    /// The path that stands for standard output.
    package static let standardOutput = "-"

    private let file: AuditFile?
    private let output: AuditOutput
    /// Internal, so that a test can wait for its thread.
    let queue: LogQueue
    private let now: @Sendable () -> LogTime

    /// Opens the audit, and starts the thread that writes it. It blocks.
    /// - Parameters:
    ///   - path: The path of a file, which is made with mode 0640 if there is none, or ``standardOutput``.
    ///   - log: The main log, for problems with the audit.
    ///   - elapsed: The clock of the one second.
    ///   - factory: What makes the counters. They are made here: set the metrics system first.
    ///   - now: The wall clock.
    /// - Throws: ``LogFailure`` if the file cannot be opened or made.
    package convenience init(
        path: String, log: Logger, elapsed: any ElapsedClock = SystemElapsedClock(),
        factory: any MetricsFactory = MetricsSystem.factory, now: @escaping @Sendable () -> LogTime = LogTime.now
    ) throws(LogFailure) {
        let file: AuditFile? = try path == Self.standardOutput ? nil : AuditFile(path: path)
        let output: any LogOutput = if let file { file } else { DescriptorOutput.standardOutput }
        self.init(file: file, output: output, log: log, elapsed: elapsed, factory: factory, now: now)
    }

    init(
        file: AuditFile?, output: any LogOutput, log: Logger, elapsed: any ElapsedClock, factory: any MetricsFactory,
        now: @escaping @Sendable () -> LogTime
    ) {
        self.file = file
        self.now = now
        let watched = AuditOutput(output, log: log, elapsed: elapsed, factory: factory)
        self.output = watched
        queue = LogQueue(watched, log: .audit, factory: factory) { count in
            var line = LogLine(event: "lines were dropped", time: now())
            line.append(["auth.lines": .stringConvertible(count)])
            return line.end()
        }
    }

    /// Returns why the user of this process could not open the audit at a path; `nil` if it could, as far as permissions
    /// say. Nothing is opened, and no file is made.
    package static func failure(atPath path: String) -> LogFailure? {
        path == standardOutput ? nil : AppendedFile.failure(atPath: path)
    }

    /// Counts the memory of waiting lines in a budget from now on.
    package func count(in budget: MemoryBudget) { queue.count(in: budget) }

    /// Returns a handler that writes here, for `LoggingSystem.bootstrap` or a logger's own factory.
    package func handler(metadataProvider: Logger.MetadataProvider? = nil) -> AuditHandler {
        AuditHandler(audit: self, metadataProvider: metadataProvider)
    }

    /// Returns a logger that writes here.
    package func logger() -> Logger {
        Logger(label: Self.label) { _ in self.handler() }
    }

    /// Opens the file again by its path, for instance on SIGHUP after it was rotated. It does not block: the thread that
    /// writes does it. The file in use stays in use if that fails, and it is tried again before the next line.
    package func reopen() {
        guard let file else { return }
        file.reopen()
        // Not only before the next line: the old file can be large, and is not freed before.
        queue.onThread { [output] in
            guard let failure = file.reopenIfWanted() else { return }
            output.note(LogWriteResult(written: 0, failure: failure), of: 0)
        }
    }

    func write(_ event: AuditEvent) { queue.enqueue(.event(event, now())) }

    func write(_ event: LogEvent, metadata: Logger.Metadata) {
        var line = LogLine(event: event.message.description, time: now())
        line.append(metadata)
        queue.enqueue(line.end())
    }

    /// Waits until all lines so far are written, or given up. It blocks.
    /// - Returns: Whether they were within the time.
    @discardableResult
    package func flush(within time: TimeAmount) -> Bool { queue.flush(within: time) }

    /// Ends the audit: waits until all lines are written, and drops further ones. It blocks; call it before the main
    /// log's end.
    /// - Returns: Whether all were written, or given up, within the time.
    @discardableResult
    package func end(within time: TimeAmount) -> Bool { queue.end(within: time) }
}
