// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import Testing

@Suite struct BrowserReplyTests {
    private static func response(_ head: String) throws -> TargetResponse {
        var reader = HTTP1MessageReader(.responses, keeping: TargetResponse.fields)
        reader.append(Array("HTTP/1.1 303 See Other\r\n\(head)content-length: 0\r\n\r\n".utf8))
        return TargetResponse(try #require(try reader.next()))
    }

    @Test func `the time and the handshake are those that the browser names`() throws {
        let head = "Location: /x\r\nBrowser-Nanoseconds: 812345\r\nBrowser-Handshake: TLS 1.3, h2, X25519\r\n"
        let response = try Self.response(head)
        let reply = try #require(response.browser)
        #expect(reply.nanoseconds == 812_345)
        #expect(reply.handshake == "TLS 1.3, h2, X25519")
        #expect(reply.failure == nil)
        #expect(response.location == "/x")
    }

    @Test func `a kept connection has no handshake, and a failure no time`() throws {
        let kept = try #require(try Self.response("Browser-Nanoseconds: 7\r\n").browser)
        #expect(kept.handshake == nil)
        let failed = try #require(try Self.response("Browser-Failure: the connection was reset\r\n").browser)
        #expect(failed.failure == "the connection was reset")
        #expect(failed.nanoseconds == 0)
    }

    @Test(arguments: ["", "Browser-Nanoseconds: -1\r\n", "Browser-Nanoseconds: soon\r\n"])
    func `what names no time was made by no browser`(head: String) throws {
        #expect(try Self.response(head).browser == nil)
    }
}
