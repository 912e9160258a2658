// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AccountsSQLite

/// The state machine of the writes that wait.
struct WriteQueueTests {
    @Test func `the first write starts the thread, and others wait for it`() {
        var queue = WriteQueue<Int>(limit: 3)
        #expect(queue.enqueue(1) == .start)
        #expect(queue.enqueue(2) == .waits)
        #expect(queue.next(atMost: 64) == [1, 2])
        #expect(queue.enqueue(3) == .waits)
        #expect(queue.next(atMost: 64) == [3])
        #expect(queue.next(atMost: 64) == [])
        #expect(queue.enqueue(4) == .start)
    }

    @Test func `of more writes than may wait the next one is refused, until some were taken`() {
        var queue = WriteQueue<Int>(limit: 3)
        #expect((1...3).map { queue.enqueue($0) } == [.start, .waits, .waits])
        #expect(queue.enqueue(4) == .full)
        #expect(queue.next(atMost: 2) == [1, 2])
        #expect(queue.enqueue(5) == .waits)
        #expect(queue.enqueue(6) == .waits)
        #expect(queue.enqueue(7) == .full)
        #expect(queue.next(atMost: 64) == [3, 5, 6])
    }

    @Test func `what waits at the end is still taken, and nothing else`() {
        var queue = WriteQueue<Int>(limit: 3)
        _ = queue.enqueue(1)
        queue.close()
        #expect(queue.enqueue(2) == .closed)
        #expect(queue.next(atMost: 64) == [1])
        #expect(queue.next(atMost: 64) == [])
    }
}
