// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import MetricsTestKit
import NIOCore
import OIDCBrokerTesting
import Testing

@testable import OIDCBrokerOperations

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The audit as a whole.
struct AuditLogTests {
    private static let long = TimeAmount.seconds(60)
    private static let now: @Sendable () -> LogTime = { LogTime(seconds: 1_790_000_000) }

    private let metrics = TestMetrics()
    private let clock = TestClock()
    private let mainOutput = RecordingOutput()
    private let mainLog: MainLog

    init() {
        mainLog = MainLog(
            .text, level: LogLevel(.info), output: mainOutput, factory: TestMetrics(), now: Self.now)
    }

    private func audit(on output: any LogOutput) -> AuditLog {
        AuditLog(
            file: nil, output: output, log: mainLog.logger(label: "oidc-broker"), elapsed: clock.elapsed,
            factory: metrics, now: Self.now)
    }

    private func audit(path: String) throws -> AuditLog {
        try AuditLog(
            path: path, log: mainLog.logger(label: "oidc-broker"), elapsed: clock.elapsed, factory: metrics,
            now: Self.now)
    }

    /// What the main log says, without the times.
    private func told() -> [String] {
        #expect(mainLog.flush(within: Self.long))
        return mainOutput.lines.map { String($0.dropFirst("2026-09-21T14:13:20.000Z ".count)) }
    }

    @Test func `an event is one object in one line, whatever level is set`() throws {
        let folder = try LogFolder()
        let audit = try audit(path: folder.file("audit"))
        var logger = audit.logger()
        logger.logLevel = .critical
        logger[metadataKey: "auth.app"] = "web"
        logger.trace("start", metadata: ["auth.provider": "google"])
        logger.info("call\nback", metadata: ["auth.outcome": "signed_in"])
        #expect(logger.label == "auth.audit")
        #expect(audit.end(within: Self.long))
        let begin = "{\"time\":\"2026-09-21T14:13:20.000Z\",\"event\":"
        let expected = [
            begin + "\"start\",\"auth.app\":\"web\",\"auth.provider\":\"google\"}\n",
            begin + "\"call\\nback\",\"auth.app\":\"web\",\"auth.outcome\":\"signed_in\"}\n",
        ].joined()
        #expect(try folder.text("audit") == expected)
        #expect(told() == [])
    }

    @Test func `lines that are lost are counted, and told once a second`() {
        let output = RecordingOutput()
        let audit = audit(on: output)
        let logger = audit.logger()
        func log(_ count: Int) {
            for _ in 0..<count { logger.info("event") }
            #expect(audit.flush(within: Self.long))
        }
        log(1)
        output.fail(LogFailure("write", ENOSPC))
        log(1)
        log(4)
        #expect(told().count == 1)
        clock.advance(by: 1)
        log(1)
        output.fail(nil)
        clock.advance(by: 1)
        log(2)
        let lines = told()
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("error cannot write the audit auth.detail=\"write: ") == true)
        #expect(lines.last?.hasPrefix("notice audit writable again auth.lines=") == true)
        // The reports of dropped lines that failed are writes too.
        #expect(metrics.counterTotal(label: "auth_audit_writes_failed") >= 6)
        #expect(
            metrics.counterTotal(label: "auth_log_lines_dropped", dimensions: [("log", "audit")]) == 6)
        #expect(output.lines.count == 4)
        #expect(output.lines.dropFirst().first?.contains("\"event\":\"lines were dropped\",\"auth.lines\":6}") == true)
    }

    @Test func `an audit that is stuck holds up nothing`() {
        let output = RecordingOutput(isHeld: true)
        let audit = audit(on: output)
        let logger = audit.logger()
        logger.info("held")
        output.waitUntilHeld()
        for _ in 0..<LogQueue.lineLimit { logger.info("event") }
        #expect(metrics.counterTotal(label: "auth_log_lines_dropped", dimensions: [("log", "audit")]) > 0)
        #expect(!audit.flush(within: .milliseconds(1)))
        output.release()
        #expect(audit.end(within: Self.long))
    }

    @Test func `reopening makes the new file at once, on the thread of the audit`() throws {
        let folder = try LogFolder()
        let audit = try audit(path: folder.file("audit"))
        audit.logger().info("one")
        #expect(audit.flush(within: Self.long))
        #expect(rename(folder.file("audit"), folder.file("audit.1")) == 0)
        audit.reopen()
        let isDone = DispatchSemaphore(value: 0)
        audit.queue.onThread { isDone.signal() }
        isDone.wait()
        #expect(folder.mode("audit") == 0o640)
        audit.logger().info("two")
        #expect(audit.end(within: Self.long))
        #expect(try folder.text("audit.1").contains("\"one\""))
        #expect(try folder.text("audit").contains("\"two\""))
    }

    @Test func `a reopening that fails is told`() throws {
        let folder = try LogFolder()
        let audit = try audit(path: folder.file("audit"))
        folder.remove()
        audit.reopen()
        let isDone = DispatchSemaphore(value: 0)
        audit.queue.onThread { isDone.signal() }
        isDone.wait()
        #expect(told().first?.hasPrefix("error cannot write the audit auth.detail=\"open: ") == true)
        #expect(metrics.counterTotal(label: "auth_audit_writes_failed") == 0)
    }

    @Test func `a file that cannot be opened is reported at the start`() throws {
        let folder = try LogFolder()
        #expect(throws: LogFailure("open", ENOENT)) { try audit(path: folder.file("no/audit")) }
        #expect(LogFailure("open", ENOENT).description.hasPrefix("open: "))
    }
}
