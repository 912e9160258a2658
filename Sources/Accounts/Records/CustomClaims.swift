// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Claims that the operator gave an account. Its ID tokens carry them at the top level.
public struct CustomClaims: Sendable, Hashable, CustomStringConvertible {
    /// The names that no custom claim may have: those of JWT (RFC 7519 section 4.1), of ID tokens (OpenID Connect Core 1.0
    /// section 2), and of the tokens of accounts.
    public static let reservedNames: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cnf", "email", "email_verified", "exp",
        "firebase",
        "iat", "iss", "jti", "name", "nbf", "nonce", "picture", "sid", "sub", "user_id",
    ]

    /// The claims as the text of a JSON object, at most ``AccountLimits/customClaimsCharacters`` UTF-16 code units.
    public let json: String

    /// Creates claims; `nil` if the text is too long, is not a JSON object, has a name twice, or has a reserved name.
    public init?(json: String) {
        guard Self.isShort(json), let object = Self.object(json, depth: 8),
            !object.members.contains(where: { Self.isReserved($0.name) })
        else { return nil }
        self.json = json
    }

    /// Creates claims that another system has accepted: claims of reserved names are kept, but are not among those of
    /// tokens. `nil` if the text is too long, is no JSON object, or has a name twice.
    package init?(imported json: String) {
        guard Self.isShort(json), Self.object(json) != nil else { return nil }
        self.json = json
    }

    /// Whether claims are not too long.
    package static func isShort(_ json: String) -> Bool {
        // No code unit has more than three bytes.
        json.utf8.count <= longestText && json.utf16.count <= AccountLimits.customClaimsCharacters
    }

    private static let longestText = 3 * AccountLimits.customClaimsCharacters

    /// The members of tokens, which were checked when the claims were created.
    var members: JSONObject {
        var members = Self.object(json) ?? JSONObject()
        members.removeMembers(where: Self.isReserved)
        return members
    }

    /// Whether there is no claim.
    package var isEmpty: Bool { Self.object(json)?.members.isEmpty ?? true }

    /// Whether a claim has a reserved name, as only imported ones may.
    package var hasReservedName: Bool { reservedName != nil }

    /// The first reserved name that a claim has; `nil` if none has one.
    package var reservedName: String? {
        Self.object(json)?.members.first { Self.isReserved($0.name) }?.name.ascii(atMost: 16)
    }

    private static func isReserved(_ name: WireText) -> Bool {
        name.ascii(atMost: 16).map(reservedNames.contains) ?? false
    }

    public var description: String { json }

    private static func object(_ json: String, depth: Int = JSONLimits.deepest) -> JSONObject? {
        try? JSONParser.object(
            Array(json.utf8),
            limits: JSONLimits(maximumBytes: longestText, maximumDepth: depth))
    }

    /// Whether both are the same bytes.
    public static func == (left: CustomClaims, right: CustomClaims) -> Bool { left.json.hasSameBytes(as: right.json) }

    public func hash(into hasher: inout Hasher) { hasher.combine(WireText(json)) }
}
