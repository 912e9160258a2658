// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Sends no request to a host whose name the connection's certificate does not have; see ``ServiceIdentity``.
///
/// AsyncHTTPClient does not tell for which host a connection is opened, but each request does. Stands between the client
/// and the encoder, and only where the certificate names the address of the connection.
final class ServiceIdentityHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let identity: ServiceIdentity
    /// The host of the last request that was let through: the pool keeps a connection for one.
    private var accepted: String?
    private var hasRefused = false

    init(_ identity: ServiceIdentity) {
        self.identity = identity
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if !hasRefused, case .head(let head) = unwrapOutboundIn(data), !isMeant(head.headers) { refuse(context) }
        guard !hasRefused else {
            promise?.fail(ProviderTransportError.untrusted)
            return
        }
        context.write(data, promise: promise)
    }

    private func isMeant(_ fields: HTTPHeaders) -> Bool {
        let values = fields["host"]
        guard values.count == 1, let host = values.first else { return false }
        if host == accepted { return true }
        guard Self.hosts(in: host).contains(where: { identity.matches($0) }) else { return false }
        accepted = host
        return true
    }

    /// The host without its port. AsyncHTTPClient writes an IPv6 address without brackets: what looks like a port then may
    /// belong to it.
    static func hosts(in field: String) -> [String] {
        if field.hasPrefix("["), let end = field.firstIndex(of: "]") {
            return [String(field[field.index(after: field.startIndex)..<end])]
        }
        guard let colon = field.lastIndex(of: ":") else { return [field] }
        let beforePort = String(field[..<colon])
        return beforePort.contains(":") ? [field, beforePort] : [beforePort]
    }

    /// Behind the write: who wrote is not called back in the middle of it.
    private func refuse(_ context: ChannelHandlerContext) {
        hasRefused = true
        let bound = context.loopBound
        context.eventLoop.execute {
            bound.value.fireErrorCaught(ProviderTransportError.untrusted)
            bound.value.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension ServiceIdentityHandler: Sendable {}
