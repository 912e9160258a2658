// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

/// The header of a token contains unverified claims of its sender.
@Suite struct HeaderTests {
    @Test(.attack(.keyInHeader)) func `jwk, jku, x5u and x5c bring no key`() throws {
        let trusted = try TestKeys.key(.es256)
        let attacker = try SigningKey.generate(.es256)
        let brought: [JSONObject] = [
            ["jwk": .object(attacker.publicJWK)], ["jku": "https://attacker.example/keys"],
            ["x5u": "https://attacker.example/chain"], ["x5c": ["AAAA"]],
        ]
        let keys = try KeySet(trusted.publicJWK)
        for header in brought {
            let own = try attacker.sign(["sub": "a"], header: header)
            #expect(throws: JSONWebSignatureError.unknownKey) { try verify(own, with: keys) }
            var claiming = header
            claiming["kid"] = .string(trusted.keyID)
            let forged = try attacker.sign(["sub": "a"], header: claiming)
            #expect(throws: JSONWebSignatureError.badSignature) { try verify(forged, with: keys) }
            // They do no harm in a token that is signed by a trusted key.
            let honest = try trusted.sign(["sub": "a"], header: header)
            #expect(try verify(honest, with: keys).claims["sub"] == "a")
        }
    }

    @Test(
        .attack(.hostileKeyID),
        arguments: ["../../dev/null", "' OR 1=1 --", "a\u{0}b", "", "\u{212A}", "http://127.0.0.1/"])
    func `a kid is an opaque text`(keyID: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.sign(["sub": "a"], header: ["kid": .string(keyID)])
        #expect(try JSONWebSignature(compact: token).keyID?.makeString() == keyID)
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: KeySet(key.publicJWK)) }
        let named = try KeySet(key.jwk(("kid", .string(keyID))))
        #expect(try verify(token, with: named).claims["sub"] == "a")
    }

    @Test(.attack(.hostileKeyID), arguments: ["7", "null", "[\"a\"]", "{\"a\":1}", "true"])
    func `a kid that is not a string`(value: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256","kid":\#(value)}"#)
        #expect(throws: JSONWebSignatureError.malformed("kid is not a string")) {
            try verify(token, with: KeySet(key.publicJWK))
        }
    }

    @Test(.attack(.hostileKeyID)) func `a kid of 1 KB is read, a longer one refused`() throws {
        let key = try TestKeys.key(.es256)
        let longest = String(repeating: "k", count: 1024)
        let token = try key.sign(["sub": "a"], header: ["kid": .string(longest)])
        #expect(try verify(token, with: KeySet(key.jwk(("kid", .string(longest))))).claims["sub"] == "a")
        let longer = try key.sign(["sub": "a"], header: ["kid": .string(longest + "k")])
        #expect(throws: JSONWebSignatureError.malformed("kid longer than 1 KB")) {
            try JSONWebSignature(compact: longer)
        }
        let huge = try key.sign(["sub": "a"], header: ["kid": .string(String(repeating: "k", count: 102_400))])
        #expect(throws: JSONWebSignatureError.malformed("longer than 64 KB")) { try JSONWebSignature(compact: huge) }
    }

    @Test(.attack(.hostileKeyID)) func `a kid given twice`() throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256","kid":"\#(key.keyID)","kid":"other"}"#)
        #expect(throws: JSONWebSignatureError.malformed("header is not a JSON object")) {
            try verify(token, with: KeySet(key.publicJWK))
        }
    }

    @Test(
        .attack(.unknownCriticalHeader),
        arguments: [
            #""crit":["exp"],"exp":1"#, #""crit":[]"#, #""crit":["absent"]"#, #""crit":["b64"],"b64":false"#,
            #""crit":null"#,
            #""crit":"exp""#, #""crit":["alg"]"#, #""crit":["http://example.com/x"],"http://example.com/x":true"#,
        ])
    func `crit in any form`(members: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256","kid":"\#(key.keyID)",\#(members)}"#)
        #expect(throws: JSONWebSignatureError.malformed("crit")) { try verify(token, with: KeySet(key.publicJWK)) }
    }

    @Test(.attack(.unknownCriticalHeader), arguments: ["true", "false", "null", "\"false\""])
    func `b64 without crit`(value: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256","b64":\#(value)}"#)
        #expect(throws: JSONWebSignatureError.malformed("b64")) { try verify(token, with: KeySet(key.publicJWK)) }
    }

    @Test(.attack(.duplicateJSONMember)) func `a header member given twice`() throws {
        let key = try TestKeys.key(.es256)
        for header in [#"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"none","\u0061lg":"ES256"}"#] {
            let token = try key.token(header: header)
            #expect(throws: JSONWebSignatureError.malformed("header is not a JSON object")) {
                try verify(token, with: KeySet(key.publicJWK))
            }
        }
    }

    @Test(.attack(.duplicateJSONMember)) func `a claim given twice`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        for payload in [#"{"iss":"a","iss":"b"}"#, #"{"a":{"b":1,"b":2}}"#, #"{"iss":"a","i\u0073s":"a"}"#] {
            let token = try key.token(header: #"{"alg":"ES256"}"#, payload: payload)
            #expect(throws: JSONWebSignatureError.payload(.duplicateMember)) { try verify(token, with: keys) }
        }
    }

    @Test(arguments: ["7", "[7]", "{}", "false"])
    func `a typ that is not a string`(value: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256","typ":\#(value)}"#)
        #expect(throws: JSONWebSignatureError.malformed("typ is not a string")) { try JSONWebSignature(compact: token) }
    }

    @Test(.attack(.tokenOfAnotherKind)) func `typ is handed on as written, blank as absent`() throws {
        let key = try TestKeys.key(.es256)
        for type in ["at+jwt", "logout+jwt", "JWT", "jwt"] {
            #expect(try JSONWebSignature(compact: key.sign([:], type: type)).type?.makeString() == type)
        }
        #expect(try JSONWebSignature(compact: key.sign([:])).type == nil)
        for blank in ["null", #""""#, "[]"] {
            let token = try key.token(header: #"{"alg":"ES256","typ":\#(blank)}"#)
            #expect(try JSONWebSignature(compact: token).type == nil)
        }
    }

    @Test(.attack(.hostileJSON)) func `header and claims: depth, UTF-8, surrogates`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        let header = Array(#"{"alg":"ES256"}"#.utf8)
        let deep = Array((String(repeating: "{\"a\":", count: 8000) + "1" + String(repeating: "}", count: 8000)).utf8)
        let broken = Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
        let lone = Array(#"{"a":"\uD800"}"#.utf8)
        for (bytes, error) in [(deep, JSONError.tooDeep), (broken, .invalidUTF8), (lone, .loneSurrogate)] {
            let asClaims = try key.token(headerBytes: header, payloadBytes: bytes)
            #expect(throws: JSONWebSignatureError.payload(error)) { try verify(asClaims, with: keys) }
            let asHeader = try key.token(headerBytes: bytes, payloadBytes: Array("{}".utf8))
            #expect(throws: JSONWebSignatureError.malformed("header is not a JSON object")) {
                try JSONWebSignature(compact: asHeader)
            }
        }
    }

    @Test(arguments: ["", " ", "[]", "null", "\"a\"", "{", "{}x", "text"])
    func `claims that are not a JSON object`(payload: String) throws {
        let key = try TestKeys.key(.es256)
        let token = try key.token(header: #"{"alg":"ES256"}"#, payload: payload)
        let error = try #require(throws: JSONWebSignatureError.self) {
            try verify(token, with: KeySet(key.publicJWK))
        }
        #expect(error == .payload(.syntax) || error == .payload(.notAnObject))
    }

    @Test func `claims are read only after the signature: a bad one hides what they are`() throws {
        let key = try TestKeys.key(.es256)
        let other = try SigningKey.generate(.es256)
        let token = try other.token(header: #"{"alg":"ES256"}"#, payload: "text")
        #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, with: KeySet(key.publicJWK)) }
    }

    @Test(.attack(.impossibleTimes)) func `claims with any number are read, and give seconds or none`() throws {
        let key = try TestKeys.key(.es256)
        let payload = #"{"a":"1","b":1e300,"c":-1,"d":9007199254740993,"e":1.5,"f":1700000000}"#
        let claims = try verify(key.token(header: #"{"alg":"ES256"}"#, payload: payload), with: KeySet(key.publicJWK))
            .claims
        #expect(claims.members.map { $0.value.secondsValue } == [nil, nil, nil, nil, 1, 1_700_000_000])
        let text = try key.token(header: #"{"alg":"ES256"}"#, payload: #"{"exp":NaN}"#)
        #expect(throws: JSONWebSignatureError.payload(.syntax)) { try verify(text, with: KeySet(key.publicJWK)) }
    }
}
