// SPDX-License-Identifier: Apache-2.0

package import Admission
import Dispatch
package import Metrics
package import NIOCore
import NIOPosix
import Synchronization

/// The lines of one output and the one thread that writes them.
///
/// A thread that logs takes a lock while it appends a line to others in memory, and never waits for the output. A line
/// for which there is no room, or which cannot be written, is dropped and counted as `auth_log_lines_dropped`, and a
/// later line says how many were.
package final class LogQueue: Sendable {
    /// What is written: the dimension `log` of the counter.
    package enum Log: String, Sendable {
        case main
        case audit

        /// The row of the budget for its lines.
        fileprivate var row: HeldMemory {
            switch self {
            case .main: .log
            case .audit: .audit
            }
        }
    }

    /// The maximum number of lines that wait.
    package static let lineLimit = 65_536
    /// The maximum number of bytes of the waiting lines. A line that is not text yet counts ``LogRecord/byteCount``.
    /// Lines of the usual length do not reach it before ``lineLimit``; the longest ones would take a gigabyte.
    package static let byteLimit = 32 << 20
    /// The time after which the thread looks for lines again before it is idle: each line waits so long at most.
    private static let lingering = DispatchTimeInterval.milliseconds(25)
    /// The longest time that ``flush(within:)`` and ``end(within:)`` wait.
    private static let longestWait = TimeAmount.hours(1)

    private typealias Lines = StateMachine<DispatchSemaphore>

    private let output: any LogOutput
    private let dropped: Counter
    private let notice: @Sendable (Int) -> [UInt8]
    private let threads = NIOThreadPool(numberOfThreads: 1)
    private let lines: Mutex<StateMachine<DispatchSemaphore>>
    /// Ends lingering. One signal too many lets the thread look once too often.
    private let wanted = DispatchSemaphore(value: 0)

    /// Creates a queue and starts its thread.
    /// - Parameters:
    ///   - output: What the thread writes to.
    ///   - log: The dimension of the counter of lines that were dropped.
    ///   - lineLimit: The maximum number of lines that wait, at least 2.
    ///   - byteLimit: The maximum number of their bytes.
    ///   - factory: What makes the counter.
    ///   - notice: Returns the line that says how many lines were dropped. It is called on the thread of this queue.
    package init(
        _ output: any LogOutput, log: Log, lineLimit: Int = LogQueue.lineLimit, byteLimit: Int = LogQueue.byteLimit,
        factory: any MetricsFactory = MetricsSystem.factory,
        notice: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.output = output
        self.notice = notice
        dropped = Counter(
            label: "auth_log_lines_dropped", dimensions: [("log", log.rawValue)], factory: factory)
        lines = Mutex(
            StateMachine(
                lineLimit: lineLimit, byteLimit: byteLimit, batchBytes: output.batchBytes, row: log.row))
        threads.start()
    }

    deinit {
        threads.shutdownGracefully { _ in }
    }

    /// Counts the memory of lines in a budget from now on. If the budget is full, a line is dropped.
    package func count(in budget: MemoryBudget) { lines.withLock { $0.count(in: budget) } }

    /// Appends a line.
    /// - Parameter line: The bytes, with the line feed.
    /// - Returns: Whether there was room.
    @discardableResult
    package func enqueue(_ line: [UInt8]) -> Bool { finish(lines.withLock { $0.enqueue(line) }) }

    /// Appends a line that becomes text on the thread that writes.
    /// - Returns: Whether there was room.
    @discardableResult
    func enqueue(_ record: LogRecord) -> Bool { finish(lines.withLock { $0.enqueue(record) }) }

    private func finish(_ enqueued: Lines.Enqueued) -> Bool {
        switch enqueued {
        case .start:
            start()
            return true
        case .waits:
            return true
        case .dropped, .ended:
            dropped.increment()
            return false
        }
    }

    /// Waits until no line waits. It blocks.
    /// - Returns: Whether that was so within the time.
    package func flush(within time: TimeAmount) -> Bool {
        wait(within: time) { $0.flush($1) }
    }

    /// Drops further lines, waits until none waits, and ends the thread as soon as the output lets it. It blocks.
    /// - Returns: Whether all were written, or given up, within the time.
    package func end(within time: TimeAmount) -> Bool {
        let isIdle = wait(within: time) { $0.end($1) }
        threads.shutdownGracefully { _ in }
        return isIdle
    }

    /// Calls a body on the thread that writes, when it is between two runs of lines.
    func onThread(_ body: @escaping @Sendable () -> Void) {
        threads.submit { item in
            guard item == .active else { return }
            BlockedSignals.block()
            body()
        }
    }

    private func wait(
        within time: TimeAmount,
        _ register: (inout StateMachine<DispatchSemaphore>, DispatchSemaphore) -> [DispatchSemaphore]
    ) -> Bool {
        let idle = DispatchSemaphore(value: 0)
        let told = lines.withLock { register(&$0, idle) }
        for waiter in told { waiter.signal() }
        if told.isEmpty { wanted.signal() }
        let nanoseconds = min(max(time, .zero), Self.longestWait).nanoseconds
        return idle.wait(timeout: .now() + .nanoseconds(Int(clamping: nanoseconds))) == .success
    }

    private func start() {
        threads.submit { [self] item in
            switch item {
            case .active:
                BlockedSignals.block()
                takeAll(writes: true)
            // The queue has ended, and this may be an event loop, where nothing may be written.
            case .cancelled:
                takeAll(writes: false)
            }
        }
    }

    /// Returns when no line waits.
    /// - Parameter writes: Whether lines are written; otherwise they are given up.
    private func takeAll(writes: Bool) {
        var batches = BatchAssembly(batchBytes: output.batchBytes)
        while true {
            switch lines.withLock({ $0.next() }) {
            case .take(let entries):
                if writes { write(entries, &batches) } else { giveUp(entries) }
            case .linger:
                _ = wanted.wait(timeout: .now() + Self.lingering)
            case .idle(let told):
                for waiter in told { waiter.signal() }
                return
            }
        }
    }

    private func write(_ entries: [Lines.Entry], _ batches: inout BatchAssembly) {
        func write(_ batch: LineBatch, _ byteCount: Int) {
            finish(batch.count, byteCount, written: output.write(batch).written)
        }
        for entry in entries {
            switch entry {
            case .lines(let lines): batches.append(lines, write)
            case .records(let records): batches.append(records, write)
            case .dropped(let count):
                batches.end(write)
                let written = output.write(LineBatch(notice(count))).written
                lines.withLock { $0.finished(reportOf: count, isWritten: written > 0) }
            }
        }
        batches.end(write)
    }

    private func giveUp(_ entries: [Lines.Entry]) {
        for entry in entries {
            switch entry {
            case .lines(let batch): finish(batch.count, batch.bytes.count, written: 0)
            case .records(let records): finish(records.count, records.count * LogRecord.byteCount, written: 0)
            case .dropped(let count): lines.withLock { $0.finished(reportOf: count, isWritten: false) }
            }
        }
    }

    private func finish(_ count: Int, _ bytes: Int, written: Int) {
        let lost = lines.withLock { $0.finished(lines: count, bytes: bytes, written: written) }
        if lost > 0 { dropped.increment(by: lost) }
    }
}
