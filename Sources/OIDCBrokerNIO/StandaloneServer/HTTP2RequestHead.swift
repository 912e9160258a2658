// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOHPACK

/// The head of a request as it came on an HTTP/2 stream (RFC 9113 section 8.3.1): its pseudo-header fields taken out,
/// everything else untouched.
package struct HTTP2RequestHead: Sendable, Equatable {
    /// Why a block of fields is no request's head, or what came behind it is not of its request. Says nothing of what the
    /// peer sent.
    package enum Malformation: Error, Hashable {
        /// A pseudo-header field stands there twice.
        case duplicate
        /// A pseudo-header field that requests do not have.
        case unknown
        /// A pseudo-header field behind another field.
        case late
        /// No method.
        case methodMissing
        /// A method that is no token (RFC 9110 section 9.1).
        case methodUnusable
        /// No scheme or path, or one that CONNECT does not have (RFC 9113 section 8.5).
        case targetUnusable
        /// A pseudo-header field with a space, a control character or anything beyond ASCII.
        case valueUnusable
        /// A name that is no token in lower case, or a value with a line break, NUL or white space at its ends.
        case fieldUnusable
        /// A field that belongs to a connection (RFC 9113 section 8.2.2).
        case ofConnection
        /// A length that is no number, several that differ, or one that the body does not have (RFC 9113 section 8.1.1).
        case lengthUnusable
    }

    /// `:method`.
    package let method: HTTPRequest.Method
    /// `:authority`.
    package let authority: String?
    /// `:path`; none where a tunnel is asked for.
    package let path: String?
    /// `content-length`.
    package let contentLength: Int?
    /// Whether the stream ends with it: no body follows, and no trailers.
    package let endsStream: Bool
    /// All fields, the pseudo-header fields among them.
    package let fields: HPACKHeaders
    /// How many fields there are besides the pseudo-header fields.
    package let fieldCount: Int
    /// The bytes of the longest field, name and value together; of a pseudo-header field the value alone.
    package let longestField: Int

    /// Reads it out of a block of fields, and validates all of it: nothing before this has.
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
        // A token is ASCII, so that it may be compared as text from here on.
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

    /// Validates the fields behind a body: none is a pseudo-header field (RFC 9113 section 8.1).
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
