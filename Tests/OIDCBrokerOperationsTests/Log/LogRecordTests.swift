// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import NIOCore
import OIDCBroker
import Testing

@testable import OIDCBrokerOperations

/// Lines that become text on the thread that writes.
struct LogRecordTests {
    private func record(_ outcome: String) -> LogRecord {
        .event(AuditEvent(.start, outcome: outcome), LogTime(seconds: 0))
    }

    private func text(_ outcome: String) -> String {
        #"{"time":"1970-01-01T00:00:00.000Z","event":"start","auth.outcome":"\#(outcome)"}"# + "\n"
    }

    private func batches(_ records: [LogRecord], batchBytes: Int) -> [String] {
        var batches: [String] = []
        records.forEachBatch(batchBytes: batchBytes) { batch in
            let text = String(decoding: batch.bytes, as: UTF8.self)
            batches.append(text)
            #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == batch.count)
        }
        return batches
    }

    @Test func `lines are written at once, up to the size of a batch`() {
        let size = text("a").utf8.count
        let records = ["a", "b", "c", "d", "e"].map { record($0) }
        #expect(batches([], batchBytes: 999) == [])
        #expect(batches(records, batchBytes: 0) == ["a", "b", "c", "d", "e"].map { text($0) })
        #expect(
            batches(records, batchBytes: 2 * size)
                == [text("a") + text("b"), text("c") + text("d"), text("e")])
        #expect(batches(records, batchBytes: 3 * size - 1).count == 3)
        #expect(batches(records, batchBytes: 5 * size).count == 1)
    }

    @Test func `what it counts for is more than it takes, and lines of the maximum number do not reach the limit`() {
        // The texts of a request that are not in the line itself.
        let texts = 128 + 43
        #expect(MemoryLayout<LogRecord>.stride + texts < LogRecord.byteCount)
        #expect(LogQueue.lineLimit * LogRecord.byteCount <= LogQueue.byteLimit)
    }

    @Test func `those that cannot be written are counted, and reported before the next one`() {
        let output = RecordingOutput(batchBytes: 4_096)
        let metrics = TestMetrics()
        let queue = LogQueue(testing: output, metrics: metrics)
        output.fail(LogFailure("write", 28))
        for _ in 0..<3 { #expect(queue.enqueue(record("a"))) }
        #expect(queue.flush(within: .seconds(60)))
        #expect(metrics.droppedLines == 3)
        output.fail(nil)
        #expect(queue.enqueue(record("b")))
        #expect(queue.end(within: .seconds(60)))
        #expect(output.lines == ["dropped 3", String(text("b").dropLast())])
        #expect(!queue.enqueue(record("c")))
        #expect(metrics.droppedLines == 4)
    }
}
