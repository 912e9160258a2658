// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import NIOCore
import OIDCBroker
import Testing

@testable import OIDCBrokerOperations
@testable import OIDCBrokerRecords

/// Lines that become text on the thread that writes.
struct LogRecordTests {
    private func record(_ outcome: String) -> LogRecord {
        .event(AuditEvent(.started, outcome: outcome), LogTime(seconds: 0))
    }

    private func text(_ outcome: String) -> String {
        #"{"time":"1970-01-01T00:00:00.000Z","event":"started","auth.outcome":"\#(outcome)"}"# + "\n"
    }

    /// The batches of lines; some are text; `nil` ends what was taken at once.
    private func batches(_ lines: [LogRecord?], batchBytes: Int) -> [String] {
        var batches: [String] = []
        var assembly = BatchAssembly(batchBytes: batchBytes)
        func write(_ batch: LineBatch, _ byteCount: Int) {
            let text = String(decoding: batch.bytes, as: UTF8.self)
            batches.append(text)
            #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == batch.count)
            #expect(batch.end(of: batch.count) == batch.bytes.count)
            #expect(byteCount == batch.count * LogRecord.byteCount)
        }
        for taken in lines.split(separator: nil, omittingEmptySubsequences: false) {
            assembly.append(taken.compactMap { $0 }, write)
            assembly.end(write)
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
        #expect(batches([record("a"), nil, record("b")], batchBytes: 999) == [text("a"), text("b")])
    }

    @Test func `lines of both kinds are written at once`() {
        var written: [(text: String, byteCount: Int)] = []
        var assembly = BatchAssembly(batchBytes: 2 * text("a").utf8.count)
        func write(_ batch: LineBatch, _ byteCount: Int) {
            written.append((String(decoding: batch.bytes, as: UTF8.self), byteCount))
        }
        let (first, second) = (LineBatch([[1, 10], [2, 10]]), LineBatch([[3, 10]]))
        assembly.append(first, write)
        assembly.append([record("a")], write)
        assembly.append(second, write)
        assembly.append([record("b")], write)
        assembly.append(LineBatch([[UInt8](repeating: 4, count: text("a").utf8.count)]), write)
        assembly.end(write)
        assembly.end(write)
        #expect(
            written.map(\.text) == [
                "\u{1}\n\u{2}\n" + text("a") + "\u{3}\n",
                text("b") + String(repeating: "\u{4}", count: text("a").utf8.count),
            ])
        #expect(
            written.map(\.byteCount) == [6 + LogRecord.byteCount, LogRecord.byteCount + text("a").utf8.count])
    }

    @Test func `what it counts for is more than it takes, and lines of the maximum number do not exceed the limit`() {
        // The texts of a request that are not in the line itself.
        let texts = 128 + 43
        #expect(MemoryLayout<LogRecord>.stride + texts < LogRecord.byteCount)
        #expect(LogQueue.lineLimit * LogRecord.byteCount <= LogQueue.byteLimit)
    }

    @Test func `the room that one takes is free again when it is written`() {
        let queue = LogQueue(testing: RecordingOutput(batchBytes: 4_096), byteLimit: LogRecord.byteCount)
        for _ in 0..<3 {
            #expect(queue.enqueue(record("a")))
            #expect(queue.flush(within: .seconds(60)))
        }
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
