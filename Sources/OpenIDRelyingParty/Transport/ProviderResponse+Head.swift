// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
package import NIOHTTP1

extension ProviderResponse {
    /// The maximum size of the head of a response, in bytes of all names and values.
    package static let longestHead = 32_768
    /// The maximum size of a field, in bytes of its name and value.
    package static let longestField = 16_384

    /// The same limits for the HTTP/1 decoder, which then fails before it buffers more. NIO's defaults are 80 KB for a
    /// field and 2 MB for the head.
    package static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = longestField
        limits.maxHeaderListSize = longestHead
        return limits
    }

    /// Creates a response from its head, without a body. Both transports use this.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - request: The request. Without content its response may be cached, so that Cache-Control, Date and Age are kept;
    ///     with a DPoP proof, its DPoP-Nonce and Date are.
    /// - Throws: ``ProviderTransportError/tooLarge`` and ``ProviderTransportError/encoded``.
    package init(_ head: HTTPResponseHead, to request: ProviderRequest) throws(ProviderTransportError) {
        // AsyncHTTPClient's decoder uses NIO's default limits, which cannot be changed.
        var length = 0
        for field in head.headers {
            let count = field.name.utf8.count + field.value.utf8.count
            length += count
            guard count <= Self.longestField, length <= Self.longestHead else { throw .tooLarge }
        }
        guard head.headers["content-encoding"].allSatisfy({ Self.isIdentity($0) }) else { throw .encoded }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }),
            length > request.maximumResponseBytes
        {
            throw .tooLarge
        }
        status = Int(head.status.code)
        contentType = head.headers.first(name: "content-type")
        body = ByteBuffer()
        if request.content == nil {
            let fields = head.headers["cache-control"]
            cacheControl = fields.isEmpty ? nil : fields.joined(separator: ",")
            date = head.headers.first(name: "date")
            age = head.headers.first(name: "age")
        }
        if request.isProved {
            dpopNonce = head.headers.first(name: "dpop-nonce")
            date = head.headers.first(name: "date")
        }
        if [.badRequest, .unauthorized, .forbidden].contains(head.status) {
            // A resource with DPoP may have a field for each scheme (RFC 9449 section 7.2).
            let challenges = head.headers["www-authenticate"]
            challenge = request.isProved && challenges.count > 1 ? challenges.joined(separator: ", ") : challenges.first
        }
        if head.status == .tooManyRequests || head.status == .serviceUnavailable {
            retryAfter = head.headers.first(name: "retry-after")
        }
    }

    private static func isIdentity(_ encoding: String) -> Bool {
        WireText(encoding).ascii(atMost: 16)?.lowercased() == "identity"
    }
}
