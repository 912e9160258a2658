// SPDX-License-Identifier: Apache-2.0

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
    }

    /// `:method`.
    package private(set) var method = ""
    /// `:authority`.
    package private(set) var authority: String?
    /// `:path`; none where a tunnel is asked for.
    package private(set) var path: String?
    /// Whether `:protocol` is there (RFC 8441).
    package private(set) var isExtendedConnect = false
    /// Whether the stream ends with it: no body follows, and no trailers.
    package let endsStream: Bool
    /// All fields, the pseudo-header fields among them.
    package let fields: HPACKHeaders
    /// How many fields there are besides the pseudo-header fields.
    package private(set) var fieldCount = 0
    /// The bytes of the longest field, name and value together; of a pseudo-header field the value alone.
    package private(set) var longestField = 0

    /// Reads it out of a block of fields.
    ///
    /// NIO's HTTP/2 handler has judged the block already; what it would let through is refused here all the same.
    /// - Throws: ``Malformation``.
    package init(_ fields: HPACKHeaders, endsStream: Bool) throws(Malformation) {
        self.fields = fields
        self.endsStream = endsStream
        var method: String?
        var scheme: String?
        var connectProtocol: String?
        for (name, value, _) in fields {
            guard name.utf8.first == UInt8(ascii: ":") else {
                self.fieldCount += 1
                self.longestField = max(self.longestField, name.utf8.count + value.utf8.count)
                continue
            }
            guard self.fieldCount == 0 else { throw .late }
            self.longestField = max(self.longestField, value.utf8.count)
            switch name {
            case ":method": try Self.set(&method, value)
            case ":path": try Self.set(&self.path, value)
            case ":authority": try Self.set(&self.authority, value)
            case ":scheme": try Self.set(&scheme, value)
            case ":protocol": try Self.set(&connectProtocol, value)
            default: throw .unknown
            }
        }
        guard let method else { throw .methodMissing }
        self.method = method
        self.isExtendedConnect = connectProtocol != nil
    }

    private static func set(_ field: inout String?, _ value: String) throws(Malformation) {
        guard field == nil else { throw .doubled }
        field = value
    }
}
