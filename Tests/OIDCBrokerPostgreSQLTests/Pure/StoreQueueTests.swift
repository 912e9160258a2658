// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// The state machine of the operations that wait.
    struct StoreQueueTests {
        @Test func `what waits is the next batch, in its order`() {
            var queue = StoreQueue<Int>(limit: 10)
            #expect(!queue.hasWork)
            #expect(queue.next(atMost: 4) == .wait)
            for number in 1...6 { #expect(queue.enqueue(number) == .waits) }
            #expect(queue.hasWork)
            #expect(queue.next(atMost: 4) == .take([1, 2, 3, 4]))
            #expect(queue.hasWork)
            #expect(queue.next(atMost: 4) == .take([5, 6]))
            #expect(!queue.hasWork)
            #expect(queue.next(atMost: 4) == .wait)
        }

        @Test func `of more operations than may wait the next one is refused, until some were taken`() {
            var queue = StoreQueue<Int>(limit: 3)
            #expect((1...4).map { queue.enqueue($0) } == [.waits, .waits, .waits, .full])
            #expect(queue.next(atMost: 2) == .take([1, 2]))
            #expect((5...7).map { queue.enqueue($0) } == [.waits, .waits, .full])
            #expect(queue.next(atMost: 10) == .take([3, 5, 6]))
        }

        @Test func `at the end what waits is given up, and nothing else is taken`() {
            var queue = StoreQueue<Int>(limit: 3)
            _ = queue.enqueue(1)
            _ = queue.enqueue(2)
            #expect(queue.close() == [1, 2])
            // Every thread must hear of it.
            for _ in 0..<3 {
                #expect(queue.hasWork)
                #expect(queue.next(atMost: 4) == .end)
            }
            #expect(queue.enqueue(3) == .closed)
            #expect(queue.close() == [])
        }

        @Test func `a batch has at least one operation`() {
            var queue = StoreQueue<Int>(limit: 3)
            _ = queue.enqueue(1)
            _ = queue.enqueue(2)
            #expect(queue.next(atMost: 0) == .take([1]))
            #expect(queue.next(atMost: -1) == .take([2]))
        }
    }
#endif
