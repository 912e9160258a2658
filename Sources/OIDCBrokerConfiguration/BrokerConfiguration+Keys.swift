// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import OpenIDRelyingParty
import Signing

extension BrokerConfiguration {
    /// Creates a sealing key, signing keys and, with ``resources``, a key for their access tokens, if they are missing, and adds a warning for each to ``warnings``.
    ///
    /// This applies only if ``publicURL`` is a loopback one. Otherwise no key is created and ``validate()`` reports the
    /// missing ones: keys that live as long as one process would end every login and invalidate every ID token at a
    /// restart. The signing keys are a P-256 one and an RSA one: many clients take RS256 alone unless they are told
    /// otherwise. The RSA key takes long to generate, and is the same for all configurations of a process.
    public mutating func makeMissingKeys() {
        guard publicURL.isLoopback else { return }
        if sealingKeys.isEmpty {
            sealingKeys = [Secret(Base64.encode(SecureRandom.bytes(32)))]
            hasMadeSealingKey = true
            warnings.append("auth.sealing-keys is not set: made a key for this run; a restart ends logins in progress.")
        }
        if signingKeys.isEmpty {
            signingKeys = [P256.Signing.PrivateKey().pemRepresentation, Self.madeRSAKey].compactMap {
                $0.map { Secret($0) }
            }
            hasMadeSigningKey = true
            warnings.append(
                "auth.signing-keys is not set: made a P-256 and an RSA key for this run; after a restart, its ID tokens "
                    + "cannot be verified.")
        }
        if resourceSigningKeys.isEmpty, !resources.isEmpty {
            resourceSigningKeys = [Secret(P256.Signing.PrivateKey().pemRepresentation)]
            hasMadeResourceSigningKey = true
            warnings.append(
                "auth.resource-signing-keys is not set: made a P-256 key for this run; after a restart, its access "
                    + "tokens for APIs cannot be verified.")
        }
    }

    /// The RSA key that is made; `nil` if the library cannot make one.
    private static let madeRSAKey = try? SigningKey.generatePEM(.rs256)

    /// Takes over the keys that were made for a configuration in use instead of those that were made for this one, so
    /// that a reload without a change ends no login.
    package mutating func keepMadeKeys(of running: BrokerConfiguration) {
        if hasMadeSealingKey, running.hasMadeSealingKey { sealingKeys = running.sealingKeys }
        if hasMadeSigningKey, running.hasMadeSigningKey { signingKeys = running.signingKeys }
        if hasMadeResourceSigningKey, running.hasMadeResourceSigningKey {
            resourceSigningKeys = running.resourceSigningKeys
        }
    }

    /// Adds a warning to ``warnings`` if there is no RSA key.
    ///
    /// - Parameter keys: The signing keys that are set.
    mutating func warnOfMissingRS256(among keys: SigningKeys) {
        guard keys.key(for: .rs256) == nil else { return }
        warnings.append(
            "auth.signing-keys has no RSA key: ID tokens cannot be signed with RS256, which OpenID Connect Discovery "
                + "1.0 section 3 requires and some clients expect.")
    }
}
