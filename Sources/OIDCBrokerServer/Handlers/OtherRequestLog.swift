// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import NIOHTTP1
import OIDCBroker
import OIDCBrokerNIO
import OIDCBrokerRecords

/// What writes a line about each request of a connection that is not the broker's. Its path is never written.
struct OtherRequestLog {
    /// What is known of such a request.
    struct Request {
        let method: AccessLine.Method
        let version: AccessLine.Version
        /// The address of the client; `nil` if it is not known.
        let client: IPAddress?
        /// When the head was read.
        let begin: NIODeadline
    }

    let log: AccessLog
    let clientAddressing: ClientAddressing

    /// Returns what is known of a request on an HTTP/1 connection whose head was just read.
    func request(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) -> Request {
        Request(
            method: AccessLine.Method(of: head.method.rawValue),
            version: (head.version.major, head.version.minor) < (1, 1) ? .http10 : .http11,
            client: clientAddressing.client(behind: context.remoteAddress) {
                HTTP1ServerParts.values(of: $0, in: head)
            },
            begin: context.eventLoop.now)
    }

    /// Returns what is known of a request on an HTTP/2 stream whose head was just read.
    func request(_ head: HTTP2RequestHead, _ context: ChannelHandlerContext) -> Request {
        Request(
            method: AccessLine.Method(of: head.method.rawValue), version: .http2,
            client: clientAddressing.client(behind: context.channel.remoteAddress) {
                HTTP2ServerParts.values(of: $0, in: head)
            },
            begin: context.eventLoop.now)
    }

    /// Writes the line about a request that was responded to just now.
    func write(_ request: Request, status: Int, bytes: Int, _ context: ChannelHandlerContext) {
        log.write(
            AccessLine(
                address: request.client, method: request.method, path: AccessLogPaths.other, status: status,
                bytes: bytes,
                duration: context.eventLoop.now - request.begin, version: request.version))
    }

    /// Writes the line about input that is not HTTP. Neither its method nor a client behind a proxy is known.
    func writeMalformed(status: Int, _ context: ChannelHandlerContext) {
        let peer = clientAddressing.client(behind: context.remoteAddress) { _ in [] }
        let request = Request(method: .other, version: .http11, client: peer, begin: context.eventLoop.now)
        write(request, status: status, bytes: 0, context)
    }
}
