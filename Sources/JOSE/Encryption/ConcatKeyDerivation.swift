// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The Concatenation Key Derivation Function of NIST SP 800-56A section 5.8.1 with SHA-256, as RFC 7518 section 4.6.2
/// uses it for `ECDH-ES`.
///
/// This is neither HKDF (see ``KeyDerivation``) nor swift-crypto's `x963DerivedSymmetricKey`, which puts the counter
/// after the shared secret; here it comes first.
package enum ConcatKeyDerivation {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - sharedSecret: Z, the result of the key agreement.
    ///   - algorithm: The AlgorithmID; for direct key agreement, the header's `enc`.
    ///   - partyUInfo: The bytes of `apu`; empty if it is absent.
    ///   - partyVInfo: The bytes of `apv`; empty if it is absent.
    ///   - byteCount: The number of bytes, at most 8,160 (255 hash lengths); a larger number gives 8,160.
    package static func derive(
        sharedSecret: [UInt8], algorithm: String, partyUInfo: [UInt8], partyVInfo: [UInt8], byteCount: Int
    ) -> [UInt8] {
        let byteCount = min(max(byteCount, 0), 255 * SHA256.byteCount)
        var otherInfo = lengthPrefixed(Array(algorithm.utf8))
        otherInfo += lengthPrefixed(partyUInfo)
        otherInfo += lengthPrefixed(partyVInfo)
        // SuppPubInfo is the length of the key in bits; SuppPrivInfo is empty.
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

    /// The number as 32 bits. Every number here is far below 2^32.
    private static func bigEndian(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }
}
