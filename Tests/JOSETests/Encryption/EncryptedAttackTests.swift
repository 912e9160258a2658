// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

/// What an encrypted token is refused for.
@Suite struct EncryptedAttackTests {
    private func keys() throws -> [DecryptionKey] {
        [try EncryptionSupport.p256Key(), try EncryptionSupport.rsaKey()]
    }

    private func refuse(
        _ token: String, _ error: JSONWebEncryptionError, at location: SourceLocation = #_sourceLocation
    ) throws {
        let keys = try keys()
        #expect(throws: error, sourceLocation: location) { try JSONWebEncryption(compact: token).decrypted(with: keys) }
    }

    @Test(.attack(.unsignedTokenInsideEncrypted))
    func `an unsigned token, encrypted, is refused as a signature`() throws {
        let key = try TestKeys.key(.es256)
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let claims = Base64URL.encode(Array(#"{"sub":"a"}"#.utf8))
        let signature = try #require(key.sign(["sub": "a"]).split(separator: ".").last)
        for inner in ["\(header).\(claims).", "\(header).\(claims).\(signature)"] {
            for keyManagement in ["ECDH-ES", "RSA-OAEP-256"] {
                let token = try EncryptionSupport.token(inner, keyManagement: keyManagement)
                let nested = try JSONWebEncryption(compact: token).decrypted(with: keys())
                #expect(nested == inner)
                #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
                    try verify(nested, with: KeySet(key.publicJWK))
                }
            }
        }
    }

    @Test(
        .attack(.unsignedTokenInsideEncrypted),
        arguments: [
            #"{"iss":"https://issuer.example","sub":"a"}"#, "", "a", "a.b", "a.b.c.d", EncryptedTokens.ecdhA128GCM,
            "a.b.c\n", " a.b.c", "a.b.\u{0}", "a.b.é", "a.b.\u{7F}",
        ])
    func `an encrypted content that is not a compact JWS`(inner: String) throws {
        for keyManagement in ["ECDH-ES", "RSA-OAEP-256"] {
            try refuse(EncryptionSupport.token(inner, keyManagement: keyManagement), .notNested)
        }
    }

    @Test(.attack(.unsignedTokenInsideEncrypted)) func `bytes that are not UTF-8`() throws {
        let token = try JSONWebEncryption.encrypt(
            [0xFF, 0x2E, 0xC3, 0x2E, 0x28], to: keys()[0].publicJWK, keyManagement: "ECDH-ES",
            contentEncryption: "A256GCM")
        try refuse(token, .notNested)
    }

    @Test(.attack(.compressedToken)) func `zip in any form, over a plaintext compressed or not`() throws {
        for value: JSONValue in ["DEF", "def", "", "GZIP", .null, 1, ["DEF"], true] {
            for keyManagement in ["ECDH-ES", "RSA-OAEP-256"] {
                let token = try EncryptionSupport.token(keyManagement: keyManagement, header: ["zip": value])
                try refuse(token, .malformed("zip"))
            }
        }
    }

    @Test(.attack(.expensiveKeyDerivation)) func `PBES2 by name, and its parameters under another name`() throws {
        for name in ["PBES2-HS256+A128KW", "PBES2-HS384+A192KW", "PBES2-HS512+A256KW"] {
            let token = try EncryptionSupport.token(
                header: ["alg": .string(name), "p2c": 2_147_483_648, "p2s": "AAAAAAAAAAAAAAAA"])
            try refuse(token, .keyManagementNotAllowed)
            let error = try #require(throws: JSONWebEncryptionError.self) { try JSONWebEncryption(compact: token) }
            #expect("\(error)".contains("expected RSA-OAEP-256, ECDH-ES, "))
            #expect("\(error)".hasSuffix("found \(name)"))
        }
        try refuse(EncryptionSupport.token(header: ["p2c": 2_147_483_648]), .malformed("p2c or p2s"))
        try refuse(EncryptionSupport.token(header: ["p2s": "AAAA"]), .malformed("p2c or p2s"))
    }

    @Test(.attack(.paddingOracle))
    func `RSA1_5 and RSA-OAEP with SHA-1 are refused, however well they are done`() throws {
        for (token, name) in [(EncryptedTokens.rsa15, "RSA1_5"), (EncryptedTokens.rsaOAEPWithSHA1, "RSA-OAEP")] {
            try refuse(token, .keyManagementNotAllowed)
            let error = try #require(throws: JSONWebEncryptionError.self) { try JSONWebEncryption(compact: token) }
            #expect("\(error)".hasSuffix("found \(name)"))
        }
    }

    @Test(
        .attack(.paddingOracle),
        arguments: [
            "RSA1_5", "RSA-OAEP", "RSA-OAEP-384", "RSA-OAEP-512", "dir", "A128KW", "A256KW", "A256GCMKW",
            "ECDH-ES+A512KW", "none", "", "ecdh-es", "ECDH-ES ", "RSA-OAEP-256\u{0}", "HS256", "ES256",
        ])
    func `every other key management, over a token that would decrypt`(name: String) throws {
        for keyManagement in ["ECDH-ES", "RSA-OAEP-256"] {
            let token = try EncryptionSupport.token(keyManagement: keyManagement, header: ["alg": .string(name)])
            try refuse(token, .keyManagementNotAllowed)
        }
    }

    @Test(arguments: ["A128CBC-HS384", "A128CBC", "none", "", "a128gcm", "C20P"])
    func `every other content encryption`(name: String) throws {
        for keyManagement in ["ECDH-ES", "RSA-OAEP-256"] {
            let token = try EncryptionSupport.token(keyManagement: keyManagement, header: ["enc": .string(name)])
            try refuse(token, .contentEncryptionNotAllowed)
        }
    }

    @Test func `an error names what it found only out of a closed list`() throws {
        let token = try EncryptionSupport.token(header: ["alg": "s3cr3t"])
        let error = try #require(throws: JSONWebEncryptionError.self) { try JSONWebEncryption(compact: token) }
        #expect(
            "\(error)"
                == "key management not allowed: expected RSA-OAEP-256, ECDH-ES, ECDH-ES+A128KW, ECDH-ES+A192KW, ECDH-ES+A256KW, "
                + "found an unknown one")
        let other = try EncryptionSupport.token(header: ["enc": "s3cr3t"])
        let second = try #require(throws: JSONWebEncryptionError.self) { try JSONWebEncryption(compact: other) }
        #expect(
            "\(second)"
                == "content encryption not allowed: expected A128GCM, A192GCM, A256GCM, A128CBC-HS256, A192CBC-HS384, A256CBC-HS512, "
                + "found an unknown one")
        #expect(error == .keyManagementNotAllowed)
        #expect(Set([error, .keyManagementNotAllowed]).count == 1)
        #expect("\(JSONWebEncryptionError.malformed("zip"))" == "malformed encrypted token: zip")
    }
}
