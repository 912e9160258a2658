// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect
public import OpenIDRelyingParty

extension ProviderProfile {
    /// Apple: the raw nonce stays here, its SHA-256 goes to Apple, as Apple's and Firebase's own clients do; and
    /// Apple's rule for platforms without a nonce holds for native credentials whose app may do without one.
    public static let apple = ProviderProfile(nonceForm: .sha256Hexadecimal, policy: .apple)
}

extension IDTokenPolicy {
    /// The standard list with ``AppleNonceCheck`` in the place of ``NonceCheck``; nothing else is different.
    package static let apple = IDTokenPolicy(
        checks: standard.checks.map { check -> any IDTokenCheck in check is NonceCheck ? AppleNonceCheck() : check })
}
