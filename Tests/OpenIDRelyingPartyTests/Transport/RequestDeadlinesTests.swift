// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Testing

@Suite struct RequestDeadlinesTests {
    private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }

    @Test func `the first request sets a timer, a later deadline none, an earlier one another`() {
        var deadlines = RequestDeadlines<String>()
        #expect(deadlines.add("a", deadline: at(5)).timer == at(5))
        #expect(deadlines.add("b", deadline: at(5)).timer == nil)
        #expect(deadlines.add("c", deadline: at(7)).timer == nil)
        #expect(deadlines.add("d", deadline: at(3)).timer == at(3))
    }

    @Test func `a timer gives what is due, and the next one`() {
        var deadlines = RequestDeadlines<String>()
        _ = deadlines.add("a", deadline: at(5))
        _ = deadlines.add("b", deadline: at(7))
        let fired = deadlines.timerFired(at: at(5))
        #expect(fired.due == ["a"])
        #expect(fired.timer == at(7))
        let last = deadlines.timerFired(at: at(8))
        #expect(last.due == ["b"])
        #expect(last.timer == nil)
        // Nothing is set any more.
        #expect(deadlines.add("c", deadline: at(20)).timer == at(20))
    }

    @Test func `what has ended is never due`() {
        var deadlines = RequestDeadlines<String>()
        let ticket = deadlines.add("a", deadline: at(5)).ticket
        deadlines.remove(ticket)
        let fired = deadlines.timerFired(at: at(5))
        #expect(fired.due == [])
        #expect(fired.timer == nil)
    }

    /// Its place belongs to another request by then.
    @Test func `a request that ends after its deadline takes no other with it`() {
        var deadlines = RequestDeadlines<String>()
        let late = deadlines.add("late", deadline: at(5)).ticket
        #expect(deadlines.timerFired(at: at(5)).due == ["late"])
        _ = deadlines.add("other", deadline: at(9))
        deadlines.remove(late)
        deadlines.remove(late)
        #expect(deadlines.timerFired(at: at(9)).due == ["other"])
    }

    @Test func `a timer that was overtaken sets no second one beside the one that is set`() {
        var deadlines = RequestDeadlines<String>()
        let first = deadlines.add("a", deadline: at(9))
        #expect(first.timer == at(9))
        #expect(deadlines.add("b", deadline: at(5)).timer == at(5))
        #expect(deadlines.timerFired(at: at(5)).due == ["b"])
        #expect(deadlines.add("c", deadline: at(30)).timer == nil)
        deadlines.remove(first.ticket)
        // The timer at 9 has no request left, and one is set for the remaining ones.
        let fired = deadlines.timerFired(at: at(9))
        #expect(fired.due == [])
        #expect(fired.timer == at(30))
        #expect(deadlines.timerFired(at: at(12)).timer == nil)
    }

    @Test func `what is due is given in the order of the deadlines`() {
        var deadlines = RequestDeadlines<String>()
        for (request, deadline) in [("c", Int64(8)), ("a", 5), ("d", 9), ("b", 5), ("later", 20)] {
            _ = deadlines.add(request, deadline: at(deadline))
        }
        let fired = deadlines.timerFired(at: at(9))
        #expect(fired.due == ["a", "b", "c", "d"])
        #expect(fired.timer == at(20))
    }

    @Test func `requests that have ended are removed eventually, beside one that has not`() {
        var deadlines = RequestDeadlines<Int>()
        _ = deadlines.add(0, deadline: at(5))
        for number in 1...20_000 {
            deadlines.remove(deadlines.add(number, deadline: at(9)).ticket)
            #expect(deadlines.placeCount <= 2 + 64)
        }
        #expect(deadlines.timerFired(at: at(5)).due == [0])
        let last = deadlines.timerFired(at: at(9))
        #expect(last.due == [])
        #expect(last.timer == nil)
        #expect(deadlines.placeCount == 0)
    }

    @Test func `a thousand requests one after the other need one place`() {
        var deadlines = RequestDeadlines<Int>()
        var tickets: Set<RequestDeadlines<Int>.Ticket> = []
        for number in 0..<1000 {
            let ticket = deadlines.add(number, deadline: at(5)).ticket
            #expect(tickets.insert(ticket).inserted)
            deadlines.remove(ticket)
        }
        #expect(deadlines.timerFired(at: at(5)).due == [])
    }
}
