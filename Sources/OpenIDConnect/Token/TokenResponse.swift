// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A token endpoint's answer (RFC 6749 section 5.1, OpenID Connect Core 1.0 section 3.1.3.3), read strictly.
package struct TokenResponse: Sendable {
    package let idToken: String
    package let accessToken: String?
    package let refreshToken: String?
    /// Seconds, where the provider said so.
    package let expiresIn: Int64?
    /// The scopes that were granted, where the provider said so; an empty list is an empty list.
    package let scopes: [String]?

    /// The largest answer, bytes.
    package static let maximumBytes = 262_144

    /// Reads an answer.
    /// - Throws: ``TokenResponseError``; ``TokenResponseError/refused(_:)`` where it is an OAuth error answer.
    package init(status: Int, json: [UInt8]) throws(TokenResponseError) {
        // A server that is down may say so in any form; what it says then is not an answer to the client.
        guard status < 500, status != 429 else { throw .status(status) }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: Self.maximumBytes))
        } catch {
            throw status == 200 ? .unreadable(error.description) : .status(status)
        }
        if let error = object["error"] {
            guard let code = error.stringValue, !code.isEmpty else { throw .unacceptable("error") }
            throw .refused(ProviderError(code: code, description: object["error_description"]?.stringValue))
        }
        guard status == 200 else { throw .status(status) }
        func text(_ member: String) throws(TokenResponseError) -> String? {
            guard let value = object[member], value != .null else { return nil }
            guard let string = value.stringValue, !string.isEmpty,
                string.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { throw .unacceptable(member) }
            return string
        }
        guard let idToken = try text("id_token") else { throw .missing("id_token") }
        self.idToken = idToken
        accessToken = try text("access_token")
        refreshToken = try text("refresh_token")
        if accessToken != nil {
            guard let type = try text("token_type") else { throw .missing("token_type") }
            guard type.lowercased() == "bearer" else { throw .unacceptable("token_type") }
        }
        if let value = object["expires_in"], value != .null {
            // Some providers send the number as a string.
            guard
                let seconds = value.secondsValue
                    ?? value.stringValue.flatMap({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64($0) : nil }
                    ), seconds >= 0,
                seconds <= 1 << 40
            else { throw .unacceptable("expires_in") }
            expiresIn = seconds
        } else {
            expiresIn = nil
        }
        if let value = object["scope"], value != .null {
            guard let scope = value.stringValue else { throw .unacceptable("scope") }
            scopes = scope.split(separator: " ").map(String.init)
        } else {
            scopes = nil
        }
    }
}
