// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOSSL
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBrokerServer

/// Every setting with a PEM text or file takes the same texts.
struct PEMVariantTests {
    /// What `openssl ecparam -genkey` writes before a key.
    static let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"

    struct Variant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Makes a text of a key and its certificate.
        let text: @Sendable (_ key: String, _ certificate: String) -> String
    }

    static let variants = [
        Variant(testDescription: "a key, then its certificate") { $0 + $1 },
        Variant(testDescription: "a certificate, then its key") { $1 + $0 },
        Variant(testDescription: "the parameters of the curve before") { PEMVariantTests.parameters + $0 + $1 },
        Variant(testDescription: "no line between the blocks") { ($0 + $1).replacing("\n\n", with: "\n") },
        Variant(testDescription: "text around the blocks") {
            "Bag Attributes\n  x\n" + $0 + "subject=a\n" + $1 + "\nend"
        },
        Variant(testDescription: "indented") { key, certificate in
            (key + certificate).split(separator: "\n").map { "  \t" + $0 }.joined(separator: "\n")
        },
        Variant(testDescription: "CRLF") { ($0 + $1).replacing("\n", with: "\r\n") },
        Variant(testDescription: "base64 in one line") {
            PEMVariantTests.oneLine($0) + PEMVariantTests.oneLine($1)
        },
        Variant(testDescription: "a second key, which is not the first") { key, certificate in
            key + certificate + ((try? TestCertificate.make().privateKeyPEM) ?? "")
        },
    ]

    private static func oneLine(_ block: String) -> String {
        let lines = block.split(separator: "\n")
        guard let first = lines.first, let last = lines.last else { return block }
        return "\(first)\n\(lines.dropFirst().dropLast().joined())\n\(last)\n"
    }

    @Test(arguments: variants) func `every reader takes it`(variant: Variant) async throws {
        let certificate = try TestCertificate.shared()
        let text = variant.text(certificate.privateKeyPEM + "\n", certificate.certificatePEM + "\n")
        let bytes = Array(text.utf8)
        try await TemporaryDirectory.use { directory in
            let path = try directory.write("both.pem", bytes)
            // The listener.
            #expect(try PEMFile.certificates(atPath: path).get().count == 1)
            #expect(throws: Never.self) { try PEMFile.privateKey(atPath: path).get() }
            let files = TLSFiles(certificateChain: path, privateKey: path)
            #expect(files.errors().isEmpty)
            #expect(throws: Never.self) { try CertificateReload.validated(files) }
        }
        // Requests to providers.
        let client = ClientCertificate(certificateChain: bytes, privateKey: Secret(text))
        #expect(throws: Never.self) {
            try ProviderTrust(certificateAuthorities: bytes, addresses: .any, clientCertificate: client)
                .tlsConfiguration()
        }
        // Keys that sign and decrypt.
        #expect(throws: Never.self) { try SigningKey(pem: text) }
        #expect(throws: Never.self) { try DecryptionKey(pem: text) }
        #expect(PEMBlocks.privateKeys(in: text).first != nil && PEMBlocks.certificates(in: text).count == 1)
    }

    @Test func `what is missing or encrypted is still refused`() throws {
        let certificate = try TestCertificate.shared()
        let encrypted = certificate.privateKeyPEM.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")
        #expect(NIOSSLPrivateKey.privateKey(inPEM: certificate.certificatePEM) == nil)
        #expect(NIOSSLPrivateKey.privateKey(inPEM: encrypted) == nil)
        #expect(NIOSSLCertificate.certificates(inPEM: Array(certificate.privateKeyPEM.utf8)).isEmpty)
        let broken = certificate.certificatePEM + "\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(NIOSSLCertificate.certificates(inPEM: Array(broken.utf8)).isEmpty)
        #expect(NIOSSLCertificate.certificates(inPEM: []).isEmpty)
    }
}
