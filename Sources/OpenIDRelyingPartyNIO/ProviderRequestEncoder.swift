// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOHTTP1
import OpenIDConnect
import OpenIDRelyingParty

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
                + length(of: request.additionalFields) + length(of: request.content))
        buffer.writeStaticString(request.content == nil ? "GET " : "POST ")
        try write(url.path.isEmpty ? "/" : url.path, to: &buffer)
        if let query = url.query {
            buffer.writeStaticString("?")
            try write(query, to: &buffer)
        }
        buffer.writeStaticString(" HTTP/1.1\r\nhost: ")
        try write(authority, to: &buffer)
        buffer.writeStaticString("\r\naccept: ")
        try write(request.accept, to: &buffer)
        buffer.writeStaticString("\r\naccept-encoding: identity\r\nuser-agent: swift-oidc-broker\r\n")
        if let authorization = request.authorization {
            buffer.writeStaticString("authorization: ")
            try write(authorization, to: &buffer)
            buffer.writeStaticString("\r\n")
        }
        try write(fields: request.additionalFields, to: &buffer)
        switch request.content {
        case .form(let form):
            buffer.writeStaticString("content-type: application/x-www-form-urlencoded\r\ncontent-length: ")
            buffer.writeString(String(form.utf8.count))
            buffer.writeStaticString("\r\n\r\n")
            buffer.writeString(form)
        case .bytes(let bytes, let fields):
            try write(fields: fields, to: &buffer)
            buffer.writeStaticString("content-length: ")
            buffer.writeString(String(bytes.count))
            buffer.writeStaticString("\r\n\r\n")
            buffer.writeBytes(bytes)
        case nil:
            buffer.writeStaticString("\r\n")
        }
        return buffer
    }

    private static func length(of content: ProviderRequest.Content?) -> Int {
        switch content {
        case .form(let form): form.utf8.count
        case .bytes(let bytes, let fields):
            length(of: fields) + bytes.count
        case nil: 0
        }
    }

    private static func length(of fields: [(name: String, value: String)]) -> Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    private static func write(fields: [(name: String, value: String)], to buffer: inout ByteBuffer) throws {
        for field in fields {
            try write(name: field.name, to: &buffer)
            buffer.writeStaticString(": ")
            try write(field.value, to: &buffer)
            buffer.writeStaticString("\r\n")
        }
    }

    /// Writes the name of a field: letters, digits and hyphens, which are all that the broker's own fields need.
    private static func write(name: String, to buffer: inout ByteBuffer) throws {
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isName, !name.isEmpty else { throw HTTPParserError.invalidHeaderToken }
        buffer.writeString(name)
    }

    /// Writes a value into a line. It must not contain a control character, which could end the line.
    private static func write(_ text: String, to buffer: inout ByteBuffer) throws {
        guard !text.hasControlCharacters else { throw HTTPParserError.invalidHeaderToken }
        buffer.writeString(text)
    }
}

@available(*, unavailable)
extension ProviderRequestEncoder: Sendable {}
