// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A pushed authorization request endpoint's answer (RFC 9126 section 2.2), read strictly.
package struct PushedAuthorizationResponse: Sendable, Hashable {
    /// What the browser is sent with in place of the request: printable ASCII, at most ``maximumRequestURILength``.
    package let requestURI: String
    /// Seconds the request URI can be used; more than zero.
    package let expiresIn: Int64

    /// The longest request URI, characters.
    package static let maximumRequestURILength = 2048

    /// The largest answer, bytes.
    package static let maximumBytes = TokenResponse.maximumBytes

    /// Reads a response.
    /// - Throws: ``PushedAuthorizationError``; ``PushedAuthorizationError/refused(_:)`` where it is an OAuth error
    ///   answer (RFC 9126 section 2.3).
    package init(status: Int, json: [UInt8]) throws(PushedAuthorizationError) {
        // A server that is down may say so in any form; what it says then is not a response to the client.
        guard status < 500, status != 429 else { throw .status(status) }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
        } catch {
            throw status == 201 ? .unreadable(error.description) : .status(status)
        }
        if object["error"] != nil {
            guard let error = ProviderError(response: object) else { throw .unacceptable("error") }
            throw .refused(error)
        }
        guard status == 201 else { throw .status(status) }
        guard let value = object["request_uri"] else { throw .missing("request_uri") }
        guard let text = value.text?.ascii(atMost: Self.maximumRequestURILength), !text.isEmpty,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .unacceptable("request_uri") }
        guard let lifetime = object["expires_in"] else { throw .missing("expires_in") }
        guard let seconds = lifetime.secondsValue, seconds > 0 else { throw .unacceptable("expires_in") }
        requestURI = text
        expiresIn = seconds
    }
}
