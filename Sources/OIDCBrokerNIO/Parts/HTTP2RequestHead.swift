// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOHPACK

/// The head of a request as it came on an HTTP/2 stream (RFC 9113 section 8.3.1): its pseudo-header fields taken out,
/// everything else untouched.
package struct HTTP2RequestHead: Sendable {
    /// Why a block of fields is no request's head. Says nothing of what the peer sent.
    package enum Malformation: Error, Hashable {
        /// A pseudo-header field stands there twice.
        case doubled
        /// A pseudo-header field that requests do not have.
        case unknown
        /// A pseudo-header field behind another field.
        case late
        /// No method.
        case methodMissing
        /// A method that is no token (RFC 9110 section 9.1).
        case methodUnusable
    }

    /// `:method`.
    package let method: HTTPRequest.Method
    /// `:authority`.
    package let authority: String?
    /// `:path`; none where a tunnel is asked for.
    package let path: String?
    /// Whether `:protocol` is there (RFC 8441).
    package let isExtendedConnect: Bool
    /// Whether the stream ends with it: no body follows, and no trailers.
    package let endsStream: Bool
    /// All fields, the pseudo-header fields among them.
    package let fields: HPACKHeaders
    /// How many fields there are besides the pseudo-header fields.
    package let fieldCount: Int
    /// The bytes of the longest field, name and value together; of a pseudo-header field the value alone.
    package let longestField: Int

    /// Reads it out of a block of fields.
    ///
    /// NIO's HTTP/2 handler has judged the block already, all but whether the method is a token; this does not rely on it.
    /// - Throws: ``Malformation``.
    package init(_ fields: HPACKHeaders, endsStream: Bool) throws(Malformation) {
        var method: String?
        var path: String?
        var authority: String?
        var scheme: String?
        var connectProtocol: String?
        var fieldCount = 0
        var longestField = 0
        for (name, value, _) in fields {
            guard name.utf8.first == UInt8(ascii: ":") else {
                fieldCount += 1
                longestField = max(longestField, name.utf8.count + value.utf8.count)
                continue
            }
            guard fieldCount == 0 else { throw .late }
            longestField = max(longestField, value.utf8.count)
            switch name {
            case ":method": try Self.set(&method, value)
            case ":path": try Self.set(&path, value)
            case ":authority": try Self.set(&authority, value)
            case ":scheme": try Self.set(&scheme, value)
            case ":protocol": try Self.set(&connectProtocol, value)
            default: throw .unknown
            }
        }
        guard let method else { throw .methodMissing }
        guard let method = HTTPRequest.Method(method) else { throw .methodUnusable }
        self.method = method
        self.path = path
        self.authority = authority
        self.isExtendedConnect = connectProtocol != nil
        self.endsStream = endsStream
        self.fields = fields
        self.fieldCount = fieldCount
        self.longestField = longestField
    }

    private static func set(_ field: inout String?, _ value: String) throws(Malformation) {
        guard field == nil else { throw .doubled }
        field = value
    }
}
