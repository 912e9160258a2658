// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The issuers of the providers of a file, which names none: equal subjects of another issuer are other people.
package struct ProviderIssuers: Sendable {
    /// What an identity of a provider becomes.
    enum Meaning: Sendable, Hashable {
        /// An identity by which somebody can sign in.
        case issuer(String)
        /// A fact, by which nobody can.
        case fact
        /// It is not known.
        case unknown
    }

    /// The word that an operator writes in place of the issuer of a provider that is no longer used.
    package static let none = "none"

    private var issuers: [WireText: String]

    /// Creates the issuers that are known, and those that an operator names.
    /// - Parameter named: The issuers, by the IDs of the providers; `none` for a provider whose identities are only kept.
    package init(_ named: [(provider: String, issuer: String)] = []) {
        issuers = [
            WireText("google.com"): "https://accounts.google.com", WireText("apple.com"): "https://appleid.apple.com",
        ]
        for (provider, issuer) in named { issuers[WireText(provider)] = issuer }
    }

    func meaning(of provider: WireText) -> Meaning {
        if let issuer = issuers[provider] { return issuer.hasSameBytes(as: Self.none) ? .fact : .issuer(issuer) }
        return provider.utf8.starts(with: "oidc.".utf8) ? .unknown : .fact
    }
}
