// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import SingleUse

/// A hand-off code, which an app redeems once, and the encryption of its record.
///
/// The record is sealed under a key derived from the code. The store receives the hash of the code and the ciphertext,
/// so reading the store reveals nothing, and the code is of no use without the store.
package struct HandOff: Sendable {
    /// The lifetime of a code, in seconds.
    package static let lifetime: Int64 = 60
    /// The time for which a repetition of a redeemed code is recognized, in seconds, however long its tokens live.
    package static let claimLifetime: Int64 = 600

    private static let prefix = Array("oidc-broker hand-off v3".utf8)
    private static let seedPrefix = Array("oidc-broker refresh token seed v1".utf8)

    /// The code: 256 random bits.
    private let bytes: [UInt8]
    private let secret: SealingSecret
    /// The nonce of the cipher, 12 bytes; empty in a received code, which is not used for sealing.
    private let nonce: [UInt8]

    /// Creates a code, with a single call for random bytes.
    package init() {
        let random = SecureRandom.bytes(32 + AuthenticatedEncryption.nonceByteCount)
        self.init(bytes: Array(random[..<32]), nonce: Array(random[32...]))
    }

    /// Creates a code from received text; `nil` if it does not have the form of a code.
    package init?(code: WireText) {
        guard code.utf8.count == 43, let bytes = Base64URL.decode(code), bytes.count == 32 else { return nil }
        self.init(bytes: bytes, nonce: [])
    }

    private init(bytes: [UInt8], nonce: [UInt8]) {
        self.nonce = nonce
        self.bytes = bytes
        key = SingleUseKey(.handOff, bytes)
        // The code consists of 256 uniformly random bits, so one hash with a prefix of its own derives a key as well as
        // HKDF, at a lower cost.
        secret = SealingSecret(bytes: Hash.sha256(Self.prefix + bytes))
    }

    /// The code as the app receives it, 43 characters.
    package var code: String { Base64URL.encode(bytes) }

    /// The key of the entry in the store.
    package let key: SingleUseKey

    /// The identifier of the access token that the code is redeemed for, 16 bytes. It is derived from the code alone,
    /// so a repeated redemption ends the access token of the first one. It is no secret, and neither is the key.
    package var accessTokenID: [UInt8] { Array(key.bytes[..<16]) }

    /// The identifier of the session that the code begins, 16 bytes, and what makes its refresh token, 32 bytes. Both are
    /// derived from the code, so a repeated redemption finds the session of the first one.
    package var session: (id: [UInt8], seed: [UInt8]) {
        (
            Array(SingleUseKey(.sessionOfCode, bytes).bytes[..<16]),
            Hash.sha256(Self.seedPrefix + bytes)
        )
    }

    /// Seals a record, once; `nil` if the cipher fails, and for a received code.
    package func seal(_ record: HandOffRecord) -> [UInt8]? {
        SealedValue.seal(record.encoded, with: secret, at: key, nonce: nonce)
    }

    /// Opens a record; `nil` if it was not sealed under this code.
    package func open(_ sealed: [UInt8]) -> HandOffRecord? {
        SealedValue.open(sealed, with: secret, at: key).flatMap(HandOffRecord.init)
    }
}
