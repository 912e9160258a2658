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

    /// The claims as the text of a JSON object, at most ``AccountLimits/customClaimsBytes`` bytes.
    public let json: String

    /// Creates claims; `nil` if the text is too long, is not a JSON object, has a name twice, or has a reserved name.
    public init?(json: String) {
        guard let object = Self.object(json),
            !object.members.contains(where: { $0.name.ascii(atMost: 16).map(Self.reservedNames.contains) ?? false })
        else { return nil }
        self.json = json
    }

    /// The members, which were checked when the claims were created.
    var members: JSONObject { Self.object(json) ?? JSONObject() }

    /// Whether there is no claim.
    package var isEmpty: Bool { members.members.isEmpty }

    public var description: String { json }

    private static func object(_ json: String) -> JSONObject? {
        try? JSONParser.object(
            Array(json.utf8), limits: JSONLimits(maximumBytes: AccountLimits.customClaimsBytes, maximumDepth: 8))
    }

    /// Whether both are the same bytes.
    public static func == (left: CustomClaims, right: CustomClaims) -> Bool { left.json.hasSameBytes(as: right.json) }

    public func hash(into hasher: inout Hasher) { hasher.combine(WireText(json)) }
}
