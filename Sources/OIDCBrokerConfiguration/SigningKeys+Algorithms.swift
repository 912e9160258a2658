// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDRelyingParty
package import Signing

extension SigningKeys {
    /// Reads the keys; `nil` if they cannot be used.
    package init?(pem blocks: [Secret]) {
        guard let keys = try? SigningKeys(blocks: blocks.map(\.exposed)) else { return nil }
        self = keys
    }

    /// Returns the reason why keys cannot be used, as a sentence without a full stop.
    package static func problem(of keys: [Secret]) -> String {
        let texts = keys.map(\.exposed)
        do throws(SigningKeysError) {
            _ = try SigningKeys(blocks: texts)
            return "a key cannot be used"
        } catch {
            guard let number = error.keyNumber, error.code != .duplicate, texts.indices.contains(number - 1) else {
                return "\(error)"
            }
            let problem = PrivateKeyProblem(texts[number - 1], kinds: [.p256, .rsa], bits: 2048...4096)
            return "\(keys.count > 1 ? "key \(number)" : "the key") \(problem)"
        }
    }

    /// The key that signs the tokens of an app without an algorithm of its own: RS256 if there is an RSA key, which is
    /// the default of OpenID Connect Dynamic Client Registration 1.0 section 2.
    package var defaultKey: SigningKey { all.first { $0.algorithm == .rs256 } ?? signing }

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
}
