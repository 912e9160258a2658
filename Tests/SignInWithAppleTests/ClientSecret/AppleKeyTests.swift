// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import JOSE
import OpenIDRelyingParty
import SignInWithApple
import Testing
import TestingSupport

/// What is taken for a `.p8` file, and what is said of everything else.
@Suite struct AppleKeyTests {
    /// A file, and what it is.
    struct File: Sendable, CustomStringConvertible {
        let description: String
        let text: String

        init(_ description: String, _ text: String) {
            self.description = description
            self.text = text
        }
    }

    /// A refused file, and why.
    struct Refusal: Sendable, CustomStringConvertible {
        let file: File
        let error: AppleKeyError

        init(_ description: String, _ text: String, _ error: AppleKeyError) {
            file = File(description, text)
            self.error = error
        }

        var description: String { file.description }
    }

    /// As Apple gives it: one block, LF at the end of every line.
    private static let p8 =
        P256.Signing.PrivateKey().pemRepresentation.split(separator: "\n").joined(separator: "\n") + "\n"
    private static let body = p8.split(separator: "\n").dropFirst().dropLast().joined()

    private static func pem(_ label: String, _ der: [UInt8]) -> String {
        "-----BEGIN \(label)-----\n\(Base64.encode(der))\n-----END \(label)-----\n"
    }

    static let accepted = [
        File("as Apple gives it", p8),
        File("with CRLF", p8.split(separator: "\n").joined(separator: "\r\n") + "\r\n"),
        File("without the last line end", String(p8.dropLast())),
        File("with CRLF and without the last line end", p8.split(separator: "\n").joined(separator: "\r\n")),
        File("with empty lines around it", "\n\n" + p8 + "\n\n"),
        File("in one line of base64", "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----\n"),
    ]

    @Test(.attack(.applePrivateKey), arguments: accepted)
    func `a P-256 key in PKCS#8 is taken`(file: File) throws {
        let key = try AppleKey(teamID: Apple.teamID, keyID: Apple.keyID, privateKey: Secret(file.text))
        #expect(key.teamID == Apple.teamID)
        #expect(key.keyID == Apple.keyID)
    }

    static func refused() throws -> [Refusal] {
        let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        // PKCS#8 of an Ed25519 key: version, 1.3.101.112, a scalar.
        let ed25519: [UInt8] =
            [0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20]
            + [UInt8](repeating: 7, count: 32)
        let der = Base64.decode(body) ?? []
        var otherCurve = der
        // The last byte of the curve's identifier: prime256v1 becomes prime239v3.
        let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        for index in otherCurve.indices where otherCurve[index...].starts(with: curve) {
            otherCurve[index + curve.count - 1] = 0x06
        }
        return [
            Refusal("a P-384 key", P384.Signing.PrivateKey().pemRepresentation, .otherCurve),
            Refusal("a P-521 key", P521.Signing.PrivateKey().pemRepresentation, .otherCurve),
            Refusal("an unknown curve", pem("PRIVATE KEY", otherCurve), .otherCurve),
            Refusal("an RSA key in PKCS#8", rsa.pkcs8PEMRepresentation, .rsa),
            Refusal("an RSA key in PKCS#1", rsa.pemRepresentation, .rsa),
            Refusal("an Ed25519 key", pem("PRIVATE KEY", ed25519), .otherKind),
            Refusal("an encrypted key", pem("ENCRYPTED PRIVATE KEY", [0x30, 0]), .encrypted),
            Refusal("a SEC 1 key", pem("EC PRIVATE KEY", [0x30, 0]), .notPKCS8),
            Refusal("parameters before the key", pem("EC PARAMETERS", [0x30, 0]) + p8, .notPKCS8),
            Refusal("a certificate", pem("CERTIFICATE", [0x30, 0]), .notPrivateKey),
            Refusal("a public key", P256.Signing.PrivateKey().publicKey.pemRepresentation, .notPrivateKey),
            Refusal("nothing", "", .notPEM),
            Refusal("empty lines", "\n\r\n\n", .notPEM),
            Refusal("words", "the key is in the safe", .notPEM),
            Refusal("the bare base64", body, .notPEM),
            Refusal("a byte order mark before it", "\u{FEFF}" + p8, .notPEM),
            Refusal("spaces before it", "  " + p8, .notPEM),
            Refusal("line breaks turned into spaces", p8.split(separator: "\n").joined(separator: " "), .notPEM),
            Refusal("old Mac line ends", p8.split(separator: "\n").joined(separator: "\r"), .notPEM),
            Refusal("17 KB", String(repeating: "\n", count: 17_000) + p8, .notPEM),
            Refusal("escaped line breaks", p8.split(separator: "\n").joined(separator: "\\n"), .escapedLineBreaks),
            Refusal("the first line alone", "-----BEGIN PRIVATE KEY-----\n", .cutShort),
            Refusal("no last line", "-----BEGIN PRIVATE KEY-----\n\(body)\n", .cutShort),
            Refusal("another last line", "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END KEY-----\n", .cutShort),
            Refusal("two keys", p8 + p8, .textBeside),
            Refusal("words behind it", p8 + "keep this safe\n", .textBeside),
            Refusal("no base64", "-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----\n", .damaged),
            Refusal("an empty block", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", .damaged),
            Refusal("half of the bytes", pem("PRIVATE KEY", Array(der.prefix(der.count / 2))), .damaged),
            Refusal("a byte behind the structure", pem("PRIVATE KEY", der + [0]), .damaged),
            Refusal("zeros", pem("PRIVATE KEY", [UInt8](repeating: 0, count: 138)), .damaged),
            Refusal("a length beyond the end", pem("PRIVATE KEY", [0x30, 0x82, 0xFF, 0xFF, 0x02]), .damaged),
            Refusal("a length of 126 bytes", pem("PRIVATE KEY", [0x30, 0xFE] + der), .damaged),
            Refusal("a sequence of nothing", pem("PRIVATE KEY", [0x30, 0x00]), .damaged),
        ]
    }

    @Test(.attack(.applePrivateKey)) func `everything else is refused with its reason`() throws {
        for refusal in try Self.refused() {
            #expect(throws: refusal.error, "\(refusal)") {
                try AppleKey(teamID: Apple.teamID, keyID: Apple.keyID, privateKey: Secret(refusal.file.text))
            }
        }
    }

    @Test(.attack(.applePrivateKey)) func `every cut of a good file is refused, and none of them traps`() {
        let bytes = Array(Self.p8.utf8)
        for count in 0..<(bytes.count - 1) {
            #expect(throws: AppleKeyError.self) {
                try AppleKey(
                    teamID: Apple.teamID, keyID: Apple.keyID,
                    privateKey: Secret(String(decoding: bytes[..<count], as: UTF8.self)))
            }
        }
    }

    @Test(.attack(.applePrivateKey)) func `no reason holds a part of the key`() throws {
        for refusal in try Self.refused() {
            let text = "\(refusal.error)"
            #expect(!text.isEmpty)
            #expect(!text.contains(Self.body.prefix(16)))
        }
    }

    @Test(arguments: ["", "TEAM12345", "TEAM1234567", "team123456", "TEAM-12345", "TEAM 12345", "TEAM12345\u{C4}"])
    func `team and key ids have ten capital letters and digits`(identifier: String) {
        #expect(throws: AppleKeyError.teamID) {
            try AppleKey(teamID: identifier, keyID: Apple.keyID, privateKey: Secret(Self.p8))
        }
        #expect(throws: AppleKeyError.keyID) {
            try AppleKey(teamID: Apple.teamID, keyID: identifier, privateKey: Secret(Self.p8))
        }
    }
}
