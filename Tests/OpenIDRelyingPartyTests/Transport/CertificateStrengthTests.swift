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

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x81], [0x30, 0x81, 0x01, 0x00], [0x30, 0x82, 0x00, 0x81],
            [0x30, 0x83, 0x00, 0x00, 0x01, 0x00], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x31, 0x00], [0x30, 0x01],
        ] as [[UInt8]])
    func `a length that is not DER's own is none`(bytes: [UInt8]) {
        var reader = DERReader(bytes[...])
        #expect(reader.read(.sequence) == nil)
    }

    @Test func `an element is read with what stands behind it left`() {
        var reader = DERReader([0x30, 0x03, 0x02, 0x01, 0x05, 0x03, 0x00][...])
        var inner = reader.open(.sequence)
        #expect(inner?.read(.integer) == [5])
        #expect(inner?.isAtEnd == true)
        #expect(reader.isNext(.bitString))
        #expect(reader.read(.bitString) == [])
        #expect(reader.isAtEnd)
    }
}
