// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import JOSE

/// RSA keys that are generated once per process, because generating one is slow, most of all in a
/// debug build.
///
/// A key can serve two algorithms, so that a test can name a wrong algorithm for a valid signature.
package enum SharedRSAKeys {
    private static let first = Result { try find() }
    private static let second = Result { try find() }
    private static let third = Result { try find() }

    /// Returns the key with this number, modulo three, as a key of the algorithm.
    static func key(_ number: Int, _ algorithm: JSONWebAlgorithm) throws -> SigningKey {
        try SigningKey(pem: pem(number), algorithm: algorithm)
    }

    /// Returns the private key with this number, modulo three: PEM, 2048 bits.
    package static func pem(_ number: Int) throws -> String {
        switch number % 3 {
        case 0: try first.get()
        case 1: try second.get()
        default: try third.get()
        }
    }

    private static func find() throws -> String {
        try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
    }
}
