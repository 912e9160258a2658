// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

@Suite struct CompactFormTests {
    private func refuse(_ token: String, _ reason: String, at location: SourceLocation = #_sourceLocation) {
        #expect(throws: JSONWebSignatureError.malformed(reason), sourceLocation: location) {
            try JSONWebSignature(compact: token)
        }
    }

    @Test(.attack(.malformedCompactForm)) func `any other number of segments than three`() throws {
        let token = try TestKeys.key(.es256).sign(["sub": "a"])
        let parts = token.split(separator: ".").map(String.init)
        refuse("", "not three segments")
        refuse(parts[0], "not three segments")
        refuse(parts[0] + "." + parts[1], "not three segments")
        refuse(token + ".", "not three segments")
        refuse(token + "." + parts[2], "not three segments")
        refuse(token + ".a.b", "not three segments")
        refuse(token + ".a.b.c", "not three segments")
        refuse("." + token, "not three segments")
        refuse(String(repeating: ".", count: 60_000), "not three segments")
    }

    @Test(.attack(.malformedCompactForm)) func `empty segments`() throws {
        let parts = try TestKeys.key(.es256).sign(["sub": "a"]).split(separator: ".").map(String.init)
        refuse("..", "header is not a JSON object")
        refuse(".\(parts[1]).\(parts[2])", "header is not a JSON object")
        refuse("\(parts[0]).\(parts[1]).", "signature is not base64url")
    }

    @Test(.attack(.malformedCompactForm)) func `a million dots, a megabyte of header`() {
        refuse(String(repeating: ".", count: 1_000_000), "longer than 64 KB")
        refuse(String(repeating: "A", count: 1_000_000) + ".e30.AAAA", "longer than 64 KB")
    }

    @Test(.attack(.malformedCompactForm)) func `64 KB are read, one byte more is refused`() throws {
        let key = try TestKeys.key(.eddsa)
        let keys = try KeySet(key.publicJWK)
        let header = Array(#"{"alg":"EdDSA"}"#.utf8)
        // 20 characters of header, 86 of signature, two dots: 65,428 for the payload, which is 49,071 bytes.
        let payload = Array(#"{"a":""#.utf8) + [UInt8](repeating: 0x78, count: 49_063) + Array(#""}"#.utf8)
        let token = try key.token(headerBytes: header, payloadBytes: payload)
        #expect(token.utf8.count == 65_536)
        #expect(try verify(token, with: keys).claims["a"]?.text?.makeString().utf8.count == 49_063)
        let longer = try key.token(headerBytes: header, payloadBytes: payload + [0x20])
        refuse(longer, "longer than 64 KB")
    }

    @Test(.attack(.malformedCompactForm), arguments: ["=", "==", " ", "\n", "+", "/", "\0", "é", "%3D", "A"])
    func `foreign characters, padding and whitespace in every segment`(addition: String) throws {
        let parts = try TestKeys.key(.es256).sign(["sub": "ab"]).split(separator: ".").map(String.init)
        // A letter is foreign only where it makes an impossible length; signatures of 64 bytes end in two characters.
        if addition != "A" {
            refuse("\(parts[0])\(addition).\(parts[1]).\(parts[2])", "header is not base64url")
            refuse("\(parts[0]).\(parts[1])\(addition).\(parts[2])", "payload is not base64url")
            refuse("\(addition)\(parts[0]).\(parts[1]).\(parts[2])", "header is not base64url")
        }
        refuse("\(parts[0]).\(parts[1]).\(parts[2])\(addition)AA", "signature is not base64url")
    }

    @Test(.attack(.malformedCompactForm)) func `unused bits of the last character that are not zero`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        let token = try key.sign(["sub": "a"])
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last)
        let place = try #require(alphabet.firstIndex(of: last))
        #expect(try verify(token, with: keys).claims["sub"] == "a")
        for unused in 1..<16 {
            refuse(String(token.dropLast()) + String(alphabet[place + unused]), "signature is not base64url")
        }
    }

    @Test(.attack(.malformedCompactForm)) func `whitespace around a token`() throws {
        let token = try TestKeys.key(.es256).sign(["sub": "a"])
        refuse(" " + token, "header is not base64url")
        refuse(token + "\n", "signature is not base64url")
        refuse("Bearer " + token, "header is not base64url")
    }

    @Test(.attack(.unsignedTokenInsideEncrypted, .compressedToken, .expensiveKeyDerivation, .paddingOracle))
    func `a JWE, whatever its content, is not a JWS`() {
        let headers = [
            #"{"alg":"RSA1_5","enc":"A256GCM"}"#, #"{"alg":"PBES2-HS256+A128KW","p2c":2147483648,"enc":"A128GCM"}"#,
            #"{"alg":"dir","enc":"A256GCM","zip":"DEF"}"#, #"{"alg":"dir","enc":"A256GCM","cty":"JWT"}"#,
        ]
        for header in headers {
            refuse(Base64URL.encode(Array(header.utf8)) + ".AAAA.AAAA.AAAA.AAAA", "not three segments")
        }
    }

    @Test func `an error tells nothing of the token`() {
        let error = JSONWebSignatureError.malformed("kid longer than 1 KB")
        #expect("\(error)" == "malformed token: kid longer than 1 KB")
        #expect("\(JSONWebSignatureError.payload(.duplicateMember))" == "claims: member name used twice in one object")
    }
}
