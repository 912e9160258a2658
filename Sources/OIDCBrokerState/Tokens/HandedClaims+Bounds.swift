// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OIDCBrokerConfiguration

/// Limits on the claims that are handed on, since a provider's claims may be of any length.
extension HandedClaims {
    /// The maximum length of a claim, in bytes of its text.
    package static let maximumLength = 1024
    /// The maximum length of `picture`, a URL, in bytes.
    static let maximumPictureLength = 2048
    /// The maximum length of an ID token's claims before minting adds its own, in bytes of JSON. Even with the longest
    /// signature (RSA of 8192 bits), the token stays below ``TokenIssuer/maximumTokenLength``.
    static let maximumTotalLength = 4800

    /// Claims that are short enough for an ID token.
    package struct Bounded: Sendable, Hashable {
        /// The claims that are handed on.
        package let claims: JSONObjectText
        /// The names of the claims that are left out, in the order in which they were. These are names that the broker
        /// defines.
        package let leftOut: [String]
        /// The `sub` among the claims.
        package let subject: String
    }

    /// The claims without which a token is meaningless. If one of them is too long, the sign-in is refused.
    private static let required = ["iss", "sub", "aud", "nonce", "upstream_iss", "upstream_sub", "provider", "account"]

    /// Claims that depend on another one and are left out with it.
    private static let companions = ["email": ["email_verified", "is_private_email"]]

    /// Leaves out each claim that is too long, and then the longest ones until all of them fit: first those that UserInfo
    /// has nevertheless.
    /// - Parameters:
    ///   - subject: The `sub` among the claims.
    ///   - configured: The names of claims that an app may decide by, whose own length was checked. They are not left out.
    ///   - kept: The names of those of them that UserInfo has nevertheless.
    /// - Throws: An error that names a required claim that is too long.
    static func bounded(
        _ claims: JSONObject, subject: String, keeping configured: [String] = [], atUserInfo kept: [String] = []
    ) throws(ClaimError) -> Bounded {
        var text = JSONObjectText(claims)
        // In a short text nothing is too long: a value is never longer than what it is written as.
        let shortest = min(maximumLength, maximumPictureLength, maximumTotalLength)
        guard text.bytes.count > shortest else { return Bounded(claims: text, leftOut: [], subject: subject) }
        var claims = claims
        var leftOut: [String] = []
        func leaveOut(_ name: String) {
            for name in [name] + (companions[name] ?? []) where claims[name] != nil {
                claims[name] = nil
                leftOut.append(name)
            }
        }
        func isConfigured(_ member: JSONObject.Member) -> Bool {
            configured.contains { member.name.hasSameBytes(as: $0) }
        }
        for member in claims.members where !isConfigured(member) {
            let name = member.name.makeString()
            let maximum = name == "picture" ? maximumPictureLength : maximumLength
            guard length(member.value) > maximum else { continue }
            guard !required.contains(name) else {
                throw ClaimError("'\(name)' is longer than \(maximum) bytes")
            }
            leaveOut(name)
        }
        if !leftOut.isEmpty { text = JSONObjectText(claims) }
        var kept = kept.compactMap { name in claims[name].map { (name: name, length: $0.serialized().count) } }
        kept.sort { $0.length < $1.length }
        while let longest = kept.last,
            longest.length > BrokerConfiguration.ProviderClaim.maximumLength || text.bytes.count > maximumTotalLength
        {
            kept.removeLast()
            claims[longest.name] = nil
            text = JSONObjectText(claims)
        }
        while text.bytes.count > maximumTotalLength {
            let optional = claims.members.filter {
                $0.value.text != nil && !required.contains($0.name.makeString()) && !isConfigured($0)
            }
            guard let longest = optional.max(by: { $0.value.serialized().count < $1.value.serialized().count }) else {
                let names = configured.map { "'\($0)'" }.joined(separator: ", ")
                throw ClaimError(
                    "the claims\(names.isEmpty ? "" : ", with \(names),") are longer than \(maximumTotalLength) bytes")
            }
            leaveOut(longest.name.makeString())
            text = JSONObjectText(claims)
        }
        return Bounded(claims: text, leftOut: leftOut, subject: subject)
    }

    private static func length(_ value: JSONValue) -> Int {
        value.text?.utf8.count ?? value.serialized().count
    }
}
