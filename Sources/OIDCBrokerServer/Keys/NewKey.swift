// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDRelyingParty

/// The making of a key in the form that the configuration reads.
package enum NewKey {
    /// Returns a new key as the text of a file: base64 of 32 random bytes for sealing, PEM with PKCS#8 otherwise.
    ///
    /// - Parameter algorithm: ES256, which is the default, or RS256 with 2048 bits, which is slow to make; for a client key
    ///   also ES384 and ES512. A sealing key has none, a webhook key is one for ES256, and a decryption key is of the kind
    ///   that signs with it.
    /// - Throws: ``KeyFileError/unexpectedContents(_:)`` if no such key serves for the kind, or
    ///   ``KeyFileError/noKeyMade``.
    package static func text(_ kind: KeyKind, algorithm: JSONWebAlgorithm?) throws(KeyFileError) -> Secret {
        if let algorithm, !algorithms(of: kind).contains(algorithm) { throw .unexpectedContents(kind) }
        guard kind != .sealing else {
            return Secret(Base64.encode(SecureRandom.bytes(SealingSecret.byteCount)) + "\n")
        }
        guard let pem = try? SigningKey.generatePEM(algorithm ?? .es256) else { throw .noKeyMade }
        return Secret(pem)
    }

    /// Returns the algorithms for which a key of a kind can be made; none for sealing.
    package static func algorithms(of kind: KeyKind) -> [JSONWebAlgorithm] {
        switch kind {
        case .sealing: []
        case .signing, .resource, .accounts, .sessionCookies, .decryption: [.es256, .rs256]
        case .client: [.es256, .es384, .es512, .rs256]
        case .webhook: [.es256]
        }
    }
}
