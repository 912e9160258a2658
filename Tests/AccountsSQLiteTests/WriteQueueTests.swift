// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AccountsSQLite

/// The state machine of the writes that wait.
struct WriteQueueTests {
    private typealias Queue = WriteQueue<Int, String>

    @Test func `the first write starts the thread, and others wait for it`() {
        var queue = Queue(limit: 3)
        #expect(queue.enqueue(1) == .start)
        #expect(queue.enqueue(2) == .waits)
        #expect(queue.next(atMost: 64) == .take([1, 2]))
        #expect(queue.enqueue(3) == .waits)
        #expect(queue.next(atMost: 64) == .take([3]))
        #expect(queue.next(atMost: 64) == .idle([]))
        #expect(queue.enqueue(4) == .start)
    }

    @Test func `of more writes than may wait the next one is refused, until some were taken`() {
        var queue = Queue(limit: 3)
        #expect((1...3).map { queue.enqueue($0) } == [.start, .waits, .waits])
        #expect(queue.enqueue(4) == .full)
        #expect(queue.next(atMost: 2) == .take([1, 2]))
        #expect(queue.enqueue(5) == .waits)
        #expect(queue.enqueue(6) == .waits)
        #expect(queue.enqueue(7) == .full)
        #expect(queue.next(atMost: 64) == .take([3, 5, 6]))
    }

    @Test func `what waits at the end is still taken, and nothing else`() {
        var queue = Queue(limit: 3)
        _ = queue.enqueue(1)
        #expect(queue.close("closer") == [])
        #expect(queue.enqueue(2) == .closed)
        #expect(queue.next(atMost: 64) == .take([1]))
        #expect(queue.next(atMost: 64) == .idle(["closer"]))
        #expect(queue.enqueue(3) == .closed)
    }

    @Test func `the thread may be ended at once only where none was started`() {
        var queue = Queue(limit: 3)
        #expect(queue.close("first") == ["first"])
        #expect(queue.close("second") == ["second"])

        // A write that came in starts the thread a moment later. It is not idle in between.
        queue = Queue(limit: 3)
        _ = queue.enqueue(1)
        #expect(queue.close("first") == [])
        #expect(queue.next(atMost: 64) == .take([1]))
        // It writes.
        #expect(queue.close("second") == [])
        #expect(queue.next(atMost: 64) == .idle(["first", "second"]))
        #expect(queue.close("third") == ["third"])
    }
}
