// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Refuses a request on an HTTP/2 stream with too many or too long fields by 431 (RFC 6585 section 5).
///
/// HTTP/2 itself only bounds the head as a whole; on HTTP/1 the decoder does all of it.
final class RequestFieldLimitsHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let maximumFields: Int
    private let maximumFieldBytes: Int
    private var isRefused = false

    /// Refuses what is beyond these limits.
    init(limits: ListenerLimits) {
        maximumFields = limits.maximumFields
        maximumFieldBytes = limits.maximumFieldBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(let head) = unwrapInboundIn(data), !isWithinLimits(head) else {
            return context.fireChannelRead(data)
        }
        isRefused = true
        var fields = HTTPFields()
        fields[.contentLength] = "0"
        let response = HTTPResponse(status: .requestHeaderFieldsTooLarge, headerFields: fields)
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            context.close(promise: nil)
        }
    }

    private func isWithinLimits(_ head: HTTPRequest) -> Bool {
        head.headerFields.count <= maximumFields
            && (head.path?.utf8.count ?? 0) <= maximumFieldBytes
            && head.headerFields.allSatisfy {
                $0.name.rawName.utf8.count + $0.value.utf8.count <= maximumFieldBytes
            }
    }
}

@available(*, unavailable)
extension RequestFieldLimitsHandler: Sendable {}
