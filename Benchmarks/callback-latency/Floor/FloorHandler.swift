// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// A channel handler that responds to a start and a redemption at once, and to a callback after one request to the
/// provider.
final class FloorHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let redirect: String
    private let upstream: FloorUpstream
    private var uri = ""

    init(redirect: String, upstream: FloorUpstream) {
        self.redirect = redirect
        self.upstream = upstream
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): uri = head.uri
        case .body: break
        case .end: respond(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func respond(_ context: ChannelHandlerContext) {
        if uri.hasPrefix("/redeem") { return answer(.ok, location: nil, cookie: nil, context) }
        guard uri.hasPrefix("/callback"), let code = Self.code(in: uri) else {
            return answer(.found, location: redirect, cookie: "floor=0123456789; Path=/; HttpOnly", context)
        }
        upstream.post(code: code) { isGood in
            if isGood {
                self.answer(
                    .found, location: "/done?handoff=1", cookie: "session=0123456789; Path=/; HttpOnly", context)
            } else {
                self.answer(.badGateway, location: nil, cookie: nil, context)
            }
        }
    }

    private func answer(
        _ status: HTTPResponseStatus, location: String?, cookie: String?, _ context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders()
        headers.reserveCapacity(4)
        if let location { headers.add(name: "location", value: location) }
        if let cookie { headers.add(name: "set-cookie", value: cookie) }
        headers.add(name: "cache-control", value: "no-store")
        headers.add(name: "content-length", value: "0")
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    /// Returns the code without decoding it.
    private static func code(in uri: String) -> String? {
        guard let start = uri.firstIndex(of: "?") else { return nil }
        let pairs = uri[uri.index(after: start)...].split(separator: "&")
        return pairs.first { $0.hasPrefix("code=") }.map { String($0.dropFirst(5)) }
    }
}

@available(*, unavailable)
extension FloorHandler: Sendable {}
