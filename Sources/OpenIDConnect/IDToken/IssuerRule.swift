// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A rule for the issuers that an ID token may name. Comparison is byte for byte; a trailing slash is significant.
package enum IssuerRule: Sendable, Hashable, CustomStringConvertible {
    /// Exactly this issuer.
    case exact(String)
    /// One of these spellings of an issuer.
    case anyOf([String])
    /// An issuer in which ``tenantPlaceholder`` stands for the token's `tid`, which must be one of the listed tenants.
    /// If no tenant is listed, no token is accepted. A text without the placeholder is accepted as it is, for these
    /// tenants.
    case template(String, tenants: [String])

    /// The placeholder for the tenant ID in an issuer, as Microsoft Entra spells it.
    package static let tenantPlaceholder = "{tenantid}"

    /// The two spellings of Google's issuer in ID tokens. The discovery document uses the first.
    package static let google = IssuerRule.anyOf(["https://accounts.google.com", "accounts.google.com"])

    /// Returns the rule for an issuer as spelled in the provider's metadata.
    /// - Parameter tenants: The tenants whose users may sign in. If there are any, a token must name one of them.
    package static func rule(forIssuer issuer: String, tenants: [String]) -> IssuerRule {
        if !tenants.isEmpty || hasTenantPlaceholder(issuer) { return .template(issuer, tenants: tenants) }
        return issuer.hasSameBytes(as: "https://accounts.google.com") ? .google : .exact(issuer)
    }

    /// Whether an issuer contains the placeholder.
    package static func hasTenantPlaceholder(_ issuer: String) -> Bool { aroundPlaceholder(issuer) != nil }

    /// Whether the rule accepts a token's issuer.
    /// - Parameter tenant: The token's `tid`; `nil` if it is absent or not a string.
    package func accepts(_ issuer: WireText, tenant: WireText?) -> Bool {
        switch self {
        case .exact(let one):
            return issuer.hasSameBytes(as: one)
        case .anyOf(let spellings):
            return spellings.contains { issuer.hasSameBytes(as: $0) }
        case .template(let template, let tenants):
            guard let tenant = tenants.first(where: { tenant?.hasSameBytes(as: $0) == true }) else { return false }
            guard let (before, after) = Self.aroundPlaceholder(template) else {
                return issuer.hasSameBytes(as: template)
            }
            return issuer.hasSameBytes(as: before + tenant + after)
        }
    }

    /// The accepted issuers, for a finding.
    package var description: String {
        switch self {
        case .exact(let one): "'\(one)'"
        case .anyOf(let spellings): spellings.map { "'\($0)'" }.joined(separator: " or ")
        case .template(let template, let tenants): "'\(template)' of one of \(tenants.count) tenants"
        }
    }

    /// The text before and after the placeholder; `nil` if there is none. An additional brace before the placeholder is
    /// not a part of it.
    private static func aroundPlaceholder(_ template: String) -> (before: String, after: String)? {
        guard let brace = template.firstIndex(of: "{"), template[brace...].hasPrefix(tenantPlaceholder) else {
            return nil
        }
        let end = template.index(brace, offsetBy: tenantPlaceholder.count)
        return (String(template[..<brace]), String(template[end...]))
    }
}
