// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import OpenIDRelyingParty

extension BrokerConfiguration {
    /// Makes the sealing key and the signing key where they are absent, and adds a warning for each to ``warnings``.
    ///
    /// Only where ``publicURL`` is loopback; elsewhere nothing is made, and ``validate()`` reports what is missing: keys
    /// that live as long as one process would end every login and void every ID token at a restart.
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

    /// The errors in the two keys.
    func keyErrors() -> [ConfigurationError] {
        var errors: [ConfigurationError] = []
        let isMade = "(made at start only where auth.public-url is loopback)"
        if sealingKeys.isEmpty {
            if !publicURL.isLoopback {
                errors.append(.init(key: "auth.sealing-keys", expected: "\(Self.sealingKeys), required \(isMade)"))
            }
        } else {
            let decoded = sealingKeys.map { Base64.decode($0.exposed) }
            if decoded.contains(where: { $0?.count != 32 }) || Set(sealingKeys).count != sealingKeys.count {
                errors.append(.init(key: "auth.sealing-keys", expected: Self.sealingKeys))
            }
        }
        if let signingKey {
            if (try? SigningKey(pem: signingKey.exposed)) == nil {
                errors.append(.init(key: "auth.signing-key", expected: Self.signingKey))
            }
        } else if !publicURL.isLoopback {
            errors.append(.init(key: "auth.signing-key", expected: "\(Self.signingKey), required \(isMade)"))
        }
        return errors
    }

    private static let sealingKeys = "base64 of exactly 32 bytes for each key, newest first, each given once"
    private static let signingKey = "the PEM text of a P-256 private key"
}
