// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE
import Testing
import TestingSupport

/// The forms that an ECDSA signature must not have (CVE-2022-21449 among them).
@Suite struct ECDSASignatureTests {
    /// The order of P-256 (FIPS 186-4 appendix D.1.2.3).
    private let order = bytes(hex: "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    private let input = Array("input".utf8)

    private func isValid(_ signature: [UInt8]) throws -> Bool {
        try VerificationKey(jwk: TestKeys.key(.es256).publicJWK)
            .isValid(signature: signature, for: input, algorithm: .es256)
    }

    @Test(.attack(.degenerateECDSASignature)) func `r or s of zero, of the order, or above it`() throws {
        let good = try TestKeys.key(.es256).signature(over: input)
        let r = Array(good[..<32])
        let s = Array(good[32...])
        let zero = [UInt8](repeating: 0, count: 32)
        let most = [UInt8](repeating: 0xFF, count: 32)
        #expect(try isValid(r + s))
        for bad in [
            zero + s, r + zero, zero + zero, order + s, r + order, order + order, zero + order, most + s, r + most,
        ] {
            #expect(try !isValid(bad))
        }
    }

    @Test(.attack(.degenerateECDSASignature)) func `63, 65, 96 bytes, none, and DER instead of r and s`() throws {
        let good = try TestKeys.key(.es256).signature(over: input)
        let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: good).derRepresentation)
        let bad: [[UInt8]] = [
            Array(good.dropLast()), Array(good.dropFirst()), good + [0], [0] + good, [], [0], good + good,
            good + [UInt8](repeating: 0, count: 32), der,
        ]
        for signature in bad {
            #expect(try !isValid(signature))
        }
    }

    @Test(.attack(.degenerateECDSASignature)) func `the same as tokens`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        let token = try key.sign(["sub": "a"])
        let input = String(token[..<(try #require(token.lastIndex(of: ".")))])
        let good = try key.signature(over: Array(input.utf8))
        let der = Array(try P256.Signing.ECDSASignature(rawRepresentation: good).derRepresentation)
        #expect(try verify(input + "." + Base64URL.encode(good), with: keys).claims["sub"] == "a")
        for bad in [[UInt8](repeating: 0, count: 64), Array(good.dropLast()), good + [0], der] {
            #expect(throws: JSONWebSignatureError.badSignature) {
                try verify(input + "." + Base64URL.encode(bad), with: keys)
            }
        }
    }

    @Test(.attack(.degenerateECDSASignature)) func `the other s of the same signature is valid`() throws {
        let good = try TestKeys.key(.es256).signature(over: input)
        let other = Array(good[..<32]) + difference(order, Array(good[32...]))
        #expect(other != good)
        #expect(try isValid(other))
    }

    @Test(.attack(.degenerateECDSASignature)) func `zero signatures of every curve`() throws {
        for (algorithm, length) in [(JSONWebAlgorithm.es256, 64), (.es384, 96), (.es512, 132), (.eddsa, 64)] {
            let key = try VerificationKey(jwk: TestKeys.key(algorithm).publicJWK)
            let zero = [UInt8](repeating: 0, count: length)
            #expect(!key.isValid(signature: zero, for: input, algorithm: algorithm))
        }
    }

    /// `left - right`, big-endian, for `left` above `right`.
    private func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var result = left
        var borrow = 0
        for place in left.indices.reversed() {
            let digit = Int(left[place]) - Int(right[place]) - borrow
            borrow = digit < 0 ? 1 : 0
            result[place] = UInt8(truncatingIfNeeded: digit)
        }
        return result
    }
}
