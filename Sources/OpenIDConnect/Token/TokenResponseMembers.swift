// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The members of a token endpoint's response (RFC 6749 section 5.1), read strictly. The kind of request determines
/// which of them are required.
struct TokenResponseMembers {
    let idToken: String?
    let accessToken: String?
    let refreshToken: String?
    let expiresIn: Int64?
    let scopes: [String]?

    /// Parses a response.
    init(status: Int, json: [UInt8]) throws(TokenResponseError) {
        // An unavailable server may send any body, which is not a response to the client.
        guard status < 500, status != 429 else { throw .status(status) }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: TokenResponse.maximumBytes))
        } catch {
            throw status == 200 ? .unreadable(error.description) : .status(status)
        }
        if object["error"] != nil {
            guard let error = ProviderError(response: object) else { throw .unacceptable("error") }
            throw .refused(error)
        }
        guard status == 200 else { throw .status(status) }
        idToken = try Self.text("id_token", of: object)
        accessToken = try Self.text("access_token", of: object)
        refreshToken = try Self.text("refresh_token", of: object)
        if accessToken != nil {
            guard let type = try Self.text("token_type", of: object) else { throw .missing("token_type") }
            guard type.lowercased() == "bearer" else { throw .unacceptable("token_type") }
        }
        expiresIn = try Self.lifetime(object["expires_in"])
        if let value = object["scope"], value != .null {
            guard let scope = value.text else { throw .unacceptable("scope") }
            scopes = Scopes.split(scope).map { $0.makeString() }
        } else {
            scopes = nil
        }
    }

    /// A string of printable ASCII; `nil` if it is absent or null.
    private static func text(_ member: String, of object: JSONObject) throws(TokenResponseError) -> String? {
        guard let value = object[member], value != .null else { return nil }
        guard let text = value.text, !text.isEmpty, text.isPrintableASCII,
            let string = text.ascii(atMost: TokenResponse.maximumBytes)
        else { throw .unacceptable(member) }
        return string
    }

    /// A number of seconds, which some providers send as a string.
    private static func lifetime(_ value: JSONValue?) throws(TokenResponseError) -> Int64? {
        guard let value, value != .null else { return nil }
        let digits = value.text?.ascii(atMost: 20).flatMap {
            $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64($0) : nil
        }
        guard let seconds = value.secondsValue ?? digits, seconds >= 0, seconds <= 1 << 40 else {
            throw .unacceptable("expires_in")
        }
        return seconds
    }
}
