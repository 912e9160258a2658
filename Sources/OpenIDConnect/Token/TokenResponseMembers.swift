// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The members of a token endpoint's response (RFC 6749 section 5.1). The kind of request determines which of them are
/// required.
///
/// A member that is null or empty is absent. An optional one that cannot be read is left out, since most sign-ins do not
/// use it; an ID token and the type of an access token are judged whenever they are there.
struct TokenResponseMembers {
    let idToken: String?
    /// The access token; `nil` also for one that is not printable ASCII.
    let accessToken: String?
    let refreshToken: String?
    let expiresIn: Int64?
    let scopes: [String]?
    /// Whether there is an access token that cannot be used.
    let hasUnusableAccessToken: Bool

    /// Parses a response.
    /// - Parameter tokenType: The type that an access token must have.
    init(status: Int, json: [UInt8], tokenType: AccessTokenType) throws(TokenResponseError) {
        // An unavailable server may send any body, which is not a response to the client.
        guard status < 500, status != 429 else { throw .status(status) }
        let object: JSONObject
        do {
            object = try JSONParser.object(json, limits: JSONLimits(maximumBytes: TokenResponse.maximumBytes))
        } catch {
            throw status == 200 ? .unreadable(error.description) : .status(status)
        }
        if object.present("error") != nil {
            guard let error = ProviderError(response: object) else { throw .unacceptable("error") }
            throw .refused(error)
        }
        guard status == 200 else { throw .status(status) }
        idToken = Self.text(object.present("id_token"))
        guard idToken != nil || object.present("id_token") == nil else { throw .unacceptable("id_token") }
        accessToken = Self.text(object.present("access_token"))
        hasUnusableAccessToken = accessToken == nil && object.present("access_token") != nil
        refreshToken = Self.text(object.present("refresh_token"))
        if accessToken != nil {
            guard let type = object.present("token_type") else { throw .missing("token_type") }
            guard type.text?.ascii(atMost: 16)?.lowercased() == tokenType.lowercaseName else {
                throw .unacceptable("token_type")
            }
        }
        expiresIn = object.present("expires_in").flatMap(Self.lifetime)
        scopes = Self.scopes(object["scope"])
    }

    /// A string of printable ASCII.
    private static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.text, text.isPrintableASCII else { return nil }
        return text.ascii(atMost: TokenResponse.maximumBytes)
    }

    /// A number of seconds, which some providers send as a string.
    private static func lifetime(_ value: JSONValue) -> Int64? {
        let digits = value.text?.ascii(atMost: 20).flatMap {
            $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64($0) : nil
        }
        guard let seconds = value.secondsValue ?? digits, seconds >= 0, seconds <= 1 << 40 else { return nil }
        return seconds
    }

    /// The names in a string, or in an array of strings, as Twitch sends them. An empty one says that none is granted.
    private static func scopes(_ value: JSONValue?) -> [String]? {
        let texts = value?.text.map { [$0] } ?? value.flatMap { Claims(["scope": $0]).texts("scope") }
        return texts?.flatMap { Scopes.split($0) }.map { $0.makeString() }
    }
}
