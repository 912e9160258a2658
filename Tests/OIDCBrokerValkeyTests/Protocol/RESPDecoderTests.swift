// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import OIDCBrokerValkey

/// What is read of RESP2.
struct RESPDecoderTests {
    private static let stream = Array(
        ("+OK\r\n-ERR no\r\n:-42\r\n$6\r\na\r\nb\r\n\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"
            + "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n*1\r\n$-1\r\n+\r\n:9223372036854775807\r\n").utf8)
    private static let values: [RESPValue] = [
        .simple("OK"), .error("ERR no"), .integer(-42), .bulk(Array("a\r\nb\r\n".utf8)), .bulk([]), .null, .null,
        .array([]),
        .array([.integer(1), .array([.bulk([0x78]), .array([.null])]), .simple("")]),
        .integer(.max),
    ]

    @Test func `each type`() {
        #expect(DecodedBytes([Self.stream]).values == Self.values)
        #expect(DecodedBytes([Self.stream]).rest == 0)
        #expect(DecodedBytes(":0\r\n:-9223372036854775808\r\n").values == [.integer(0), .integer(.min)])
        #expect(DecodedBytes("$2\r\n\u{FC}\r\n").values == [.bulk([0xC3, 0xBC])])
    }

    @Test func `wherever the bytes are split`() {
        let stream = Self.stream
        for position in 0...stream.count {
            let decoded = DecodedBytes([Array(stream[..<position]), Array(stream[position...])])
            #expect(decoded.values == Self.values, "split at \(position)")
            #expect(decoded.error == nil)
        }
        #expect(DecodedBytes(stream.map { [$0] }).values == Self.values)
    }

    @Test func `what is incomplete stays in the buffer`() throws {
        let bytes = Array("*2\r\n$3\r\nabc\r\n:12\r\n".utf8)
        for count in 0..<bytes.count {
            let decoded = DecodedBytes([Array(bytes[..<count])])
            #expect(decoded.values.isEmpty)
            #expect(decoded.error == nil)
            #expect(decoded.rest == count)
        }
    }

    @Test func `the bytes of the next value stay in the buffer`() throws {
        var decoder = RESPDecoder()
        var buffer = ByteBuffer(string: ":1\r\n:2\r\n+O")
        #expect(try decoder.next(&buffer) == .integer(1))
        #expect(buffer.readableBytes == 6)
        #expect(try decoder.next(&buffer) == .integer(2))
        #expect(try decoder.next(&buffer) == nil)
        #expect(buffer.readableBytes == 2)
    }

    @Test(.timeLimit(.minutes(5))) func `many small pieces are no more work than one`() {
        let list = Array("*16384\r\n".utf8) + Array(repeatElement(Array(":1\r\n".utf8), count: 16_384).joined())
        let ones = [RESPValue](repeating: .integer(1), count: 16_384)
        #expect(DecodedBytes(list.map { [$0] }).values == [.array(ones)])
        let bulk = Array("$1048576\r\n".utf8) + [UInt8](repeating: 0x0D, count: 1_048_576) + Array("\r\n".utf8)
        var pieces: [[UInt8]] = []
        for start in stride(from: 0, to: bulk.count, by: 16) {
            pieces.append(Array(bulk[start..<min(start + 16, bulk.count)]))
        }
        #expect(DecodedBytes(pieces).values == [.bulk([UInt8](repeating: 0x0D, count: 1_048_576))])
    }
}
