// SPDX-License-Identifier: Apache-2.0

import Admission
import Dispatch
import MetricsTestKit
import NIOCore
import Testing

@testable import OIDCBrokerOperations

/// The queue with its thread.
struct LogQueueTests {
    private static let long = TimeAmount.seconds(60)

    @Test func `lines are written in their order`() {
        let output = RecordingOutput()
        let queue = LogQueue(testing: output)
        let texts = (0..<1_000).map { "line \($0)" }
        for text in texts { #expect(queue.enqueue(text: text)) }
        #expect(queue.flush(within: Self.long))
        #expect(output.lines == texts)
    }

    @Test func `lines that wait are written at once, up to the size of a batch`() {
        // The first one is being written while the others come.
        for (size, writes) in [(0, 11), (20, 6), (1_000, 2)] {
            let output = RecordingOutput(batchBytes: size, isHeld: true)
            let queue = LogQueue(testing: output)
            queue.enqueue(text: "123456789")
            output.waitUntilHeld()
            for _ in 0..<10 { queue.enqueue(text: "123456789") }
            output.release()
            #expect(queue.flush(within: Self.long))
            #expect(output.lines.count == 11)
            #expect(output.writes == writes, "batches of \(size)")
        }
    }

    @Test func `who logs never waits: what finds no room is dropped, counted, and told`() {
        let metrics = TestMetrics()
        let output = RecordingOutput(isHeld: true)
        let queue = LogQueue(testing: output, lineLimit: 4, metrics: metrics)
        queue.enqueue(text: "0")
        output.waitUntilHeld()
        #expect((1...5).map { queue.enqueue(text: "\($0)") } == [true, true, true, false, false])
        output.release()
        #expect(queue.flush(within: Self.long))
        #expect(output.lines == ["0", "1", "2", "3", "dropped 2"])
        #expect(metrics.droppedLines == 2)
        #expect(metrics.counterTotal(label: "auth_log_lines_dropped", dimensions: [("log", "main")]) == 2)
        #expect(queue.enqueue(text: "6"))
        #expect(queue.flush(within: Self.long))
        #expect(output.lines.last == "6")
    }

    @Test func `the limits are those of the documentation`() {
        let output = RecordingOutput(isHeld: true)
        let queue = LogQueue(testing: output)
        queue.enqueue([0x0A])
        output.waitUntilHeld()
        #expect((1..<65_536).allSatisfy { _ in queue.enqueue([0x0A]) })
        #expect(!queue.enqueue([0x0A]))
        output.release()
        #expect(queue.flush(within: Self.long))

        let other = RecordingOutput(isHeld: true)
        let bytes = LogQueue(testing: other)
        let line = [UInt8](repeating: 0x0A, count: LogLine.maximumBytes)
        bytes.enqueue(line)
        other.waitUntilHeld()
        #expect((1..<2_048).allSatisfy { _ in bytes.enqueue(line) })
        #expect(!bytes.enqueue([0x0A]))
        other.release()
        #expect(bytes.flush(within: Self.long))
    }

    @Test(arguments: [(.main, .log), (.audit, .audit)] as [(LogQueue.Log, HeldMemory)])
    func `lines count in the budget; where it is used up, those of the log are dropped, and those of the audit are not`(
        log: LogQueue.Log, row: HeldMemory
    ) {
        let budget = MemoryBudget(bytes: 1 << 20)
        let metrics = TestMetrics()
        let output = RecordingOutput(isHeld: true)
        let queue = LogQueue(output, log: log, factory: metrics, notice: { Array("dropped \($0)\n".utf8) })
        let line = [UInt8](repeating: 0x0A, count: LogLine.maximumBytes)
        queue.enqueue(line)
        output.waitUntilHeld()
        queue.count(in: budget)
        #expect(budget.held(row) == line.count)
        #expect((1..<8).allSatisfy { _ in queue.enqueue(line) })
        #expect(!queue.enqueue(line))
        #expect(budget.held(row) == budget.size / 8)
        output.release()
        #expect(queue.flush(within: Self.long))
        #expect(output.lines == ["dropped 1"])
        #expect(budget.held == 0)

        #expect(budget.take(budget.size, of: .responses, for: nil) == nil)
        #expect(queue.enqueue(text: "0") == (log == .audit))
        budget.giveBack(budget.size, of: .responses, for: nil)
        #expect(queue.enqueue(text: "1"))
        #expect(queue.flush(within: Self.long))
        #expect(output.lines.dropFirst() == (log == .audit ? ["0", "1"] : ["dropped 1", "1"]))
        #expect(metrics.droppedLines == (log == .audit ? 1 : 2))
    }

    @Test func `a failing output drops and counts, is told nothing twice, and works again by itself`() {
        let metrics = TestMetrics()
        let output = RecordingOutput()
        let queue = LogQueue(testing: output, metrics: metrics)
        output.fail(LogFailure("write", 28))
        for number in 0..<5 {
            queue.enqueue(text: "\(number)")
            #expect(queue.flush(within: Self.long))
        }
        // One write for each line, and one for each report but the first line's.
        #expect(output.writes == 9)
        #expect(metrics.droppedLines == 5)
        output.fail(nil)
        queue.enqueue(text: "5")
        #expect(queue.flush(within: Self.long))
        #expect(output.lines == ["dropped 5", "5"])
        #expect(metrics.droppedLines == 5)
    }

    @Test func `the end waits for lines, but not longer than it may`() {
        let metrics = TestMetrics()
        let output = RecordingOutput(isHeld: true)
        let queue = LogQueue(testing: output, metrics: metrics)
        queue.enqueue(text: "0")
        output.waitUntilHeld()
        queue.enqueue(text: "1")
        #expect(!queue.flush(within: .nanoseconds(-1)))
        #expect(!queue.end(within: .milliseconds(1)))
        #expect(!queue.enqueue(text: "2"))
        #expect(metrics.droppedLines == 1)
        output.release()
        #expect(queue.end(within: Self.long))
        #expect(output.lines == ["0", "1"])
    }

    @Test func `a queue that is no longer used writes what waits`() {
        let output = RecordingOutput(isHeld: true)
        do {
            let queue = LogQueue(testing: output)
            queue.enqueue(text: "0")
            output.waitUntilHeld()
            queue.enqueue(text: "1")
            output.release()
            #expect(queue.end(within: Self.long))
        }
        #expect(output.lines == ["0", "1"])
    }
}
