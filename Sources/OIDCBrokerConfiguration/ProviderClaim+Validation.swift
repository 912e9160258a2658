// SPDX-License-Identifier: Apache-2.0

extension BrokerConfiguration.ProviderClaim {
    /// The claims of scope `profile` (OpenID Connect Core 1.0 section 5.4).
    package static let ofProfile = [
        "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
    ]

    /// The claims of OpenID Connect Core 1.0 section 5.1, which have one meaning everywhere: none takes the place of one.
    static let standard = Set(
        ofProfile + never + ["address", "phone_number", "phone_number_verified"])

    /// What the broker decides by itself: how apps tell users apart, and whether an email is theirs.
    private static let never = ["sub", "email", "email_verified"]

    /// The claims of a token, and not of a user (RFC 7519 section 4.1, OpenID Connect Core 1.0 section 2, RFC 9068, RFC
    /// 8417), and those of the broker.
    private static let reserved = Set(
        never + [
            "iss", "aud", "exp", "nbf", "iat", "jti",
            "auth_time", "nonce", "acr", "amr", "azp", "at_hash", "c_hash", "s_hash", "_claim_names", "_claim_sources",
            "client_id", "scope", "cnf", "act", "may_act", "events",
            "account", "provider", "upstream_iss", "upstream_sub", "sid",
            "is_private_email", "real_user_status", "transfer_sub",
        ])

    /// A description of a valid list. It completes the sentence "expected …".
    static let expectation =
        "name, or name=path for another name or a path, such as roles=realm_access.roles, each name once; the parameter "
        + "of requests is claims-parameter"

    /// Returns what is wrong with claims; `nil` if nothing is.
    static func reason(of claims: [Self]) -> String? {
        let names = claims.map(\.name)
        guard Set(names).count == names.count else { return "a name is listed twice" }
        return claims.lazy.compactMap(\.reason).first
    }

    private var reason: String? {
        guard (1...128).contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfName) else {
            return "a name has 1 to 128 letters, digits and '-', '.', '_', ':', '/'"
        }
        guard ConfigurationSyntax.isVisible(path), path.utf8.count <= 256 else {
            return "a path has 1 to 256 visible ASCII characters"
        }
        guard !Self.never.contains(path), !Self.reserved.contains(name) else {
            return "'\(name)' is not configured here, or is a claim of the broker or of a token"
        }
        guard name == path else {
            let root = path.utf8.prefix { $0 != UInt8(ascii: ".") }
            guard !Self.standard.contains(String(Substring(root))) else {
                return "'\(path)' is defined by OpenID Connect, and can be passed on under its own name only"
            }
            return Self.standard.contains(name)
                ? "'\(name)' is defined by OpenID Connect: no other claim can replace it" : nil
        }
        return name.utf8.contains(UInt8(ascii: ".")) && !name.utf8.contains(UInt8(ascii: ":"))
            ? "a path needs a name, as in roles=\(path)" : nil
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
