// SPDX-License-Identifier: Apache-2.0

import Admission
import ExampleSite
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerNIO

/// The requests of one HTTP/1.1 connection, one after another, or the one request of an HTTP/2 stream.
struct RequestLoop: Sendable {
    private typealias Parts = NIOAsyncChannelInboundStream<HTTPRequestPart>.AsyncIterator

    let broker: Broker
    let sessions: Sessions
    let eventLoopGroup: any EventLoopGroup

    /// Responds to requests until the client has no more of them, then closes.
    /// - Throws: An error of the connection.
    func run(on channel: AsyncServer.HTTPChannel) async throws {
        // Nothing is in front of this server: the peer is the client.
        let client = IPAddress(channel.channel.remoteAddress)
        try await channel.executeThenClose { inbound, outbound in
            var parts = inbound.makeAsyncIterator()
            while case .head(let head)? = try await parts.next() {
                let isHead = head.method == .head
                guard let body = try await Self.body(of: &parts, atMost: broker.limits.maximumBodyBytes) else {
                    return try await outbound.write(
                        contentsOf: Self.parts(.plain(status: .contentTooLarge, "Too large.\n"), toHEAD: isHead))
                }
                let response = await respond(to: head, body: body, from: client)
                try await outbound.write(contentsOf: Self.parts(response, toHEAD: isHead))
                if Self.isLast(head) { return }
            }
        }
    }

    private func respond(to head: HTTPRequest, body: ByteBuffer, from client: IPAddress?) async -> BrokerResponse {
        if broker.handles(path: head.path ?? "") {
            return await broker.respond(
                to: BrokerRequest(head: head, body: body, client: client), using: eventLoopGroup)
        }
        let fields: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
        return BrokerResponse(
            head: HTTPResponse(status: .ok, headerFields: fields),
            body: ByteBuffer(string: sessions.greeting(cookies: head.headerFields[values: .cookie])))
    }

    /// Reads a body; returns `nil` as soon as it is longer than the limit.
    private static func body(of parts: inout Parts, atMost limit: Int) async throws -> ByteBuffer? {
        var body = ByteBuffer()
        while let part = try await parts.next() {
            switch part {
            case .body(var bytes):
                guard bytes.readableBytes <= limit - body.readableBytes else { return nil }
                body.writeBuffer(&bytes)
            case .end:
                return body
            case .head:
                throw ChannelError.inputClosed
            }
        }
        throw ChannelError.eof
    }

    private static func parts(_ response: BrokerResponse, toHEAD isHead: Bool) -> [HTTPResponsePart] {
        var head = response.head
        head.headerFields[.contentLength] = "\(response.body.readableBytes)"
        guard !isHead, response.body.readableBytes > 0 else { return [.head(head), .end(nil)] }
        return [.head(head), .body(response.body), .end(nil)]
    }

    /// Whether an HTTP/1.1 client says that it sends no more requests. Its text is compared by bytes.
    private static func isLast(_ head: HTTPRequest) -> Bool {
        head.headerFields[values: .connection].contains { value in
            value.utf8.count == 5 && zip(value.utf8, "close".utf8).allSatisfy { $0 | 0x20 == $1 }
        }
    }
}
