// SPDX-License-Identifier: Apache-2.0

import Logging
import Metrics
import OpenIDRelyingParty
import Synchronization

/// The file of an audit, or standard output. Problems with it are counted and reported in the main log.
final class AuditOutput: LogOutput {
    private let output: any LogOutput
    private let log: Logger
    private let elapsed: any ElapsedClock
    private let failed: Counter
    private let state = Mutex(StateMachine())

    init(_ output: any LogOutput, log: Logger, elapsed: any ElapsedClock, factory: any MetricsFactory) {
        self.output = output
        self.log = log
        self.elapsed = elapsed
        failed = Counter(label: "auth_audit_writes_failed", factory: factory)
    }

    var batchBytes: Int { output.batchBytes }

    func write(_ lines: LineBatch) -> LogWriteResult {
        let result = output.write(lines)
        note(result, of: lines.count)
        return result
    }

    /// Counts what was not written of so many lines, and tells it.
    func note(_ result: LogWriteResult, of count: Int) {
        let lost = max(0, count - result.written)
        if lost > 0 { failed.increment(by: lost) }
        let now = elapsed.now()
        switch state.withLock({ $0.note(lost: lost, result.failure, now: now) }) {
        case .failed(let lines, let failure):
            log.error(
                "cannot write the audit",
                metadata: ["auth.lines": .stringConvertible(lines), "auth.detail": .string(failure.description)])
        case .recovered(let lines):
            log.notice("audit writable again", metadata: ["auth.lines": .stringConvertible(lines)])
        case nil:
            break
        }
    }
}
