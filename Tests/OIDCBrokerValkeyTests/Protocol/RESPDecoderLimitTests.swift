// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// What is not read, because it is no RESP2 or too much.
struct RESPDecoderLimitTests {
    private func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test func `a line has at most 1 KB`() {
        #expect(DecodedBytes("+\(text(1024))\r\n").values == [.simple(text(1024))])
        #expect(DecodedBytes("+\(text(1024))").error == nil)
        #expect(DecodedBytes("+\(text(1025))\r\n").error == .lineTooLong)
        #expect(DecodedBytes("+\(text(1025))").error == .lineTooLong)
        #expect(DecodedBytes("$\(String(repeating: "1", count: 1025))").error == .lineTooLong)
    }

    @Test func `a bulk string has at most 1 MB`() {
        #expect(DecodedBytes("$1048576\r\n").error == nil)
        #expect(DecodedBytes("$1048577\r\n").error == .bulkTooLong)
        #expect(DecodedBytes("$9223372036854775807\r\n").error == .bulkTooLong)
    }

    @Test func `a list has at most 16,384 elements`() {
        #expect(DecodedBytes("*16384\r\n").error == nil)
        #expect(DecodedBytes("*16385\r\n").error == .listTooLong)
        #expect(DecodedBytes("*9223372036854775807\r\n").error == .listTooLong)
    }

    @Test func `lists are nested at most three deep`() {
        #expect(DecodedBytes("*1\r\n*1\r\n*1\r\n:1\r\n").values == [.array([.array([.array([.integer(1)])])])])
        #expect(DecodedBytes("*1\r\n*1\r\n*1\r\n*-1\r\n").values == [.array([.array([.array([.null])])])])
        #expect(DecodedBytes("*1\r\n*1\r\n*1\r\n*1\r\n").error == .tooDeep)
        #expect(DecodedBytes("*1\r\n*1\r\n*1\r\n*0\r\n").error == .tooDeep)
        // The depth counts for each value anew.
        let lists = String(repeating: "*1\r\n*1\r\n*1\r\n:1\r\n", count: 5)
        #expect(DecodedBytes(lists).values.count == 5)
    }

    @Test func `a whole value has at most 4 MB`() {
        let bulk = Array("$1048576\r\n\(text(1_048_576))\r\n".utf8)
        let three = Array("*4\r\n".utf8) + bulk + bulk + bulk
        #expect(DecodedBytes([three]).error == nil)
        // The length alone is enough.
        #expect(DecodedBytes([three + Array("$1048576\r\n".utf8)]).error == .valueTooLong)
        let lines = Array("*16384\r\n".utf8) + Array(String(repeating: "+\(text(300))\r\n", count: 16_384).utf8)
        #expect(DecodedBytes([lines]).error == .valueTooLong)
    }

    @Test func `lengths are plain numbers`() {
        for type in ["$", "*"] {
            let lengths = [
                "-2", "01", "00", "+1", " 1", "1 ", "", "-", "-0", "-01", "--1", "1a", "0x1", "1.0", "\u{0661}",
                "99999999999999999999", "-9223372036854775808", "-9223372036854775809",
            ]
            for length in lengths {
                #expect(DecodedBytes("\(type)\(length)\r\n").error == .malformedLength, "\(type)\(length)")
            }
        }
    }

    @Test func `integers are plain numbers of 64 bits`() {
        for number in ["", "-", "+1", "01", "1.5", " 1", "1e3", "-0", "9223372036854775808", "-9223372036854775809"] {
            #expect(DecodedBytes(":\(number)\r\n").error == .malformedInteger, "\(number)")
        }
    }

    @Test func `lines and bulk strings end with CR and LF`() {
        let lines = ["+a\nb\r\n", "+a\rb\r\n", "+\n", ":1\n"]
        for text in lines + ["$1\r\nab\r\n", "$1\r\na\n\n", "$1\r\na\r\r", "$0\r\n+O"] {
            #expect(DecodedBytes(text).error == .missingLineEnd, "\(text.debugDescription)")
        }
    }

    @Test func `other types are unknown`() {
        for text in ["!3\r\nabc\r\n", "OK\r\n", "\r\n", "_\r\n", "%1\r\n", "\u{0}", "*1\r\n#t\r\n", "$1\r\na\r\nx"] {
            #expect(DecodedBytes(text).error == .unknownType, "\(text.debugDescription)")
        }
    }

    @Test func `after an error nothing is read`() {
        var decoder = RESPDecoder()
        var buffer = ByteBuffer(string: "?")
        #expect(throws: RESPError.unknownType) { try decoder.next(&buffer) }
        buffer = ByteBuffer(string: "+OK\r\n")
        #expect(throws: RESPError.unknownType) { try decoder.next(&buffer) }
    }
}
