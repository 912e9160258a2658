// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// The state machine of the lines that wait.
struct LogQueueStateMachineTests {
    private typealias Lines = LogQueue.StateMachine<String>

    /// Takes what waits; nothing if the thread would be idle.
    private func take(from lines: inout Lines) -> [Lines.Entry] {
        guard case .take(let entries) = lines.next() else { return [] }
        return entries
    }

    private func line(_ number: UInt8, bytes: Int = 1) -> [UInt8] { [UInt8](repeating: number, count: bytes) }

    @Test func `the first line starts the thread, and others wait for it`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9)
        #expect(lines.enqueue(.line(line(1))) == .start)
        #expect(lines.enqueue(.line(line(2))) == .waits)
        #expect(lines.next() == .take([.line(line(1)), .line(line(2))]))
        #expect(lines.enqueue(.line(line(3))) == .waits)
        #expect(lines.next() == .take([.line(line(3))]))
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(.line(line(4))) == .start)
    }

    @Test func `a thread that writes again and again is never started anew`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9)
        #expect(lines.enqueue(.line(line(1))) == .start)
        for _ in 0..<3 {
            let taken = take(from: &lines)
            #expect(taken == [.line(line(1))])
            #expect(lines.finished(taken, written: 1) == 0)
            #expect(lines.next() == .linger)
            #expect(lines.enqueue(.line(line(1))) == .waits)
        }
    }

    @Test func `who waits for the thread ends its lingering, and the end does`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9)
        _ = lines.enqueue(.line(line(1)))
        _ = lines.next()
        #expect(lines.next() == .linger)
        #expect(lines.flush("a") == [])
        #expect(lines.next() == .idle(["a"]))
        _ = lines.enqueue(.line(line(2)))
        _ = lines.next()
        #expect(lines.end("b") == [])
        #expect(lines.next() == .idle(["b"]))
    }

    @Test func `lines that were taken count until they are finished`() {
        var lines = Lines(lineLimit: 3, byteLimit: 99)
        #expect((1...3).map { lines.enqueue(.line(line($0))) } == [.start, .waits, .waits])
        #expect(lines.enqueue(.line(line(4))) == .dropped)
        let taken = take(from: &lines)
        #expect(lines.enqueue(.line(line(5))) == .dropped)
        #expect(lines.finished(Array(taken.prefix(1)), written: 1) == 0)
        // There is room for one, but not for the report before it.
        #expect(lines.enqueue(.line(line(6))) == .dropped)
        #expect(lines.finished(Array(taken.dropFirst()), written: 2) == 0)
        #expect(lines.enqueue(.line(line(7))) == .waits)
        #expect(lines.next() == .take([.dropped(3), .line(line(7))]))
    }

    @Test func `the number of dropped lines stands where they would have stood`() {
        var lines = Lines(lineLimit: 4, byteLimit: 99)
        for number in 1...6 as ClosedRange<UInt8> { _ = lines.enqueue(.line(line(number))) }
        let taken = take(from: &lines)
        #expect(taken == (1...4).map { Lines.Entry.line(line($0)) })
        #expect(lines.finished(taken, written: 4) == 0)
        #expect(lines.enqueue(.line(line(7))) == .waits)
        #expect(lines.enqueue(.line(line(8))) == .waits)
        #expect(lines.next() == .take([.dropped(2), .line(line(7)), .line(line(8))]))
    }

    @Test func `dropped lines with none after them are reported before the thread is idle`() {
        var lines = Lines(lineLimit: 2, byteLimit: 99)
        for number in 1...5 as ClosedRange<UInt8> { _ = lines.enqueue(.line(line(number))) }
        let taken = take(from: &lines)
        _ = lines.finished(taken, written: 2)
        #expect(lines.next() == .take([.dropped(3)]))
        #expect(lines.finished([.dropped(3)], written: 1) == 0)
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
    }

    @Test func `lines that wait are bounded in bytes`() {
        var lines = Lines(lineLimit: 99, byteLimit: 10)
        #expect(lines.enqueue(.line(line(1, bytes: 6))) == .start)
        #expect(lines.enqueue(.line(line(2, bytes: 5))) == .dropped)
        #expect(lines.enqueue(.line(line(3, bytes: 4))) == .waits)
        #expect(lines.enqueue(.line(line(4, bytes: 1))) == .dropped)
        let taken = take(from: &lines)
        _ = lines.finished(taken, written: taken.count)
        #expect(lines.enqueue(.line(line(5, bytes: 11))) == .dropped)
        #expect(lines.enqueue(.line(line(6, bytes: 10))) == .waits)
    }

    @Test func `lines whose writing failed are counted, and reported with the next ones`() {
        var lines = Lines(lineLimit: 9, byteLimit: 99)
        for number in 1...3 as ClosedRange<UInt8> { _ = lines.enqueue(.line(line(number))) }
        let taken = take(from: &lines)
        #expect(lines.finished(taken, written: 1) == 2)
        // Nothing is tried again by itself: the thread would spin while the disk is full.
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(.line(line(4))) == .start)
        #expect(lines.next() == .take([.dropped(2), .line(line(4))]))
        // The report fails too: its lines were counted, and are reported later.
        #expect(lines.finished([.dropped(2), .line(line(4))], written: 0) == 1)
        #expect(lines.next() == .linger)
        #expect(lines.next() == .idle([]))
        #expect(lines.enqueue(.line(line(5))) == .start)
        #expect(lines.next() == .take([.dropped(3), .line(line(5))]))
        #expect(lines.finished([.dropped(3), .line(line(5))], written: 2) == 0)
        #expect(lines.enqueue(.line(line(6))) == .waits)
        #expect(lines.next() == .take([.line(line(6))]))
    }

    @Test func `the room is the same after any number of failures`() {
        var lines = Lines(lineLimit: 3, byteLimit: 3)
        for _ in 0..<100 {
            #expect(lines.enqueue(.line(line(1))) == .start)
            let taken = take(from: &lines)
            #expect(lines.finished(taken, written: 0) == 1)
            #expect(lines.next() == .linger)
            #expect(lines.next() == .idle([]))
        }
        #expect((1...4).map { lines.enqueue(.line(line($0))) } == [.start, .waits, .waits, .dropped])
    }

    @Test func `those who wait are told when the thread is idle`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9)
        #expect(lines.flush("nothing waits") == ["nothing waits"])
        _ = lines.enqueue(.line(line(1)))
        #expect(lines.flush("a") == [])
        _ = lines.next()
        #expect(lines.flush("b") == [])
        #expect(lines.next() == .idle(["a", "b"]))
        #expect(lines.flush("c") == ["c"])
    }

    @Test func `what waits at the end is still taken, and nothing else`() {
        var lines = Lines(lineLimit: 9, byteLimit: 9)
        _ = lines.enqueue(.line(line(1)))
        #expect(lines.end("end") == [])
        #expect(lines.enqueue(.line(line(2))) == .ended)
        #expect(lines.next() == .take([.line(line(1))]))
        #expect(lines.next() == .idle(["end"]))
        #expect(lines.enqueue(.line(line(3))) == .ended)
        #expect(lines.end("again") == ["again"])
    }
}
