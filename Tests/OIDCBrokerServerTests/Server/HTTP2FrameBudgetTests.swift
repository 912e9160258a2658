// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

@testable import OIDCBrokerServer

@Suite struct HTTP2FrameBudgetTests {
    private static let update = HTTP2Wire.frame(type: 8, flags: 0, stream: 0, [0, 0, 0, 1])

    private static func request(_ stream: UInt8) -> [UInt8] { HTTP2Wire.request(stream: stream, "GET", "/") }

    /// Whether each part is borne, of a client that has three frames for each request. The preface has one, SETTINGS.
    private static func verdicts(_ parts: [[UInt8]]) -> [Bool] {
        var budget = HTTP2FrameBudget(framesPerRequest: 3)
        return parts.map { budget.received($0) }
    }

    @Test func `a number of frames is borne, and as many more with a request`() {
        let first = [HTTP2Wire.preface, Self.update, Self.update]
        #expect(Self.verdicts(first + [Self.update]) == [true, true, true, false])
        let second = first + [Self.request(1), Self.update, Self.update]
        #expect(Self.verdicts(second) == [true, true, true, true, true, true])
        // Once it is too much, a request does not help.
        #expect(Self.verdicts(second + [Self.update, Self.request(3)]).suffix(2) == [false, false])
    }

    @Test func `in one read as in many`() {
        let borne = [HTTP2Wire.preface, Self.update, Self.update, Self.request(1), Self.update, Self.update]
        #expect(Self.verdicts([Array(borne.joined())]) == [true])
        let excessive = [HTTP2Wire.preface, Self.update, Self.update, Self.update, Self.request(1)]
        #expect(Self.verdicts([Array(excessive.joined())]) == [false])
    }

    @Test func `what requests do not use is kept`() {
        let requests = [HTTP2Wire.preface, Self.request(1), Self.request(3)]
        let updates = Array(repeating: Self.update, count: 5)
        #expect(!Self.verdicts(requests + updates).contains(false))
        #expect(Self.verdicts(requests + updates + [Self.update]).last == true)
        #expect(Self.verdicts(requests + updates + [Self.update, Self.update]).last == false)
    }

    @Test func `trailers, earlier streams and other types are no requests`() {
        let parts = [
            HTTP2Wire.preface, Self.request(5), HTTP2Wire.headers(stream: 5, [("x-a", "1")]), Self.request(3),
            HTTP2Wire.reset(stream: 7), HTTP2Wire.data(stream: 9, "a"),
        ]
        #expect(!Self.verdicts(parts).contains(false))
        // A type that is not known.
        let unknown = HTTP2Wire.frame(type: 0xFA, flags: 0, stream: 11, [])
        #expect(Self.verdicts(parts + [unknown]).last == false)
    }

    @Test(arguments: 1...40)
    func `frames are found however their bytes are cut`(size: Int) {
        // A body of what could be heads, longer than two bytes can say.
        let body = HTTP2Wire.data(stream: 1, String(repeating: "\u{1}", count: 66_000))
        let updates = Self.update + Self.update + Self.update
        let borne = HTTP2Wire.preface + HTTP2Wire.request(stream: 1, "POST", "/", endsStream: false) + body + updates
        let all = borne + Self.update + Self.update
        var budget = HTTP2FrameBudget(framesPerRequest: 3)
        var position = 0
        while position < all.count {
            let end = min(position + size, all.count)
            guard budget.received(all[position..<end]) else { break }
            position = end
        }
        // The part in which the head of the last but one ends.
        #expect(position == (borne.count + 8) / size * size)
    }

    @Test func `a head is complete with the last byte of the frame that ends it`() {
        var budget = HTTP2FrameBudget(framesPerRequest: 9)
        func received(_ bytes: [UInt8]) -> Bool { budget.received(bytes) && budget.isInHead }
        #expect(!received(HTTP2Wire.preface))
        let whole = Self.request(1)
        #expect(!received(Array(whole.prefix(8))), "its type is not known")
        #expect(received([whole[8]]))
        #expect(received(Array(whole[9..<(whole.count - 1)])))
        #expect(!received(Array(whole.suffix(1))))
        #expect(budget.headCount == 1)
        #expect(received(HTTP2Wire.frame(type: 1, flags: 1, stream: 3, [])))
        #expect(received(HTTP2Wire.frame(type: 9, flags: 0, stream: 3, [0x82])))
        #expect(!received(HTTP2Wire.frame(type: 9, flags: 4, stream: 3, [])))
        #expect(!received(HTTP2Wire.data(stream: 3, "abc")))
        #expect(received(Self.request(5) + HTTP2Wire.frame(type: 1, flags: 0, stream: 7, [])))
        #expect(budget.headCount == 4)
    }

    @Test func `the last stream is the one that was opened last, without the reserved bit`() {
        var budget = HTTP2FrameBudget(framesPerRequest: 3)
        var headers = Self.request(3)
        headers[5] = 0x80
        headers[7] = 0x01
        let verdict = budget.received(HTTP2Wire.preface + headers + Self.request(5))
        #expect(verdict)
        #expect(budget.lastStream == 259)
    }
}
