// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOHTTP1
import OpenIDConnect

/// An encoder in the place of NIO's. It passes on the bytes of a request that ``NIOClientConnection`` encoded, and
/// drops the request's head, which only tells the decoder to expect a response.
///
/// The requests to a provider have few fields, nearly all of them constant, and possibly a form. Encoding them into one
/// buffer needs a single write, while head, body and end would each pass through the pipeline.
final class ProviderRequestEncoder: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = IOData

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head, .end: promise?.succeed(())
        case .body(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        }
    }

    /// Encodes a request (RFC 9112 section 3).
    /// - Throws: `HTTPParserError.invalidHeaderToken` if a value contains a control character.
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

    /// Writes a value into a line. It must not contain a control character, which could end the line.
    private static func write(_ text: String, to buffer: inout ByteBuffer) throws {
        guard !text.hasControlCharacters else { throw HTTPParserError.invalidHeaderToken }
        buffer.writeString(text)
    }
}

@available(*, unavailable)
extension ProviderRequestEncoder: Sendable {}
