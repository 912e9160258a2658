// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

/// The deviations of a kind of provider from the standard.
public struct ProviderProfile: Sendable, Hashable {
    /// The form in which the raw nonce is sent to the provider, and so appears in the ID token.
    package enum NonceForm: Sendable, Hashable {
        case plain
        /// The lowercase hexadecimal SHA-256 of the raw nonce.
        case sha256Hexadecimal
    }

    package var nonceForm: NonceForm
    /// The policy against which ID tokens are validated.
    package var policy: IDTokenPolicy

    package init(nonceForm: NonceForm, policy: IDTokenPolicy = .standard) {
        self.nonceForm = nonceForm
        self.policy = policy
    }

    /// The profile of an OpenID Provider that follows the standard.
    public static let openIDConnect = ProviderProfile(nonceForm: .plain)

    /// Returns the nonce in the form in which it is sent to the provider.
    package func nonce(fromRaw raw: String) -> String {
        switch nonceForm {
        case .plain: return raw
        case .sha256Hexadecimal:
            return Hexadecimal.text(Hash.sha256(raw.utf8))
        }
    }
}
