// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import Testing

@testable import OIDCBrokerServer

struct ResponseHeadTests {
    private func line(_ name: HTTPField.Name, _ value: String) -> String {
        var buffer = ByteBuffer()
        buffer.writeField(HTTPField(name: name, value: value))
        return String(buffer: buffer)
    }

    @Test func `writes the status line`() {
        var buffer = ByteBuffer()
        buffer.writeStatusLine(.seeOther)
        buffer.writeStatusLine(HTTPResponse.Status(code: 299))
        #expect(String(buffer: buffer) == "HTTP/1.1 303 See Other\r\nHTTP/1.1 299 \r\n")
    }

    @Test(
        arguments: ["", "a", "v a\tlue", "ä", String(repeating: "x", count: 20_000)])
    func `writes a field on a line of its own, however long it is`(value: String) {
        #expect(line(.contentType, value) == "Content-Type: \(value)\r\n")
    }

    @Test(arguments: (0..<0x20).filter { $0 != 9 } + [0x7F])
    func `no control character splits a response`(code: Int) throws {
        let control = try #require(Unicode.Scalar(UInt8(code)).description.first)
        #expect(line(.server, "a\(control)b\(control)c") == "Server: a b c\r\n")
    }

    @Test func `writes behind what is there already`() {
        var buffer = ByteBuffer(string: "before")
        buffer.writeField(HTTPField(name: .server, value: "1"))
        buffer.writeField(HTTPField(name: .age, value: "2"))
        #expect(String(buffer: buffer) == "beforeServer: 1\r\nAge: 2\r\n")
    }
}
