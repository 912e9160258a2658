// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE

/// The issuers of the providers of a file, which names none: equal subjects of another issuer are other users.
package struct ProviderIssuers: Sendable {
    /// What an identity of a provider becomes.
    enum Meaning: Sendable, Hashable {
        /// An identity that can sign in.
        case issuer(String)
        /// An identity that has Entra's object id, of this tenant, in place of the subject.
        case entraTenant(String)
        /// A fact, which cannot.
        case fact
        /// It is not known.
        case unknown
    }

    /// The word that an operator writes in place of the issuer of a provider that is no longer used.
    package static let none = "none"
    /// The provider whose users have an object id of Microsoft Entra.
    package static let microsoft = "microsoft.com"

    private var issuers: [WireText: String]
    private let tenant: String?
    private let asked: Set<WireText>
    private let configured: @Sendable (String) -> String?

    /// Creates the issuers that are known, and those that an operator names.
    /// - Parameters:
    ///   - named: The issuers, by the IDs of the providers; `none` for a provider whose identities are only kept.
    ///   - tenant: The tenant of Microsoft Entra to which the users of `microsoft.com` belong; `nil` if it is not known.
    ///   - asked: The IDs of providers whose issuers have to be named, beside those of `oidc.*`.
    package init(
        _ named: [(provider: String, issuer: String)] = [], tenant: String? = nil, asking asked: [String] = []
    ) {
        self.tenant = tenant
        self.asked = Set(asked.map { WireText($0) })
        configured = { _ in nil }
        issuers = [
            WireText("google.com"): "https://accounts.google.com", WireText("apple.com"): "https://appleid.apple.com",
        ]
        for (provider, issuer) in named { issuers[WireText(provider)] = issuer }
    }

    /// Creates the issuers that are known, and those of the providers of a server.
    /// - Parameters:
    ///   - tenant: The tenant of Microsoft Entra to which the users of `microsoft.com` belong; `nil` if it is not known.
    ///   - configured: Returns the issuer of a provider by its ID; `nil` if the server has none, or it has several.
    package init(tenant: String?, configured: @escaping @Sendable (String) -> String?) {
        issuers = Self().issuers
        asked = []
        self.tenant = tenant
        self.configured = configured
    }

    func meaning(of provider: WireText) -> Meaning {
        if provider.hasSameBytes(as: Self.microsoft), issuers[provider] == nil {
            return tenant.map { .entraTenant($0) } ?? .unknown
        }
        if let issuer = provider.visibleASCII(atMost: 128).flatMap(configured) { return .issuer(issuer) }
        if let issuer = issuers[provider] { return issuer.hasSameBytes(as: Self.none) ? .fact : .issuer(issuer) }
        return provider.utf8.starts(with: "oidc.".utf8) || asked.contains(provider) ? .unknown : .fact
    }

    /// The issuer of the identities of a provider; `nil` if they cannot sign in.
    package func issuer(of provider: String) -> String? {
        switch meaning(of: WireText(provider)) {
        case .issuer(let issuer): issuer
        case .entraTenant(let tenant): IdentityKey.entraIssuer(of: tenant)
        case .fact, .unknown: nil
        }
    }
}
