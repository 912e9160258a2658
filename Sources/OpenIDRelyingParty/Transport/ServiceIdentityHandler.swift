// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// A handler that sends no request to a host which the connection's certificate does not name; see ``ServiceIdentity``.
///
/// AsyncHTTPClient does not tell for which host a connection is opened, but each request names its host. The handler is
/// placed between the client and the encoder, and only if the certificate names the connected address.
final class ServiceIdentityHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let identity: ServiceIdentity
    /// The host of the last request that was accepted. The pool uses a connection for one host only.
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

    /// The candidates for the host without its port. AsyncHTTPClient writes an IPv6 address without brackets, so that
    /// what looks like a port may be a part of the address.
    static func hosts(in field: String) -> [String] {
        if field.hasPrefix("["), let end = field.firstIndex(of: "]") {
            return [String(field[field.index(after: field.startIndex)..<end])]
        }
        guard let colon = field.lastIndex(of: ":") else { return [field] }
        let beforePort = String(field[..<colon])
        return beforePort.contains(":") ? [field, beforePort] : [beforePort]
    }

    /// Closes the connection after the write has returned, so that the writer is not called back during its write.
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
