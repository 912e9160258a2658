// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Which issuers an ID token may name. Everything is compared byte for byte: a slash at the end is part of the issuer.
package enum IssuerRule: Sendable, Hashable, CustomStringConvertible {
    /// This issuer alone.
    case exact(String)
    /// One of these spellings of one issuer.
    case anyOf([String])
    /// An issuer with ``tenantPlaceholder`` in it, which stands for the token's `tid`; the tenant must be one of those
    /// listed. No tenant listed, no token accepted. A text without the placeholder is that issuer, for these tenants.
    case template(String, tenants: [String])

    /// What stands for the tenant's id in an issuer, as Microsoft Entra spells it.
    package static let tenantPlaceholder = "{tenantid}"

    /// Google's tokens spell their issuer in one of two ways; its discovery document in the first.
    package static let google = IssuerRule.anyOf(["https://accounts.google.com", "accounts.google.com"])

    /// The rule that goes with an issuer as the provider's metadata spells it.
    /// - Parameter tenants: the tenants whose people may sign in; where any are given they are always required.
    package static func rule(forIssuer issuer: String, tenants: [String]) -> IssuerRule {
        if !tenants.isEmpty || hasTenantPlaceholder(issuer) { return .template(issuer, tenants: tenants) }
        return issuer.hasSameBytes(as: "https://accounts.google.com") ? .google : .exact(issuer)
    }

    /// Whether an issuer has the placeholder in it.
    package static func hasTenantPlaceholder(_ issuer: String) -> Bool { aroundPlaceholder(issuer) != nil }

    /// Whether a token's issuer is one of the rule's.
    /// - Parameter tenant: the token's `tid`, where it is a text.
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

    /// The issuers, for a finding.
    package var description: String {
        switch self {
        case .exact(let one): "'\(one)'"
        case .anyOf(let spellings): spellings.map { "'\($0)'" }.joined(separator: " or ")
        case .template(let template, let tenants): "'\(template)' of one of \(tenants.count) tenants"
        }
    }

    /// What stands before and behind the placeholder; `nil` if there is none. A brace before it is none of it.
    private static func aroundPlaceholder(_ template: String) -> (before: String, after: String)? {
        guard let brace = template.firstIndex(of: "{"), template[brace...].hasPrefix(tenantPlaceholder) else {
            return nil
        }
        let end = template.index(brace, offsetBy: tenantPlaceholder.count)
        return (String(template[..<brace]), String(template[end...]))
    }
}
