// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP

/// The response of the plain listener for browsers: to the public URL, with the path and query of the request.
///
/// The authority is that of the configuration alone. Neither `Host` nor the authority of an absolute-form target is looked
/// at, so a request cannot send a browser anywhere else.
enum Redirection {
    /// The maximum length of a request target, in bytes.
    static let longestTarget = 8192

    /// Returns the response to a request, which has no body and is the last of its connection.
    /// - Parameters:
    ///   - method: The method, which is GET or HEAD; any other one could lose a body on its way.
    ///   - target: The request target as received. Any but a plain one in origin form is refused.
    ///   - publicURL: The public URL.
    static func response(method: String, target: String, to publicURL: PublicURL) -> HTTPResponse {
        var fields: HTTPFields = [.contentLength: "0", .connection: "close", .cacheControl: "no-store"]
        guard isGetOrHead(method) else {
            fields[.allow] = "GET, HEAD"
            return HTTPResponse(status: .methodNotAllowed, headerFields: fields)
        }
        guard isPlain(target) else { return HTTPResponse(status: .badRequest, headerFields: fields) }
        fields[.location] = publicURL.origin + target
        return HTTPResponse(status: .permanentRedirect, headerFields: fields)
    }

    private static func isGetOrHead(_ method: String) -> Bool {
        method.utf8.elementsEqual("GET".utf8) || method.utf8.elementsEqual("HEAD".utf8)
    }

    /// Whether a target is in origin form (RFC 9112 section 3.2.1), of visible ASCII characters and without a fragment.
    private static func isPlain(_ target: String) -> Bool {
        target.utf8.first == UInt8(ascii: "/") && target.utf8.count <= longestTarget
            && target.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}
