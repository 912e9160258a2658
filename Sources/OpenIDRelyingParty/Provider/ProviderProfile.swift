// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

/// What a kind of provider does otherwise than the standard says.
public struct ProviderProfile: Sendable, Hashable {
    /// How the raw nonce is sent to the provider, and so stands in its ID token.
    package enum NonceForm: Sendable, Hashable {
        case plain
        /// The lower-case hexadecimal SHA-256 of the raw nonce.
        case sha256Hexadecimal
    }

    package var nonceForm: NonceForm
    /// What its ID tokens are held to.
    package var policy: IDTokenPolicy

    package init(nonceForm: NonceForm, policy: IDTokenPolicy = .standard) {
        self.nonceForm = nonceForm
        self.policy = policy
    }

    /// Any OpenID Provider, by the standard.
    public static let openIDConnect = ProviderProfile(nonceForm: .plain)

    /// The nonce as the provider gets it.
    package func nonce(fromRaw raw: String) -> String {
        switch nonceForm {
        case .plain: return raw
        case .sha256Hexadecimal:
            let digits = Array("0123456789abcdef".utf8)
            return String(
                decoding: Hash.sha256(raw.utf8).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    /// The kinds of the policy's checks, in their order: what tells two policies apart.
    private var checkTypes: [ObjectIdentifier] { policy.checks.map { ObjectIdentifier(type(of: $0)) } }

    public static func == (left: ProviderProfile, right: ProviderProfile) -> Bool {
        left.nonceForm == right.nonceForm && left.checkTypes == right.checkTypes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(nonceForm)
        hasher.combine(checkTypes)
    }
}
