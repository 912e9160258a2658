// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerServer

@Suite struct StreamDeadlinesTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private var deadlines = StreamDeadlines(request: .seconds(10), response: .seconds(30))

    @Test mutating func `one timer looks for the stream that ends first`() {
        let first = deadlines.began(.response, at: Self.start)
        #expect(first.look == Self.start + .seconds(30))
        let later = deadlines.began(.response, at: Self.start + .seconds(1))
        #expect(later.look == nil)
        let sooner = deadlines.began(.request, at: Self.start + .seconds(2))
        #expect(sooner.look == Self.start + .seconds(12))
        let (overdue, look) = deadlines.looked(at: Self.start + .seconds(12))
        #expect(overdue == [.init(slot: 2, wait: .request)])
        #expect(look == Self.start + .seconds(30))
    }

    @Test mutating func `a stream that is closed is not overdue, and its slot is the next one's`() {
        let slot = deadlines.began(.request, at: Self.start).slot
        deadlines.ended(slot)
        deadlines.ended(slot)
        let (overdue, look) = deadlines.looked(at: Self.start + .seconds(10))
        #expect(overdue.isEmpty)
        #expect(look == nil)
        let next = deadlines.began(.request, at: Self.start).slot
        let another = deadlines.began(.request, at: Self.start).slot
        #expect(next == slot)
        #expect(another != slot)
    }

    @Test mutating func `a request that ends behind its response changes nothing`() {
        let slot = deadlines.began(.request, at: Self.start).slot
        // Both are behind what the timer looks for already.
        let looks = [
            deadlines.proceeded(slot, to: .delivery, at: Self.start),
            deadlines.proceeded(slot, to: .response, at: Self.start + .seconds(29)),
        ]
        #expect(looks == [nil, nil])
        let overdue = deadlines.looked(at: Self.start + .seconds(30)).overdue
        #expect(overdue == [.init(slot: slot, wait: .delivery)])
    }

    @Test func `an error more than the limit in a window is one too many`() {
        var errors = StreamErrors(maximum: 2)
        var verdicts: [Bool] = []
        for second: Int64 in [0, 1, 29, 30] { verdicts.append(errors.erred(at: Self.start + .seconds(second))) }
        #expect(verdicts == [false, false, true, false])
    }

    @Test func `bytes that do not get out are found, bytes that do are not`() {
        var progress = WriteProgress(limit: .seconds(30))
        let later = Self.start + .seconds(30)
        var findings: [WriteProgress.Finding] = []
        progress.wrote(100)
        findings.append(progress.looked(at: Self.start, waiting: 0))
        progress.wrote(100)
        findings.append(progress.looked(at: Self.start, waiting: 100))
        progress.wrote(50)
        // The first two hundred are out; what waits now came later.
        findings.append(progress.looked(at: later, waiting: 50))
        findings.append(progress.looked(at: later + .seconds(29), waiting: 1))
        findings.append(progress.looked(at: later + .seconds(30), waiting: 1))
        let end = later + .seconds(30)
        #expect(findings == [.clear, .waits(until: later), .waits(until: end), .waits(until: end), .stalled])
    }
}
