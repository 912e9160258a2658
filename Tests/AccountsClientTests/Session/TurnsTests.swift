// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The line of those who change the account.
struct TurnsTests {
    @Test func `one at a time, in the order in which they came`() {
        var turns = Turns<String>()
        let (first, second, third) = (turns.take(UUID(), "a"), turns.take(UUID(), "b"), turns.take(UUID(), "c"))
        #expect(first && !second && !third)
        #expect(turns.count == 2)
        let (next, last, nobody) = (turns.pass(), turns.pass(), turns.pass())
        #expect(next == "b" && last == "c" && nobody == nil)
        let again = turns.take(UUID(), "d")
        #expect(again)
    }

    @Test func `who leaves the line is passed over`() {
        var turns = Turns<String>()
        let (holder, leaver) = (UUID(), UUID())
        _ = turns.take(holder, "a")
        _ = turns.take(leaver, "b")
        _ = turns.take(UUID(), "c")
        let left = turns.leave(leaver)
        #expect(left == "b")
        let next = turns.pass()
        #expect(next == "c")
    }

    @Test func `who has the turn, had it or left stands in no line`() {
        var turns = Turns<String>()
        let (first, second) = (UUID(), UUID())
        _ = turns.take(first, "a")
        _ = turns.take(second, "b")
        let holder = turns.leave(first)
        let next = turns.pass()
        let called = turns.leave(second)
        #expect(holder == nil && next == "b" && called == nil)
        // The turn is still the second one's.
        let another = turns.take(UUID(), "c")
        #expect(!another)
    }
}
