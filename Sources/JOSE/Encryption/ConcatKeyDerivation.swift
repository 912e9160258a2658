// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The Concatenation Key Derivation Function of NIST SP 800-56A section 5.8.1 with SHA-256, as RFC 7518 section 4.6.2
/// uses it for `ECDH-ES`.
///
/// Not ``KeyDerivation``, which is HKDF, and not what swift-crypto's `x963DerivedSymmetricKey` does: there the counter
/// stands behind the shared secret, here before it.
package enum ConcatKeyDerivation {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - sharedSecret: Z, the result of the key agreement.
    ///   - algorithm: AlgorithmID: for direct agreement the `enc` of the header.
    ///   - partyUInfo: The bytes of `apu`, empty where absent.
    ///   - partyVInfo: The bytes of `apv`, empty where absent.
    ///   - byteCount: How many bytes; more than 8,160 (255 hash lengths) are not given.
    package static func derive(
        sharedSecret: [UInt8], algorithm: String, partyUInfo: [UInt8], partyVInfo: [UInt8], byteCount: Int
    ) -> [UInt8] {
        let byteCount = min(max(byteCount, 0), 255 * SHA256.byteCount)
        var otherInfo = lengthPrefixed(Array(algorithm.utf8))
        otherInfo += lengthPrefixed(partyUInfo)
        otherInfo += lengthPrefixed(partyVInfo)
        // SuppPubInfo is the key's length in bits, SuppPrivInfo is empty.
        otherInfo += bigEndian(byteCount * 8)
        var key: [UInt8] = []
        key.reserveCapacity(byteCount + SHA256.byteCount)
        var round = 1
        while key.count < byteCount {
            key += Hash.sha256(bigEndian(round) + sharedSecret + otherInfo)
            round += 1
        }
        return Array(key.prefix(byteCount))
    }

    private static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
        bigEndian(bytes.count) + bytes
    }

    /// 32 bits; every number here is far below 2^32.
    private static func bigEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }
}
