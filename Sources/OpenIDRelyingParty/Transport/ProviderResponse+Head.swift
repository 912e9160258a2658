// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
package import NIOHTTP1

extension ProviderResponse {
    /// The longest head that is read, bytes of names and values.
    package static let longestHead = 32_768
    /// The longest field of a head, bytes of its name and its value.
    package static let longestField = 16_384

    /// The same for a decoder of HTTP/1, which then ends before it has kept more; NIO's own are 80 KB a field and 2 MB.
    static var decoderLimits: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = longestField
        limits.maxHeaderListSize = longestHead
        return limits
    }

    /// A response whose body is still to come: the same for both transports.
    ///
    /// - Parameters:
    ///   - isDocument: whether the response may be kept, and for how long is of interest.
    ///   - maximumBytes: of the body.
    /// - Throws: ``ProviderTransportError/tooLarge`` and ``ProviderTransportError/encoded``.
    package init(_ head: HTTPResponseHead, isDocument: Bool, maximumBytes: Int) throws(ProviderTransportError) {
        // AsyncHTTPClient's decoder has NIO's own limits, and lets no other be set.
        var length = 0
        for field in head.headers {
            let count = field.name.utf8.count + field.value.utf8.count
            length += count
            guard count <= Self.longestField, length <= Self.longestHead else { throw .tooLarge }
        }
        guard head.headers["content-encoding"].allSatisfy({ Self.isIdentity($0) }) else { throw .encoded }
        if let length = head.headers.first(name: "content-length").flatMap({ Int($0) }), length > maximumBytes {
            throw .tooLarge
        }
        self.init(
            status: Int(head.status.code), contentType: head.headers.first(name: "content-type"), body: ByteBuffer())
        if isDocument {
            let fields = head.headers["cache-control"]
            cacheControl = fields.isEmpty ? nil : fields.joined(separator: ",")
        }
        if head.status == .tooManyRequests || head.status == .serviceUnavailable {
            retryAfter = head.headers.first(name: "retry-after")
        }
    }

    private static func isIdentity(_ encoding: String) -> Bool {
        WireText(encoding).ascii(atMost: 16)?.lowercased() == "identity"
    }
}
