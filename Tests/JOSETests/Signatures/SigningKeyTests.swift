// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// The PEM texts are made by openssl for these tests, and sign nothing else.
@Suite struct SigningKeyTests {
    private let sec1Body = """
        MHcCAQEEIDeXB1ulXtpScLMa0vXaew1no4snTezzWASQRfXTZpopoAoGCCqGSM49
        AwEHoUQDQgAEmhstsHXtnMpBXh4T7reYm0pJ5idlup6+BuDRzCkCX9OM2Kkuh5Oh
        S0A3uF5t1zwtHUhbCC/7mTztt295ZG/R2Q==
        """
    private let pkcs8Body = """
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgN5cHW6Ve2lJwsxrS
        9dp7DWejiydN7PNYBJBF9dNmmimhRANCAASaGy2wde2cykFeHhPut5ibSknmJ2W6
        nr4G4NHMKQJf04zYqS6Hk6FLQDe4Xm3XPC0dSFsIL/uZPO23b3lkb9HZ
        """
    private let x = "9a1b2db075ed9cca415e1e13eeb7989b4a49e62765ba9ebe06e0d1cc29025fd3"
    private let y = "8cd8a92e8793a14b4037b85e6dd73c2d1d485b082ffb993cedb76f79646fd1d9"

    private func block(_ label: String, _ body: String) -> String {
        "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    private var texts: [String] {
        let sec1 = block("EC PRIVATE KEY", sec1Body)
        let pkcs8 = block("PRIVATE KEY", pkcs8Body)
        let parameters = block("EC PARAMETERS", "BggqhkjOPQMBBw==")
        return [
            sec1, pkcs8, parameters + sec1, "Some text\n\n" + pkcs8 + "\nmore text", "  " + pkcs8,
            String(pkcs8.map { $0 == "\n" ? "\r\n" : $0 }), pkcs8 + block("CERTIFICATE", "AAAA"),
            block("PRIVATE KEY", pkcs8Body.filter { !$0.isNewline }), String(pkcs8.dropLast()),
        ]
    }

    @Test func `a P-256 key in PKCS 8 or SEC 1, as openssl and editors leave it`() throws {
        for text in texts {
            let key = try SigningKey(pem: text)
            #expect(key.algorithm == .es256)
            #expect(key.publicJWK["x"]?.text?.makeString() == Base64URL.encode(bytes(hex: x)))
            #expect(key.publicJWK["y"]?.text?.makeString() == Base64URL.encode(bytes(hex: y)))
            #expect(try verify(key.sign(["sub": "a"]), with: KeySet(key.publicJWK)).claims["sub"] == "a")
        }
    }

    @Test func `a text that is not a P-256 private key`() {
        let p384 = """
            MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDDRS09LYsXHyihQ8IrV
            FjbpXfPeLBUKqziHxftGN/QEUFay/NKPyvmHZFOQyGNl7GGhZANiAARZXNvJ4RFe
            lxyGYbxHlMUWf6k1ah0i8eKDtWGMsxxJSLy2ICZwIw5ZHYeZqTwPu4/Tw+dj4fYs
            irE+4fj/KYqN2wPqcgZTkKSQM8JTfpF/a2hgh+yc7oBc5I3sGlKBoiU=
            """
        let secp256k1 = """
            MIGEAgEAMBAGByqGSM49AgEGBSuBBAAKBG0wawIBAQQgEl0H3QvjJtsTCizjFfTH
            ohlvaB6lmDBCxHN6RD3x6dWhRANCAARVSSm6Fw0P6Zig6zVmy63Z97PjzsDfmUN1
            zkFis/BgSGTXCGAxbe2u2GBmOCvH/RekK4NiJRLkqlKdE0EETyGE
            """
        let legacyEncryption = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,7020532C3FCF2BB75DBA5628075B2FEF\n\nAAAA"
        let cases: [(String, SigningKeyError)] = [
            ("", .notPEM),
            ("not a key", .notPEM),
            (pkcs8Body, .notPEM),
            (block("PUBLIC KEY", "AAAA"), .notPEM),
            (block("PRIVATE KEY", ""), .notPEM),
            (block("PRIVATE KEY", "!!!!"), .notPEM),
            ("-----BEGIN PRIVATE KEY-----\n\(pkcs8Body)", .notPEM),
            ("-----BEGIN PRIVATE KEY-----\n\(pkcs8Body)\n-----END EC PRIVATE KEY-----", .notPEM),
            (block("PRIVATE KEY", "AAAA"), .notP256),
            (block("PRIVATE KEY", p384), .notP256),
            (block("PRIVATE KEY", secp256k1), .notP256),
            (block("ENCRYPTED PRIVATE KEY", "AAAA"), .encrypted),
            (block("EC PRIVATE KEY", legacyEncryption), .encrypted),
        ]
        for (text, error) in cases {
            #expect(throws: error) { try SigningKey(pem: text) }
        }
    }

    @Test(arguments: TestKeys.algorithms)
    func `the public JWK says what it is and holds nothing private`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let jwk = key.publicJWK
        let names = Set(jwk.members.map { $0.name.makeString() })
        let material: Set<String> =
            switch jwk["kty"]?.text?.makeString() {
            case "RSA": ["n", "e"]
            case "EC": ["crv", "x", "y"]
            default: ["crv", "x"]
            }
        #expect(names == material.union(["kty", "kid", "alg", "use"]))
        #expect(jwk["kid"]?.text?.makeString() == key.keyID)
        #expect(jwk["alg"]?.text?.makeString() == algorithm.rawValue)
        #expect(jwk["use"] == "sig")
        #expect(JSONWebKeyThumbprint.sha256(of: jwk) == key.keyID)
    }

    @Test func `header members of the caller replace ours, a raw header stands alone`() throws {
        let key = try TestKeys.key(.es256)
        let token = try key.sign(["sub": "a"], type: "JWT", header: ["alg": "none", "typ": "x", "extra": 1])
        let header = try #require(token.split(separator: ".").first.flatMap { Base64URL.decode($0.utf8) })
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"none","typ":"x","kid":"\#(key.keyID)","extra":1}"#)
        let raw = try key.sign(header: ["alg": "ES256"], payload: Array("[1]".utf8))
        #expect(raw.hasPrefix("eyJhbGciOiJFUzI1NiJ9.WzFd."))
    }

    @Test func `two keys are never the same, and none prints its private half`() throws {
        let first = try SigningKey.generate(.es256)
        let second = try SigningKey.generate(.es256)
        #expect(first.keyID != second.keyID)
        #expect("\(first)" == "SigningKey(ES256, \(first.keyID))")
        var dumped = ""
        dump(first, to: &dumped)
        #expect(!dumped.contains("material"))
    }
}
