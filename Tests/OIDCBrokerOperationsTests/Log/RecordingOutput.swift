// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MetricsTestKit
import Synchronization

@testable import OIDCBrokerOperations

/// An output that keeps what it gets. Its first write can be held, and it can fail.
final class RecordingOutput: LogOutput {
    private struct State {
        var lines: [[UInt8]] = []
        var writes = 0
        var failure: LogFailure?
        var isHeld: Bool
    }

    let batchBytes: Int
    private let state: Mutex<State>
    private let entered = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)

    init(batchBytes: Int = 0, isHeld: Bool = false) {
        self.batchBytes = batchBytes
        state = Mutex(State(isHeld: isHeld))
    }

    /// The lines without their line feeds.
    var lines: [String] {
        state.withLock { $0.lines }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of the last line, without its line feed.
    var last: [UInt8] { state.withLock { $0.lines.last ?? [] } }

    /// The number of writes.
    var writes: Int { state.withLock { $0.writes } }

    func write(_ lines: LineBatch) -> LogWriteResult {
        let isHeld = state.withLock { state in
            defer { state.isHeld = false }
            return state.isHeld
        }
        if isHeld {
            entered.signal()
            released.wait()
        }
        return state.withLock { state in
            state.writes += 1
            if let failure = state.failure { return LogWriteResult(written: 0, failure: failure) }
            state.lines += lines.bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
            return LogWriteResult(written: lines.count)
        }
    }

    /// Every write fails from now on, or none.
    func fail(_ failure: LogFailure?) { state.withLock { $0.failure = failure } }

    /// Waits until the write that is held has begun.
    func waitUntilHeld() { entered.wait() }

    /// Lets the write go on that is held.
    func release() { released.signal() }
}

extension LogQueue {
    /// A queue whose notices are `dropped` and the number.
    convenience init(
        testing output: any LogOutput, lineLimit: Int = LogQueue.lineLimit, byteLimit: Int = LogQueue.byteLimit,
        metrics: TestMetrics = TestMetrics()
    ) {
        self.init(
            output, log: .main, lineLimit: lineLimit, byteLimit: byteLimit, factory: metrics,
            notice: { Array("dropped \($0)\n".utf8) })
    }

    /// Appends a text as a line.
    @discardableResult
    func enqueue(text: String) -> Bool { enqueue(Array((text + "\n").utf8)) }
}

extension LineBatch {
    /// Lines with their line feeds.
    init(_ lines: [[UInt8]]) {
        self.init()
        for line in lines { append(line) }
    }
}

extension TestMetrics {
    /// The count of lines that were dropped.
    var droppedLines: Int64 { counterTotal(label: "auth_log_lines_dropped") }
}
