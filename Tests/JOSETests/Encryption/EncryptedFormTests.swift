// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

/// The form and the header of encrypted tokens.
@Suite struct EncryptedFormTests {
    private func refuse(_ token: String, _ reason: String, at location: SourceLocation = #_sourceLocation) {
        #expect(throws: JSONWebEncryptionError.malformed(reason), sourceLocation: location) {
            try JSONWebEncryption(compact: token)
        }
    }

    @Test(.attack(.malformedCompactForm)) func `any other number of segments than five`() throws {
        let token = EncryptedTokens.rsaA256GCM
        let parts = token.split(separator: ".").map(String.init)
        refuse("", "not five segments")
        for count in 1...4 {
            refuse(parts[..<count].joined(separator: "."), "not five segments")
        }
        refuse(token + ".", "not five segments")
        refuse(token + "." + parts[4], "not five segments")
        refuse("." + token, "not five segments")
        refuse(String(repeating: ".", count: 60_000), "not five segments")
        refuse(EncryptedTokens.signedToken, "not five segments")
        refuse("....", "header is not a JSON object")
    }

    @Test(.attack(.malformedCompactForm)) func `64 KB are read, one byte more is refused`() throws {
        let text = String(repeating: "A", count: 65_536)
        refuse(text, "not five segments")
        refuse(text + "A", "longer than 64 KB")
        refuse(String(repeating: ".", count: 1_000_000), "longer than 64 KB")
        let key = try EncryptionSupport.p256Key()
        // What is over the limit is over it whatever is inside.
        let short = try EncryptionSupport.token(String(repeating: "a", count: 40_000) + ".b.c")
        #expect(try JSONWebEncryption(compact: short).decrypted(with: [key]).utf8.count == 40_004)
        refuse(try EncryptionSupport.token(String(repeating: "a", count: 50_000) + ".b.c"), "longer than 64 KB")
    }

    @Test(.attack(.malformedCompactForm), arguments: ["=", "==", " ", "\n", "+", "/", "\0", "é", "%3D"])
    func `foreign characters, padding and whitespace in every segment`(addition: String) {
        let parts = EncryptedTokens.rsaA256GCM.split(separator: ".").map(String.init)
        let names = ["header", "encrypted key", "initialization vector", "ciphertext", "authentication tag"]
        for (place, name) in names.enumerated() {
            var changed = parts
            changed[place] += addition
            refuse(changed.joined(separator: "."), "\(name) is not base64url")
        }
    }

    @Test(.attack(.malformedCompactForm)) func `unused bits of the last character that are not zero`() throws {
        // A tag of 16 bytes ends in a character of two bits.
        let token = EncryptedTokens.rsaA256GCM
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last)
        let place = try #require(alphabet.firstIndex(of: last))
        for unused in 1..<16 {
            refuse(
                String(token.dropLast()) + String(alphabet[place + unused]), "authentication tag is not base64url")
        }
    }

    @Test func `alg and enc are strings`() {
        for value in ["null", "1", "[\"ECDH-ES\"]", "{}", "true"] {
            refuse(
                EncryptionSupport.token(headerText: #"{"alg":\#(value),"enc":"A128GCM"}"#), "alg is not a string")
            refuse(
                EncryptionSupport.token(headerText: #"{"alg":"RSA-OAEP-256","enc":\#(value)}"#), "enc is not a string")
        }
        refuse(EncryptionSupport.token(headerText: #"{"enc":"A128GCM"}"#), "alg is not a string")
        refuse(EncryptionSupport.token(headerText: #"{"alg":"RSA-OAEP-256"}"#), "enc is not a string")
    }

    @Test(.attack(.hostileKeyID)) func `a kid that is not a string, or longer than 1 KB`() throws {
        for kid: JSONValue in [7, .null, ["a"], ["a": 1], true] {
            refuse(try EncryptionSupport.token(header: ["kid": kid]), "kid is not a string")
        }
        let longest = String(repeating: "k", count: 1024)
        let key = try EncryptionSupport.p256Key()
        let token = try EncryptionSupport.token(header: ["kid": .string(longest)])
        #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
        refuse(try EncryptionSupport.token(header: ["kid": .string(longest + "k")]), "kid longer than 1 KB")
    }

    @Test(.attack(.unknownCriticalHeader)) func `crit in any form, and b64`() throws {
        for value: JSONValue in [["exp"], [], .null, "exp", ["zip"], ["alg"]] {
            refuse(try EncryptionSupport.token(header: ["crit": value]), "crit")
        }
        refuse(try EncryptionSupport.token(header: ["b64": false]), "b64")
        refuse(try EncryptionSupport.token(keyManagement: "RSA-OAEP-256", header: ["crit": ["x"], "x": 1]), "crit")
    }

    @Test(.attack(.duplicateJSONMember)) func `a header member given twice`() throws {
        let texts = [
            #"{"alg":"RSA-OAEP-256","alg":"RSA-OAEP-256","enc":"A256GCM"}"#,
            #"{"alg":"RSA1_5","\u0061lg":"RSA-OAEP-256","enc":"A256GCM"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"a","kid":"a"}"#,
        ]
        for text in texts {
            // Everything but the header is as it should be.
            let token = try EncryptionSupport.rsaToken(
                key: [UInt8](repeating: 1, count: 32), initializationVector: [UInt8](repeating: 2, count: 12),
                header: text)
            refuse(token, "header is not a JSON object")
        }
    }

    @Test(.attack(.hostileJSON)) func `header: depth, UTF-8, surrogates, other values than objects`() {
        let deep = String(repeating: "{\"a\":", count: 8000) + "1" + String(repeating: "}", count: 8000)
        let broken = Array("{\"alg\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        for header in [
            Array(deep.utf8), broken, Array(#"{"a":"\uD800"}"#.utf8), Array("[]".utf8), Array("null".utf8),
            Array("{".utf8), [],
        ] {
            refuse(EncryptionSupport.token(headerBytes: header), "header is not a JSON object")
        }
    }

    @Test func `cty is JWT in any case, or absent, as a blank one is`() throws {
        let key = try EncryptionSupport.p256Key()
        for type: JSONValue in ["JWT", "jwt", "application/jwt", "Application/JWT", .null, "", []] {
            let token = try EncryptionSupport.token(header: ["cty": type])
            #expect(try JSONWebEncryption(compact: token).decrypted(with: [key]) == EncryptedTokens.signedToken)
        }
        for type in ["json", "jwt ", "JWTs", "application/json", "\u{212A}WT"] {
            refuse(try EncryptionSupport.token(header: ["cty": .string(type)]), "cty is not JWT")
        }
        for type: JSONValue in [1, true, ["JWT"]] {
            refuse(try EncryptionSupport.token(header: ["cty": type]), "cty is not a string")
        }
    }
}
