// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension ProviderProfile {
    /// Apple: the raw nonce stays here, its SHA-256 goes to Apple, as Apple's and Firebase's own clients do.
    public static let apple = ProviderProfile(nonceForm: .sha256Hexadecimal)
}
