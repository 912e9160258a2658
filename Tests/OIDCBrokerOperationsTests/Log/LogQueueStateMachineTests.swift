// SPDX-License-Identifier: Apache-2.0

import Admission
import OIDCBroker
import Testing

@testable import OIDCBrokerOperations
@testable import OIDCBrokerRecords

/// The state machine of the lines that wait.
struct LogQueueStateMachineTests {
    private typealias Lines = LogQueue.StateMachine<String>

    /// Takes what waits; nothing if the thread would be idle.
    private func take(from lines: inout Lines) -> [Lines.Entry] {
        guard case .take(let entries) = lines.next() else { return [] }
        return entries
    }

    /// Records the fate of entries that are separate lines, and how many were written.
    private func finish(_ entries: [Lines.Entry], written: Int, in lines: inout Lines) -> Int {
        entries.enumerated().reduce(0) { lost, entry in
            lost + lines.finished(entry.element, written: entry.offset < written ? 1 : 0)
        }
    }

    private func line(_ number: UInt8, bytes: Int = 1) -> [UInt8] { [UInt8](repeating: number, count: bytes) }

    private func entry(_ number: UInt8, bytes: Int = 1) -> Lines.Entry { .lines(LineBatch(line(number, bytes: bytes))) }

    @Test func `the first line starts the thread, and others wait for it`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9, batchBytes: 0)
        #expect(lines.enqueue(line(1)) == .start)
        #expect(lines.enqueue(line(2)) == .waits)
        #expect(lines.next() == .take([entry(1), entry(2)]))
        #expect(lines.enqueue(line(3)) == .waits)
        #expect(lines.next() == .take([entry(3)]))
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(line(4)) == .start)
    }

    @Test func `a thread that writes again and again is never started anew`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9, batchBytes: 0)
        #expect(lines.enqueue(line(1)) == .start)
        for _ in 0..<3 {
            let taken = take(from: &lines)
            #expect(taken == [entry(1)])
            #expect(finish(taken, written: 1, in: &lines) == 0)
            #expect(lines.next() == .linger)
            #expect(lines.enqueue(line(1)) == .waits)
        }
    }

    @Test func `who waits for the thread ends its lingering, and the end does`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9, batchBytes: 0)
        _ = lines.enqueue(line(1))
        _ = lines.next()
        #expect(lines.next() == .linger)
        #expect(lines.flush("a") == [])
        #expect(lines.next() == .idle(["a"]))
        _ = lines.enqueue(line(2))
        _ = lines.next()
        #expect(lines.end("b") == [])
        #expect(lines.next() == .idle(["b"]))
    }

    @Test func `lines that were taken count until they are finished`() {
        var lines = Lines(lineLimit: 3, byteLimit: 99, batchBytes: 0)
        #expect((1...3).map { lines.enqueue(line($0)) } == [.start, .waits, .waits])
        #expect(lines.enqueue(line(4)) == .dropped)
        let taken = take(from: &lines)
        #expect(lines.enqueue(line(5)) == .dropped)
        #expect(finish(Array(taken.prefix(1)), written: 1, in: &lines) == 0)
        // There is room for one, but not for the report before it.
        #expect(lines.enqueue(line(6)) == .dropped)
        #expect(finish(Array(taken.dropFirst()), written: 2, in: &lines) == 0)
        #expect(lines.enqueue(line(7)) == .waits)
        #expect(lines.next() == .take([.dropped(3), entry(7)]))
    }

    @Test func `the number of dropped lines stands where they would have stood`() {
        var lines = Lines(lineLimit: 4, byteLimit: 99, batchBytes: 0)
        for number in 1...6 as ClosedRange<UInt8> { _ = lines.enqueue(line(number)) }
        let taken = take(from: &lines)
        #expect(taken == (1...4).map { entry($0) })
        #expect(finish(taken, written: 4, in: &lines) == 0)
        #expect(lines.enqueue(line(7)) == .waits)
        #expect(lines.enqueue(line(8)) == .waits)
        #expect(lines.next() == .take([.dropped(2), entry(7), entry(8)]))
    }

    @Test func `dropped lines with none after them are reported before the thread is idle`() {
        var lines = Lines(lineLimit: 2, byteLimit: 99, batchBytes: 0)
        for number in 1...5 as ClosedRange<UInt8> { _ = lines.enqueue(line(number)) }
        let taken = take(from: &lines)
        _ = finish(taken, written: 2, in: &lines)
        #expect(lines.next() == .take([.dropped(3)]))
        #expect(finish([.dropped(3)], written: 1, in: &lines) == 0)
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
    }

    @Test func `lines that wait are bounded in bytes`() {
        var lines = Lines(lineLimit: 99, byteLimit: 10, batchBytes: 0)
        #expect(lines.enqueue(line(1, bytes: 6)) == .start)
        #expect(lines.enqueue(line(2, bytes: 5)) == .dropped)
        #expect(lines.enqueue(line(3, bytes: 4)) == .waits)
        #expect(lines.enqueue(line(4, bytes: 1)) == .dropped)
        let taken = take(from: &lines)
        _ = finish(taken, written: taken.count, in: &lines)
        #expect(lines.enqueue(line(5, bytes: 11)) == .dropped)
        #expect(lines.enqueue(line(6, bytes: 10)) == .waits)
    }

    @Test func `lines whose writing failed are counted, and reported with the next ones`() {
        var lines = Lines(lineLimit: 9, byteLimit: 99, batchBytes: 0)
        for number in 1...3 as ClosedRange<UInt8> { _ = lines.enqueue(line(number)) }
        let taken = take(from: &lines)
        #expect(finish(taken, written: 1, in: &lines) == 2)
        // Nothing is tried again by itself: the thread would spin while the disk is full.
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(line(4)) == .start)
        #expect(lines.next() == .take([.dropped(2), entry(4)]))
        // The report fails too: its lines were counted, and are reported later.
        #expect(finish([.dropped(2), entry(4)], written: 0, in: &lines) == 1)
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(line(5)) == .start)
        #expect(lines.next() == .take([.dropped(3), entry(5)]))
        #expect(finish([.dropped(3), entry(5)], written: 2, in: &lines) == 0)
        #expect(lines.enqueue(line(6)) == .waits)
        #expect(lines.next() == .take([entry(6)]))
    }

    @Test func `the room is the same after any number of failures`() {
        var lines = Lines(lineLimit: 3, byteLimit: 3, batchBytes: 0)
        for _ in 0..<100 {
            #expect(lines.enqueue(line(1)) == .start)
            let taken = take(from: &lines)
            #expect(finish(taken, written: 0, in: &lines) == 1)
            #expect(lines.next() == .linger)
            #expect(lines.next() == .idle([]))
        }
        #expect((1...4).map { lines.enqueue(line($0)) } == [.start, .waits, .waits, .dropped])
    }

    @Test func `those who wait are told when the thread is idle`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9, batchBytes: 0)
        #expect(lines.flush("nothing waits") == ["nothing waits"])
        _ = lines.enqueue(line(1))
        #expect(lines.flush("a") == [])
        _ = lines.next()
        #expect(lines.flush("b") == [])
        #expect(lines.next() == .idle(["a", "b"]))
        #expect(lines.flush("c") == ["c"])
    }

    @Test func `what waits at the end is still taken, and nothing else`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9, batchBytes: 0)
        _ = lines.enqueue(line(1))
        #expect(lines.end("end") == [])
        #expect(lines.enqueue(line(2)) == .ended)
        #expect(lines.next() == .take([entry(1)]))
        #expect(lines.next() == .idle(["end"]))
        #expect(lines.enqueue(line(3)) == .ended)
        #expect(lines.end("again") == ["again"])
    }

    @Test func `lines that wait are one batch, up to its size`() {
        var lines = Lines(lineLimit: 99, byteLimit: 99, batchBytes: 10)
        for (number, bytes) in [(1, 4), (2, 6), (3, 1), (4, 20), (5, 1), (6, 9)] as [(UInt8, Int)] {
            _ = lines.enqueue(line(number, bytes: bytes))
        }
        let taken = take(from: &lines)
        let batches = [
            [line(1, bytes: 4), line(2, bytes: 6)], [line(3)], [line(4, bytes: 20)], [line(5), line(6, bytes: 9)],
        ]
        #expect(taken == batches.map { .lines(LineBatch($0)) })
        // A part of a batch can be written.
        #expect(taken.map { lines.finished($0, written: 1) } == [1, 0, 0, 1])
        _ = lines.enqueue(line(7))
        _ = lines.enqueue(line(8))
        #expect(lines.next() == .take([.dropped(2), .lines(LineBatch([line(7), line(8)]))]))
    }

    @Test func `a line that finds no room leaves the batch as it was, and its report ends it`() {
        var lines = Lines(lineLimit: 99, byteLimit: 10, batchBytes: 100)
        #expect(lines.enqueue(line(1, bytes: 5)) == .start)
        #expect(lines.enqueue(line(2, bytes: 6)) == .dropped)
        #expect(lines.enqueue(line(3, bytes: 6)) == .dropped)
        #expect(lines.enqueue(line(4, bytes: 5)) == .waits)
        #expect(lines.next() == .take([entry(1, bytes: 5), .dropped(2), entry(4, bytes: 5)]))
    }

    @Test func `lines that are no text yet keep their places among others`() {
        var lines = Lines(lineLimit: 99, byteLimit: 4_096, batchBytes: 100)
        #expect(lines.enqueue(record("a")) == .start)
        #expect(lines.enqueue(record("b")) == .waits)
        #expect(lines.enqueue(line(1)) == .waits)
        #expect(lines.enqueue(line(2)) == .waits)
        #expect(lines.enqueue(record("c")) == .waits)
        #expect(
            lines.next()
                == .take([
                    .records([record("a"), record("b")]), .lines(LineBatch([line(1), line(2)])),
                    .records([record("c")]),
                ]))
    }

    @Test func `lines that are no text yet are bounded in number and in bytes, and count until they are finished`() {
        let size = LogRecord.byteCount
        var lines = Lines(lineLimit: 3, byteLimit: 4_096, batchBytes: 100)
        var bytes = Lines(lineLimit: 99, byteLimit: 3 * size + 1, batchBytes: 100)
        for _ in 0..<2 {
            for _ in 0..<3 {
                #expect(lines.enqueue(record("a")) != .dropped)
                #expect(bytes.enqueue(record("a")) != .dropped)
            }
            #expect(lines.enqueue(record("a")) == .dropped)
            #expect(bytes.enqueue(record("a")) == .dropped)
            let taken = take(from: &lines)
            let takenBytes = take(from: &bytes)
            #expect(lines.enqueue(record("a")) == .dropped)
            #expect(bytes.enqueue(record("a")) == .dropped)
            #expect(lines.finished(taken[0], written: 2) == 1)
            #expect(bytes.finished(takenBytes[0], written: 3) == 0)
            // The reports of those that were dropped.
            for entry in take(from: &lines) { #expect(lines.finished(entry, written: 1) == 0) }
            for entry in take(from: &bytes) { #expect(bytes.finished(entry, written: 1) == 0) }
        }
    }

    @Test func `an entry has a bounded number of lines that are no text yet`() {
        let limit = Lines.maximumRecords
        var lines = Lines(lineLimit: 2 * limit, byteLimit: .max, batchBytes: 100)
        for _ in 0...limit { _ = lines.enqueue(record("a")) }
        let taken = take(from: &lines)
        #expect(taken == [.records([LogRecord](repeating: record("a"), count: limit)), .records([record("a")])])
        #expect(taken.map { lines.finished($0, written: 0) } == [limit, 1])
    }

    @Test func `the number of dropped lines stands before a line that is no text yet`() {
        var lines = Lines(lineLimit: 3, byteLimit: 4_096, batchBytes: 100)
        for name in ["a", "b", "c", "d"] { _ = lines.enqueue(record(name)) }
        let taken = take(from: &lines)
        #expect(taken == [.records([record("a"), record("b"), record("c")])])
        #expect(lines.finished(taken[0], written: 3) == 0)
        #expect(lines.enqueue(record("e")) == .waits)
        #expect(lines.next() == .take([.dropped(1), .records([record("e")])]))
    }

    @Test func `events that a stranger causes leave half of the room to those of sign-ins`() {
        var lines = Lines(lineLimit: 6, byteLimit: .max, batchBytes: 100)
        var bytes = Lines(lineLimit: 99, byteLimit: 6 * LogRecord.byteCount, batchBytes: 100)
        #expect((1...4).map { _ in lines.enqueue(record("a", .start)) } == [.start, .waits, .waits, .dropped])
        #expect((1...4).map { _ in bytes.enqueue(record("a", .start)) } == [.start, .waits, .waits, .dropped])
        // The report of the one that was dropped is a line too.
        #expect((1...3).map { _ in lines.enqueue(record("b")) } == [.waits, .waits, .dropped])
        #expect((1...4).map { _ in bytes.enqueue(record("b")) } == [.waits, .waits, .waits, .dropped])
    }

    @Test func `that half is of what the budget leaves to the audit`() {
        let budget = MemoryBudget(bytes: 16 << 20)
        var lines = Lines(lineLimit: 99_999, byteLimit: 32 << 20, batchBytes: 100, row: .audit)
        lines.count(in: budget)
        let half = budget.bounds(of: .audit).maximum / 2 / LogRecord.byteCount
        for _ in 0..<half { #expect(lines.enqueue(record("a", .start)) != .dropped) }
        #expect(lines.enqueue(record("a", .start)) == .dropped)
        #expect(lines.enqueue(record("b")) == .waits)
    }

    private func record(_ outcome: String, _ kind: AuditEvent.Kind = .started) -> LogRecord {
        .event(AuditEvent(kind, outcome: outcome), LogTime(seconds: 0))
    }

    @Test func `where there is hardly any room one batch has memory in advance, and each other line its bytes`() {
        var lines = Lines(lineLimit: 8, byteLimit: 4_096, batchBytes: 65_536)
        var taken: [Lines.Entry] = []
        var largest = 0
        for _ in 0..<100 {
            while lines.enqueue(line(1)) != .dropped {}
            if taken.isEmpty {
                taken = take(from: &lines)
                let inAdvance = taken.count { entry in
                    guard case .lines(let batch) = entry else { return false }
                    return batch.bytes.capacity > 256
                }
                #expect(inAdvance <= 1)
                largest = max(largest, taken.count)
            }
            _ = lines.finished(taken.removeFirst(), written: 1)
        }
        #expect(largest > 2)
    }
}

extension LogQueue.StateMachine {
    fileprivate mutating func finished(_ entry: Entry, written: Int) -> Int {
        switch entry {
        case .lines(let batch):
            return finished(lines: batch.count, bytes: batch.bytes.count, written: written)
        case .records(let records):
            return finished(lines: records.count, bytes: records.count * LogRecord.byteCount, written: written)
        case .dropped(let lines):
            finished(reportOf: lines, isWritten: written > 0)
            return 0
        }
    }
}
