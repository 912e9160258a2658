// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOHTTP1
import OpenIDConnect

/// Stands where NIO's encoder would: lets the bytes of a request through that ``NIOClientConnection`` wrote, and nothing
/// of its head, which only tells the decoder before it that a response will come.
///
/// A request here has a handful of fields that never change but one, and a form. As bytes it is one write of one buffer;
/// as a head with its fields, a body and an end it passes the pipeline three times and costs 15 us more.
final class ProviderRequestEncoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = IOData

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head, .end: promise?.succeed(())
        case .body(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        }
    }

    /// The bytes of a request (RFC 9112 section 3).
    /// - Throws: `HTTPParserError.invalidHeaderToken` for a value that does not fit into its line.
    static func encode(
        _ request: ProviderRequest, authority: String, allocator: ByteBufferAllocator
    ) throws -> ByteBuffer {
        let url = request.url
        var buffer = allocator.buffer(
            capacity: 224 + url.text.utf8.count + authority.utf8.count + (request.authorization?.utf8.count ?? 0)
                + (request.form?.utf8.count ?? 0))
        buffer.writeStaticString(request.form == nil ? "GET " : "POST ")
        try write(url.path.isEmpty ? "/" : url.path, to: &buffer)
        if let query = url.query {
            buffer.writeStaticString("?")
            try write(query, to: &buffer)
        }
        buffer.writeStaticString(" HTTP/1.1\r\nhost: ")
        try write(authority, to: &buffer)
        buffer.writeStaticString(
            "\r\naccept: application/json\r\naccept-encoding: identity\r\nuser-agent: swift-oidc-broker\r\n")
        if let authorization = request.authorization {
            buffer.writeStaticString("authorization: ")
            try write(authorization, to: &buffer)
            buffer.writeStaticString("\r\n")
        }
        guard let form = request.form else {
            buffer.writeStaticString("\r\n")
            return buffer
        }
        buffer.writeStaticString("content-type: application/x-www-form-urlencoded\r\ncontent-length: ")
        buffer.writeString(String(form.utf8.count))
        buffer.writeStaticString("\r\n\r\n")
        buffer.writeString(form)
        return buffer
    }

    /// Writes what stands in a line: no control character, which could end it.
    private static func write(_ text: String, to buffer: inout ByteBuffer) throws {
        guard !text.hasControlCharacters else { throw HTTPParserError.invalidHeaderToken }
        buffer.writeString(text)
    }
}

@available(*, unavailable)
extension ProviderRequestEncoder: Sendable {}
