// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import OpenIDRelyingParty

extension BrokerConfiguration {
    /// Creates the sealing key and the signing key if they are missing, and adds a warning for each to ``warnings``.
    ///
    /// This applies only if ``publicURL`` is a loopback one. Otherwise no key is created and ``validate()`` reports the
    /// missing ones: keys that live as long as one process would end every login and invalidate every ID token at a
    /// restart.
    public mutating func makeMissingKeys() {
        guard publicURL.isLoopback else { return }
        if sealingKeys.isEmpty {
            sealingKeys = [Secret(Base64.encode(SecureRandom.bytes(32)))]
            warnings.append("auth.sealing-keys is not set: made one for this run; logins do not outlive it.")
        }
        if signingKey == nil {
            signingKey = Secret(P256.Signing.PrivateKey().pemRepresentation)
            warnings.append("auth.signing-key is not set: made one for this run; ID tokens cannot be checked after it.")
        }
    }
}
