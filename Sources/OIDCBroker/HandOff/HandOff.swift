// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The one-time code an app redeems, and the sealing of what it stands for.
///
/// The record is sealed under a key derived from the code; the store gets the code's hash and the ciphertext, so that
/// whoever reads the store learns nothing and whoever has the code needs the store.
package struct HandOff: Sendable {
    /// How long a code lives, seconds.
    package static let lifetime: Int64 = 60

    private static let sealPrefix = Array("oidc-broker hand-off seal v1".utf8)

    /// The code: 256 random bits, 43 characters.
    package let code: String
    private let secret: SealingSecret
    /// The cipher's nonce, 12 bytes; empty in a code that somebody sent, which seals nothing.
    private let nonce: [UInt8]

    /// A new code, by one entropy call.
    package init() {
        let random = SecureRandom.bytes(32 + AuthenticatedEncryption.nonceByteCount)
        self.init(bytes: Array(random[..<32]), nonce: Array(random[32...]))
    }

    /// A code that somebody sent; `nil` if it is not spelled as ours are.
    package init?(code: WireText) {
        guard code.utf8.count == 43, let bytes = Base64URL.decode(code), bytes.count == 32 else { return nil }
        self.init(bytes: bytes, nonce: [])
    }

    private init(bytes: [UInt8], nonce: [UInt8]) {
        self.nonce = nonce
        code = Base64URL.encode(bytes)
        key = SingleUseKey(.handOff, bytes)
        // The code is 256 uniform bits: one hash with its own prefix derives as well as HKDF does, at a tenth of the cost.
        secret = SealingSecret(bytes: Hash.sha256(Self.sealPrefix + bytes))
    }

    /// The entry's name in the store.
    package let key: SingleUseKey

    /// Seals a record, once; `nil` if the cipher fails, and for a code that was not made here.
    package func seal(_ record: HandOffRecord) -> [UInt8]? {
        try? AuthenticatedEncryption.seal(record.encoded, key: secret, nonce: nonce, authenticating: key.bytes)
    }

    /// Opens a record; `nil` if it was not sealed under this code.
    package func open(_ sealed: [UInt8]) -> HandOffRecord? {
        AuthenticatedEncryption.open(sealed, key: secret, authenticating: key.bytes).flatMap(HandOffRecord.init)
    }
}
