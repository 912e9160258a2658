// SPDX-License-Identifier: Apache-2.0

import NIOSSL
import OIDCBrokerTesting
import Testing

@testable import OpenIDRelyingParty

/// How strong a certificate must be, without sockets.
@Suite struct CertificateStrengthTests {
    private static func der(_ certificate: DevelopmentCertificate) throws -> [UInt8] {
        let made = try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8))
        return try #require(made.first).toDERBytes()
    }

    @Test func `RSA below 2048 bits and SHA-1 are too weak`() throws {
        for certificate in StrengthCertificates.weak {
            #expect(!CertificateStrength.isSufficient(der: try Self.der(certificate)))
        }
        for certificate in StrengthCertificates.strong {
            #expect(CertificateStrength.isSufficient(der: try Self.der(certificate)))
        }
    }

    @Test func `what is not whole, or has more behind it, is too weak`() throws {
        for certificate in StrengthCertificates.strong {
            let bytes = try Self.der(certificate)
            for count in bytes.indices { #expect(!CertificateStrength.isSufficient(der: Array(bytes.prefix(count)))) }
            #expect(!CertificateStrength.isSufficient(der: bytes + [0]))
        }
    }

    @Test func `no byte of a certificate makes its reader fail otherwise than by saying so`() throws {
        let bytes = try Self.der(StrengthCertificates.pss)
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0x81, 0x82, 0x83, 0x84, 0xFF] {
                var changed = bytes
                changed[index] = value
                _ = CertificateStrength.isSufficient(der: changed)
            }
        }
    }
}
