// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import JOSE

/// A few RSA keys, found once in a process: one takes a tenth of a second, in a debug build more.
///
/// One key can serve two algorithms, which is what it takes to lie about the algorithm with a signature that fits.
package enum SharedRSAKeys {
    private static let first = Result { try find() }
    private static let second = Result { try find() }
    private static let third = Result { try find() }

    /// The key of this number, counted round in three, as a key of the algorithm.
    static func key(_ number: Int, _ algorithm: JSONWebAlgorithm) throws -> SigningKey {
        try SigningKey(pem: pem(number), algorithm: algorithm)
    }

    /// The private key of this number, counted round in three: PEM, 2048 bits.
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
