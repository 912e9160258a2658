// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The response of a pushed authorization request endpoint (RFC 9126 section 2.2). Its lifetime is
/// not read: the browser is sent there at once.
package struct PushedAuthorizationResponse: Sendable, Hashable {
    /// The reference that the browser carries instead of the request: printable ASCII, at most
    /// ``maximumRequestURILength``.
    package let requestURI: String

    /// The maximum length of a request URI, in characters.
    package static let maximumRequestURILength = 2048

    /// The maximum size of a response, in bytes.
    package static let maximumBytes = TokenResponse.maximumBytes

    /// Parses a response.
    /// - Throws: ``PushedAuthorizationError``; ``PushedAuthorizationError/refused(_:)`` if it is an OAuth error
    ///   response (RFC 9126 section 2.3).
    package init(status: Int, json: [UInt8]) throws(PushedAuthorizationError) {
        // An unavailable server may send any body, which is not a response to the client.
        guard status < 500, status != 429 else { throw .status(status) }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
        } catch {
            throw status == 201 ? .unreadable(error.description) : .status(status)
        }
        if object.present("error") != nil {
            guard let error = ProviderError(response: object) else { throw .unacceptable("error") }
            throw .refused(error)
        }
        guard status == 201 else { throw .status(status) }
        guard let value = object.present("request_uri") else { throw .missing("request_uri") }
        guard let text = value.text?.ascii(atMost: Self.maximumRequestURILength), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .unacceptable("request_uri") }
        requestURI = text
    }
}
