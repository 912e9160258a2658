// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The names of the header fields that a web page wants to send, as its preflight request asks for them (Fetch
/// Standard, section 3.2.2). Libraries send fields of their own, and instrumentation adds `traceparent`: they are not
/// read, so each may be sent.
package struct PreflightFields {
    /// The maximum number of names.
    package static let maximumCount = 32
    /// The maximum length of the names, in bytes.
    package static let maximumLength = 1024

    /// What is allowed to a page that asks for no field, for too many or for none that is a token.
    package static let usual = "authorization, content-type"

    /// The names that are allowed, separated by commas.
    package let allowed: String

    /// Reads the fields of a preflight request.
    /// - Parameters:
    ///   - request: The fields.
    ///   - usual: The names that are allowed if the request asks for none.
    package init(_ request: HTTPFields, usual: String = PreflightFields.usual) {
        allowed = request[.accessControlRequestHeaders].flatMap { Self.names(in: $0) } ?? usual
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

extension HTTPFields {
    /// Allows the fields that a preflight request asked for. No cookie is among them: credentials are never allowed.
    /// - Parameters:
    ///   - preflight: The fields.
    ///   - seconds: How long a browser may keep the response, in seconds.
    package mutating func allow(_ preflight: PreflightFields, for seconds: Int = 600) {
        self[.accessControlAllowHeaders] = preflight.allowed
        self[.accessControlMaxAge] = String(seconds)
        varyOfPreflight()
    }

    /// Sets `Vary` for a response to a preflight request, which needs it even if nothing is allowed.
    package mutating func varyOfPreflight() { self[.vary] = "Origin, Access-Control-Request-Headers" }
}
