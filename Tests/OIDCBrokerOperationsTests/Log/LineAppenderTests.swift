// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerOperations

/// Appending whole lines to something that takes parts of them.
struct LineAppenderTests {
    private static let full = LogFailure("write", 28)

    /// A file that takes so many bytes at each call, and fails at a call without a number.
    private struct Script {
        var text = ""
        var calls: [Int?]

        mutating func write(_ bytes: UnsafeRawBufferPointer) -> Result<Int, LogFailure> {
            guard let count = calls.isEmpty ? bytes.count : calls.removeFirst() else {
                return .failure(LineAppenderTests.full)
            }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
            return .success(min(count, bytes.count))
        }
    }

    private func append(
        _ texts: [String], to script: inout Script, by appender: inout LineAppender
    ) -> LogWriteResult {
        appender.append(LineBatch(texts.map { Array($0.utf8) })) { script.write($0) }
    }

    @Test(
        arguments: [
            // What each call takes, how many lines are whole, and what stands there after one more line.
            ([], 3, false, "aa\nbb\ncc\ndd\n"),
            ([1, 1, 1, 1, 1], 3, false, "aa\nbb\ncc\ndd\n"),
            ([nil], 0, true, "dd\n"),
            ([3, nil], 1, true, "aa\ndd\n"),
            ([4, nil], 1, true, "aa\nb\ndd\n"),
            ([5, nil], 1, true, "aa\nbb\ndd\n"),
            ([6, nil], 2, true, "aa\nbb\ndd\n"),
            ([2, 2, nil], 1, true, "aa\nb\ndd\n"),
            ([8, nil], 2, true, "aa\nbb\ncc\ndd\n"),
            ([0], 0, true, "dd\n"),
        ] as [([Int?], Int, Bool, String)])
    func `a part is completed, or ended before the next line`(
        calls: [Int?], written: Int, isFailed: Bool, text: String
    ) {
        var appender = LineAppender()
        var script = Script(calls: calls)
        let result = append(["aa\n", "bb\n", "cc\n"], to: &script, by: &appender)
        #expect(result.written == written)
        #expect((result.failure != nil) == isFailed)
        let next = append(["dd\n"], to: &script, by: &appender)
        #expect(next == LogWriteResult(written: 1))
        #expect(script.text == text)
        #expect(!appender.isTorn)
    }

    @Test func `a line stays torn until a byte is written`() {
        var appender = LineAppender()
        var script = Script(calls: [1, nil, nil, 1, nil])
        let nothing = LogWriteResult(written: 0, failure: Self.full)
        let first = append(["aa\n"], to: &script, by: &appender)
        #expect(first == nothing)
        #expect(appender.isTorn)
        let second = append(["bb\n"], to: &script, by: &appender)
        #expect(second == nothing)
        #expect(appender.isTorn)
        // The line feed alone.
        let third = append(["cc\n"], to: &script, by: &appender)
        #expect(third == nothing)
        #expect(!appender.isTorn)
        let fourth = append(["dd\n"], to: &script, by: &appender)
        #expect(fourth == LogWriteResult(written: 1))
        #expect(script.text == "a\ndd\n")
    }

    @Test func `a file that was torn before is ended first`() {
        var appender = LineAppender(isTorn: true)
        var script = Script(text: "half", calls: [])
        let result = append(["aa\n"], to: &script, by: &appender)
        #expect(result == LogWriteResult(written: 1))
        #expect(script.text == "half\naa\n")
    }
}
