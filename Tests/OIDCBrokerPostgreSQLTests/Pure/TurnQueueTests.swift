// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Testing

    @testable import OIDCBrokerPostgreSQL

    /// What runs one at a time.
    struct TurnQueueTests {
        @Test func `one at a time, in the order in which they came`() {
            var turns = TurnQueue<Int>(limit: 2)
            #expect(turns.add(1) == .begins)
            #expect(turns.add(2) == .waits)
            #expect(turns.add(3) == .waits)
            #expect(turns.add(4) == .refused)
            #expect(turns.end() == 2)
            #expect(turns.add(5) == .waits)
            #expect(turns.end() == 3)
            #expect(turns.end() == 5)
            #expect(turns.end() == nil)
            #expect(turns.add(6) == .begins)
        }

        @Test func `after the end none begins`() {
            var turns = TurnQueue<Int>(limit: 2)
            #expect(turns.add(1) == .begins)
            #expect(turns.add(2) == .waits)
            #expect(turns.close() == [2])
            #expect(turns.end() == nil)
            #expect(turns.add(3) == .refused)
        }
    }
#endif
