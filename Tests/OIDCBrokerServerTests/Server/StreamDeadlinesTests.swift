// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerServer

@Suite struct StreamDeadlinesTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private var deadlines = StreamDeadlines(request: .seconds(10), response: .seconds(30))

    @Test mutating func `one timer looks for the stream that ends first`() {
        let first = deadlines.began(.answer, at: Self.start)
        #expect(first.look == Self.start + .seconds(30))
        #expect(deadlines.began(.answer, at: Self.start + .seconds(1)).look == nil)
        #expect(deadlines.began(.request, at: Self.start + .seconds(2)).look == Self.start + .seconds(12))
        let (overdue, look) = deadlines.looked(at: Self.start + .seconds(12))
        #expect(overdue == [.init(slot: 2, wait: .request)])
        #expect(look == Self.start + .seconds(30))
    }

    @Test mutating func `a stream that is closed is not overdue, and its slot is the next one's`() {
        let slot = deadlines.began(.request, at: Self.start).slot
        deadlines.ended(slot)
        deadlines.ended(slot)
        #expect(deadlines.looked(at: Self.start + .seconds(10)) == ([], nil))
        #expect(deadlines.began(.request, at: Self.start).slot == slot)
        #expect(deadlines.began(.request, at: Self.start).slot != slot)
    }

    @Test mutating func `a request that ends behind its response changes nothing`() {
        let slot = deadlines.began(.request, at: Self.start).slot
        #expect(deadlines.proceeded(slot, to: .delivery, at: Self.start) == nil)
        #expect(deadlines.proceeded(slot, to: .answer, at: Self.start + .seconds(29)) == nil)
        #expect(deadlines.looked(at: Self.start + .seconds(30)).overdue == [.init(slot: slot, wait: .delivery)])
    }

    @Test func `an error more than the limit in a window is one too many`() {
        var errors = StreamErrors(maximum: 2)
        #expect([0, 1].map { errors.erred(at: Self.start + .seconds($0)) } == [false, false])
        #expect(errors.erred(at: Self.start + .seconds(29)))
        #expect(!errors.erred(at: Self.start + .seconds(30)))
    }

    @Test func `bytes that do not get out are found, bytes that do are not`() {
        var progress = WriteProgress(limit: .seconds(30))
        progress.wrote(100)
        #expect(progress.looked(at: Self.start, waiting: 0) == .clear)
        progress.wrote(100)
        #expect(progress.looked(at: Self.start, waiting: 100) == .waits(until: Self.start + .seconds(30)))
        progress.wrote(50)
        // The first hundred are out; what waits now came later.
        let later = Self.start + .seconds(30)
        #expect(progress.looked(at: later, waiting: 50) == .waits(until: later + .seconds(30)))
        #expect(progress.looked(at: later + .seconds(29), waiting: 1) == .waits(until: later + .seconds(30)))
        #expect(progress.looked(at: later + .seconds(30), waiting: 1) == .stalled)
    }
}
