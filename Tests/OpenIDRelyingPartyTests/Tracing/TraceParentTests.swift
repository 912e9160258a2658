// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenIDRelyingParty

/// The fields of W3C Trace Context.
struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"
    private static let text = "00-\(trace)-\(span)-01"

    @Test func `is read and written`() throws {
        let parent = try #require(TraceParent(Self.text))
        #expect(parent.text == Self.text)
        #expect(parent.bytes.count == 25)
        #expect(parent.bytes.first == 0x4B && parent.bytes[15] == 0x36)
        #expect(parent.bytes[16] == 0 && parent.bytes[23] == 0xB7 && parent.bytes[24] == 1)
        #expect(parent.isSampled)
        #expect(TraceParent(bytes: parent.bytes) == parent)
        #expect(try #require(TraceParent("00-\(Self.trace)-\(Self.span)-02")).isSampled == false)
        #expect(try #require(TraceParent("00-\(Self.trace)-\(Self.span)-ff")).isSampled)
    }

    @Test(
        arguments: [
            "", "00", "01-\(trace)-\(span)-01", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-", " \(text)",
            "\(text) ", "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-\(span)-0", "00-\(trace)-\(span)-0g",
            "00-\(trace)_\(span)-01", "00-\(trace)-\(span)_01", "00_\(trace)-\(span)-01",
            "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
            "00-\(trace.dropLast())-\(span)0-01", "00-\(trace.dropLast())\u{e9}\(span)-01",
            "00-\(trace.dropLast(2))\u{e9}-\(span)-01",
        ])
    func `anything else is none`(text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test func `bytes of another count, and IDs of zeros, are none`() {
        let bytes = [UInt8](repeating: 1, count: 25)
        #expect(TraceParent(bytes: bytes) != nil)
        #expect(TraceParent(bytes: Array(bytes.dropLast())) == nil)
        #expect(TraceParent(bytes: bytes + [1]) == nil)
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(TraceParent(bytes: zeros + Array(bytes[16...])) == nil)
        #expect(TraceParent(bytes: Array(bytes[..<16]) + Array(zeros[..<8]) + [1]) == nil)
    }

    @Test func `one valid line is needed, and no other counts`() {
        #expect(TraceFields(parentLines: [Self.text], stateLines: [])?.parent.text == Self.text)
        for lines in [[], [Self.text, Self.text], ["x"], [Self.text + ", " + Self.text]] {
            #expect(TraceFields(parentLines: lines, stateLines: ["a=b"]) == nil)
        }
    }

    @Test func `the state is printable ASCII of at most 512 bytes, or left out`() {
        func state(_ lines: [String]) -> String? {
            TraceFields(parentLines: [Self.text], stateLines: lines)?.state
        }
        #expect(state([]) == nil)
        #expect(state([""]) == nil)
        #expect(state(["a=b", "c=d"]) == "a=b,c=d")
        let longest = "a=" + String(repeating: "b", count: 510)
        #expect(state([longest]) == longest)
        #expect(state([longest + "b"]) == nil)
        #expect(state([String(longest.dropLast(2)), "c"]) == String(longest.dropLast(2)) + ",c")
        #expect(state([String(longest.dropLast(1)), "c"]) == nil)
        #expect(state(Array(repeating: "", count: 1000)) == nil)
        for byte in ["\u{0}", "\r\nx: y", "\u{7f}", "\u{e9}", "\t"] { #expect(state(["a=b" + byte]) == nil) }
    }

    @Test func `the fields of a request are those two`() throws {
        let with = try #require(TraceFields(parentLines: [Self.text], stateLines: ["a=b"]))
        #expect(with.fields.map(\.name) == ["traceparent", "tracestate"])
        #expect(with.fields.map(\.value) == [Self.text, "a=b"])
        let without = try #require(TraceFields(parentLines: [Self.text], stateLines: []))
        #expect(without.fields.map(\.name) == ["traceparent"])
    }
}
