// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect
public import OpenIDRelyingParty

extension ProviderProfile {
    /// The profile of Apple. The raw nonce stays with this server and its SHA-256 is sent to Apple, as Apple's and
    /// Firebase's own clients do. Apple's rule for platforms without a nonce applies to native credentials of apps for
    /// which a nonce is optional.
    public static let apple = ProviderProfile(nonceForm: .sha256Hexadecimal, policy: .apple)
}

extension IDTokenPolicy {
    /// The standard policy with ``IDTokenCheck/appleNonce`` in place of ``IDTokenCheck/nonce``.
    package static let apple = IDTokenPolicy(
        checks: standard.checks.map { $0.name == IDTokenCheck.nonce.name ? .appleNonce : $0 })
}
