// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDRelyingParty

/// The keys that sign ID tokens. The first key of each algorithm signs; the others are published, so that tokens of a
/// replaced key remain valid and a new key is known before it signs.
package struct SigningKeys: Sendable {
    /// The maximum number of keys.
    package static let maximumCount = 16

    /// The size of the largest RSA key, in bits. The time of a signature grows with the cube of the size.
    private static let maximumRSABits = 4096

    /// The keys in the order of the configuration.
    package let all: [SigningKey]

    /// The key that signs the tokens of an app without an algorithm of its own: RS256 if there is an RSA key, which is
    /// the default of OpenID Connect Dynamic Client Registration 1.0 section 2.
    package let defaultKey: SigningKey

    /// Reads the keys; `nil` if there are none or too many, one cannot be used, or one is there twice.
    package init?(pem blocks: [Secret]) {
        guard (1...Self.maximumCount).contains(blocks.count) else { return nil }
        let keys = blocks.compactMap { Self.key(pem: $0.exposed) }
        guard keys.count == blocks.count, Set(keys.map(\.keyID)).count == keys.count, let first = keys.first else {
            return nil
        }
        all = keys
        defaultKey = keys.first { $0.algorithm == .rs256 } ?? first
    }

    /// Returns the key that signs with an algorithm; the default key without one, and `nil` if there is no such key.
    package func key(for algorithm: BrokerConfiguration.IDTokenAlgorithm?) -> SigningKey? {
        guard let algorithm else { return defaultKey }
        return all.first { $0.algorithm.rawValue == algorithm.rawValue }
    }

    /// The algorithms of the keys, each once, the default one first.
    package var algorithms: [JSONWebAlgorithm] {
        var algorithms = [defaultKey.algorithm]
        for key in all where !algorithms.contains(key.algorithm) { algorithms.append(key.algorithm) }
        return algorithms
    }

    /// The public keys as a JSON Web Key Set (RFC 7517 section 5).
    package var keySetDocument: [UInt8] { Self.keySetDocument(of: all) }

    /// Returns the public halves of any keys as a JSON Web Key Set (RFC 7517 section 5).
    package static func keySetDocument(of keys: [SigningKey]) -> [UInt8] {
        (["keys": .array(keys.map { .object($0.publicJWK) })] as JSONObject).serialized()
    }

    private static func key(pem: String) -> SigningKey? {
        switch try? SigningKey.defaultAlgorithm(pem: pem) {
        case .es256: return try? SigningKey(pem: pem)
        case .rs256:
            guard let key = try? SigningKey(pem: pem, algorithm: .rs256),
                let modulus = key.publicJWK["n"]?.text?.ascii(atMost: 2048),
                let bytes = Base64URL.decode(modulus), bytes.count <= maximumRSABits / 8
            else { return nil }
            return key
        default: return nil
        }
    }
}
