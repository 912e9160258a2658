// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import OpenIDRelyingParty
import Testing

@testable import OpenIDRelyingPartyNIO

/// A request to a provider, as bytes.
struct ProviderRequestEncoderTests {
    private func encode(authorization: String) throws -> String {
        let request = try TestRequest.make(
            "https://op.example.com/token", authorization: authorization, form: "a=b")
        let bytes = try ProviderRequestEncoder.encode(
            request, authority: "op.example.com", allocator: ByteBufferAllocator())
        return String(buffer: bytes)
    }

    @Test func `A value stands in its line`() throws {
        let text = try encode(authorization: "Bearer a~ ü")
        #expect(text.hasPrefix("POST /token HTTP/1.1\r\nhost: op.example.com\r\n"))
        #expect(text.contains("\r\nauthorization: Bearer a~ ü\r\n"))
        #expect(text.hasSuffix("content-length: 3\r\n\r\na=b"))
    }

    @Test(arguments: (UInt8(0)..<0x20) + [0x7F])
    func `A value that could end its line is refused`(byte: UInt8) {
        #expect(throws: HTTPParserError.invalidHeaderToken) {
            try encode(authorization: "Bearer a" + String(UnicodeScalar(byte)) + "x: y")
        }
    }
}
