// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// The names of the header fields that a web page wants to send, as its preflight request asks for them (Fetch Standard,
/// section 3.2.2). Libraries send fields of their own, and instrumentation adds `traceparent`: none of them is read, so
/// that each may be sent.
package struct PreflightFields {
    /// The maximum number of names.
    package static let maximumCount = 32
    /// The maximum length of the names, in bytes.
    package static let maximumLength = 1024

    /// What is allowed to a page that asks for no field, for too many or for none that is a token.
    package static let usual = "authorization, content-type"

    /// The names that are allowed, separated by commas.
    package let allowed: String

    /// Reads a preflight request.
    package init(_ request: BrokerRequest) {
        allowed = request.headerFields[.accessControlRequestHeaders].flatMap { Self.names(in: $0) } ?? Self.usual
    }

    /// Returns the names again, in a form of our own; `nil` if one of them is no token or there are too many.
    private static func names(in text: String) -> String? {
        guard text.utf8.count <= maximumLength else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: ","))
        guard !parts.isEmpty, parts.count <= maximumCount else { return nil }
        var names: [String] = []
        for part in parts {
            var part = part.drop(while: isSpace)
            while let last = part.last, isSpace(last) { part.removeLast() }
            guard let name = HTTPField.Name(String(Substring(part))) else { return nil }
            names.append(name.canonicalName)
        }
        return names.joined(separator: ", ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension BrokerResponse {
    /// Allows the fields that a preflight request asked for, for ten minutes. No cookie is among them: credentials are
    /// never allowed.
    package mutating func allowFields(of preflight: PreflightFields) {
        head.headerFields[.accessControlAllowHeaders] = preflight.allowed
        head.headerFields[.accessControlMaxAge] = "600"
        head.headerFields[.vary] = "Origin, Access-Control-Request-Headers"
    }
}
