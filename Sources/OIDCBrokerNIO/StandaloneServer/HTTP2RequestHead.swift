// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOHPACK

/// The head of a request on an HTTP/2 stream (RFC 9113 section 8.3.1), with its pseudo-header fields extracted and
/// everything else unchanged.
package struct HTTP2RequestHead: Sendable, Equatable {
    /// The reason why a block of fields is not a valid request head, or what follows does not belong to its request. It
    /// contains nothing that the peer sent.
    package enum Malformation: Error, Hashable {
        /// A pseudo-header field is duplicate.
        case duplicate
        /// A pseudo-header field is not defined for requests.
        case unknown
        /// A pseudo-header field follows another field.
        case late
        /// The method is missing.
        case methodMissing
        /// The method is not a token (RFC 9110 section 9.1).
        case methodUnusable
        /// The scheme or path is missing, or is present in a CONNECT (RFC 9113 section 8.5).
        case targetUnusable
        /// A pseudo-header field contains a space, a control character or a non-ASCII character.
        case valueUnusable
        /// A name is not a token in lower case, or a value contains a line break or NUL, or has white space at its
        /// ends.
        case fieldUnusable
        /// A field is connection-specific (RFC 9113 section 8.2.2).
        case ofConnection
        /// A length is not a number, differs from another one, or is not that of the body (RFC 9113 section 8.1.1).
        case lengthUnusable
    }

    /// `:method`.
    package let method: HTTPRequest.Method
    /// `:authority`.
    package let authority: String?
    /// `:path`; `nil` if the request asks for a tunnel.
    package let path: String?
    /// `content-length`; `nil` if it is absent.
    package let contentLength: Int?
    /// Whether the stream ends with the head, so that neither a body nor trailers follow.
    package let endsStream: Bool
    /// All fields, including the pseudo-header fields.
    package let fields: HPACKHeaders
    /// The number of fields without the pseudo-header fields.
    package let fieldCount: Int
    /// The length of the longest field in bytes: name and value together, or only the value of a pseudo-header field.
    package let longestField: Int

    /// Creates a head from a block of fields and validates it completely, since no earlier code has.
    /// - Throws: ``Malformation``.
    package init(_ fields: HPACKHeaders, endsStream: Bool) throws(Malformation) {
        var method: String?
        var path: String?
        var authority: String?
        var scheme: String?
        var contentLength: Int?
        var fieldCount = 0
        var longestField = 0
        for (name, value, _) in fields {
            guard name.utf8.first == UInt8(ascii: ":") else {
                fieldCount += 1
                longestField = max(longestField, name.utf8.count + value.utf8.count)
                try Self.validate(name, value)
                if name.isExactly("content-length") { try Self.set(length: &contentLength, value) }
                continue
            }
            guard fieldCount == 0 else { throw .late }
            longestField = max(longestField, value.utf8.count)
            switch HTTP2Field.Pseudo(name: name) {
            case .method: try Self.set(&method, value)
            case .path: try Self.set(&path, value)
            case .authority: try Self.set(&authority, value)
            case .scheme: try Self.set(&scheme, value)
            case nil: throw .unknown
            }
        }
        guard let method else { throw .methodMissing }
        // A token is ASCII, so it can be compared as text from here on.
        guard HTTP2Field.isToken(method), let method = HTTPRequest.Method(method) else { throw .methodUnusable }
        let hasTarget =
            method == .connect
            ? path == nil && scheme == nil && authority != nil
            : path?.isEmpty == false && scheme?.isEmpty == false
        guard hasTarget else { throw .targetUnusable }
        guard !endsStream || contentLength ?? 0 == 0 else { throw .lengthUnusable }
        self.method = method
        self.path = path
        self.authority = authority
        self.contentLength = contentLength
        self.endsStream = endsStream
        self.fields = fields
        self.fieldCount = fieldCount
        self.longestField = longestField
    }

    /// Validates the fields after a body. A pseudo-header field is not allowed (RFC 9113 section 8.1).
    /// - Throws: ``Malformation``.
    package static func validate(trailers: HPACKHeaders) throws(Malformation) {
        for (name, value, _) in trailers {
            guard name.utf8.first != UInt8(ascii: ":") else { throw .late }
            try Self.validate(name, value)
        }
    }

    private static func validate(_ name: String, _ value: String) throws(Malformation) {
        guard HTTP2Field.isName(name), HTTP2Field.isValue(value) else { throw .fieldUnusable }
        guard !HTTP2Field.isOfConnection(name, value) else { throw .ofConnection }
    }

    private static func set(_ field: inout String?, _ value: String) throws(Malformation) {
        guard field == nil else { throw .duplicate }
        guard value.isVisibleASCII else { throw .valueUnusable }
        field = value
    }

    private static func set(length: inout Int?, _ value: String) throws(Malformation) {
        guard let count = HTTP2Field.length(value), length == nil || length == count else { throw .lengthUnusable }
        length = count
    }
}
