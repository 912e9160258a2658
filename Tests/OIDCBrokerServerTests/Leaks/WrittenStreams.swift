// SPDX-License-Identifier: Apache-2.0

import Foundation
import InMemoryTracing
import Logging
import NIOCore
import OIDCBrokerOperations
import OpenIDRelyingParty
import Synchronization
import Tracing

/// Everything that a server writes for operators: the log at `trace`, the audit, the access lines and the metrics, each by
/// the code that writes it in production, and the spans.
struct WrittenStreams: Sendable {
    /// Lines in memory.
    private final class Memory: LogOutput {
        private let bytes = Mutex<[UInt8]>([])

        var batchBytes: Int { 0 }
        var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

        func write(_ lines: LineBatch) -> LogWriteResult {
            bytes.withLock { $0 += lines.bytes }
            return LogWriteResult(written: lines.count)
        }
    }

    let metrics = PrometheusMetrics(logger: .quiet)
    let tracer = InMemoryTracer()
    private let log: MainLog
    private let access: MainLog
    private let audit: AuditLog
    private let logMemory = Memory()
    private let accessMemory = Memory()
    private let auditPath: String

    init(in directory: TemporaryDirectory) throws {
        auditPath = directory.file("audit.jsonl")
        log = MainLog(.json, level: LogLevel(.trace), output: logMemory, factory: metrics)
        access = MainLog(.text, level: LogLevel(.trace), output: accessMemory, factory: metrics)
        audit = try AuditLog(path: auditPath, log: .quiet, factory: metrics)
    }

    var logger: Logger { log.logger(label: "oidc-broker") }
    var accessLogger: Logger { access.logger(label: "auth.access") }
    var auditLogger: Logger { audit.logger() }

    /// The texts so far, by name.
    func texts() throws -> [(name: String, text: String)] {
        for isFlushed in [
            log.flush(within: .seconds(30)), access.flush(within: .seconds(30)), audit.flush(within: .seconds(30)),
        ] {
            guard isFlushed else { throw NotFlushed() }
        }
        let formats: [ExpositionFormat] = [.prometheus, .openMetrics]
        let exposed = formats.map { String(decoding: metrics.exposition($0, scraped: []), as: UTF8.self) }
        return [
            ("log", logMemory.text), ("access", accessMemory.text),
            ("audit", try String(contentsOfFile: auditPath, encoding: .utf8)),
            ("metrics", exposed.joined(separator: "\n")), ("spans", spans),
        ]
    }

    /// Everything that the spans say.
    private var spans: String {
        let finished = tracer.finishedSpans.map { span -> String in
            var parts = [span.operationName, "\(span.events)", "\(span.errors)", span.status?.message ?? ""]
            span.attributes.forEach { parts.append("\($0)=\($1)") }
            return parts.joined(separator: " ")
        }
        let injected = tracer.performedContextInjections.map { "\($0.values)" }
        return (finished + injected).joined(separator: "\n")
    }

    /// Ends the threads that write.
    func end() {
        audit.end(within: .seconds(1))
        access.end(within: .seconds(1))
        log.end(within: .seconds(1))
    }

    struct NotFlushed: Error {}
}
