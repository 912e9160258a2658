// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing
import TestingSupport

/// Tokens of 64 KB made to cost as much as they can: refused for what they are, within the limits of tokens and of
/// JSON. That the cost is linear in the length is measured by `Benchmarks/hostile-token`; no test times anything.
@Suite struct HostileTokenTests {
    private static let length = JSONWebSignature.longestToken

    /// A token of exactly 64 KB whose header is `prefix`, then `unit` again and again, then `suffix`.
    ///
    /// A header's last group of three bytes may not fill up with whole units: spaces do, which JSON allows at the end.
    private func token(header prefix: String, repeating unit: String, _ suffix: String) throws -> String {
        let rest = ".e30.AAAA"
        let bytes = (Self.length - rest.utf8.count) / 4 * 3
        let room = bytes - prefix.utf8.count - suffix.utf8.count
        var text = prefix + String(repeating: unit, count: room / unit.utf8.count) + suffix
        text += String(repeating: " ", count: bytes - text.utf8.count)
        let token = Base64URL.encode(text.utf8) + rest
        try #require((Self.length - 3...Self.length).contains(token.utf8.count))
        return token
    }

    private func expect(_ token: String, _ reason: String, at location: SourceLocation = #_sourceLocation) {
        #expect(throws: JSONWebSignatureError.malformed(reason), sourceLocation: location) {
            try JSONWebSignature(compact: token)
        }
    }

    /// The same header in front of four segments.
    private func expectEncrypted(_ token: String, _ reason: String, at location: SourceLocation = #_sourceLocation) {
        let header = token.prefix { $0 != "." }
        #expect(throws: JSONWebEncryptionError.malformed(reason), sourceLocation: location) {
            try JSONWebEncryption(compact: header + "....")
        }
    }

    @Test(.attack(.malformedCompactForm)) func `dots and nothing else`() {
        let dots = String(repeating: ".", count: Self.length)
        expect(dots, "not three segments")
        #expect(throws: JSONWebEncryptionError.malformed("not five segments")) { try JSONWebEncryption(compact: dots) }
        #expect(!JSONWebSignature.isFiveSegments(dots))
        expect(String(repeating: "a", count: Self.length), "not three segments")
    }

    @Test(.attack(.hostileJSON)) func `nesting of more than 10,000`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let depth = 49_000 / (open.utf8.count + close.utf8.count)
            let closed = String(repeating: open, count: depth) + String(repeating: close, count: depth)
            for token in [
                try token(header: "{\"alg\":\"ES256\",\"a\":", repeating: open, ""),
                try token(header: "{\"alg\":\"ES256\",\"a\":" + closed, repeating: " ", "}"),
            ] {
                expect(token, "header is not a JSON object")
                expectEncrypted(token, "header is not a JSON object")
            }
        }
    }

    @Test(.attack(.duplicateJSONMember))
    func `one name thousands of times, and thousands of names with the last one twice`() throws {
        expect(try token(header: "{\"alg\":\"ES256\"", repeating: ",\"a\":1", "}"), "header is not a JSON object")
        let names = (1000..<6000).map { ",\"\($0)\":1" }.joined()
        let twice = try token(header: "{\"alg\":\"ES256\"\(names)", repeating: " ", ",\"5999\":2}")
        expect(twice, "header is not a JSON object")
        expectEncrypted(twice, "header is not a JSON object")
        // The control: every name once is a header like any other, refused for what comes behind it.
        let once = try token(header: "{\"alg\":\"ES256\"\(names)", repeating: " ", "}")
        #expect(try JSONWebSignature(compact: once).algorithm == .es256)
    }

    @Test(.attack(.duplicateJSONMember)) func `thousands of names that collide but for their last character`() throws {
        let stem = String(repeating: "n", count: 30)
        let names = (1000..<2200).map { ",\"\(stem)\($0)\":1" }.joined()
        let token = try token(header: "{\"alg\":\"ES256\"\(names)", repeating: " ", ",\"\(stem)1000\":1}")
        expect(token, "header is not a JSON object")
    }

    @Test(.attack(.impossibleTimes)) func `numbers of thousands of digits`() throws {
        for (prefix, unit) in [("", "9"), ("-", "9"), ("0.", "0"), ("1e", "9"), ("1e-", "0"), ("1.", "5")] {
            let token = try token(header: "{\"alg\":\"ES256\",\"a\":\(prefix)", repeating: unit, "}")
            expect(token, "header is not a JSON object")
            expectEncrypted(token, "header is not a JSON object")
        }
    }

    @Test(.attack(.hostileJSON)) func `escapes and nothing else`() throws {
        for unit in ["\\n", "\\u0041", "\\uD83D\\uDE00", "\\\""] {
            let token = try token(header: "{\"alg\":\"ES256\",\"kid\":\"", repeating: unit, "\"}")
            expect(token, "kid longer than 1 KB")
        }
        expect(
            try token(header: "{\"alg\":\"ES256\",\"kid\":\"", repeating: "\\uD83D", "\"}"),
            "header is not a JSON object")
        expect(try token(header: "{\"alg\":\"ES256\",\"kid\":\"", repeating: "\\\\", ""), "header is not a JSON object")
    }

    @Test(.attack(.hostileKeyID)) func `a kid as long as the token`() throws {
        let token = try token(header: "{\"alg\":\"ES256\",\"kid\":\"", repeating: "k", "\"}")
        expect(token, "kid longer than 1 KB")
        let encrypted = try self.token(
            header: "{\"alg\":\"RSA-OAEP-256\",\"enc\":\"A128GCM\",\"kid\":\"", repeating: "k", "\"}")
        expectEncrypted(encrypted, "kid longer than 1 KB")
    }

    @Test func `an alg as long as the token, and whitespace as long`() throws {
        let long = try token(header: "{\"alg\":\"", repeating: "A", "\"}")
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try JSONWebSignature(compact: long) }
        let error = try #require(throws: JSONWebSignatureError.self) { try JSONWebSignature(compact: long) }
        #expect("\(error)".utf8.count < 200)
        expect(try token(header: "{", repeating: " \n\t", "}"), "alg is not a string")
        expect(try token(header: "", repeating: " ", ""), "header is not a JSON object")
    }

    @Test func `hostile claims behind a good signature`() throws {
        let key = try TestKeys.key(.eddsa)
        let keys = try KeySet(key.publicJWK)
        let shapes: [(String, JSONError)] = [
            (String(repeating: "[", count: 49_000), .tooDeep),
            ("{" + String(repeating: "\"a\":{", count: 9000), .syntax),
            ("{\"a\":" + String(repeating: "9", count: 48_000) + "}", .numberTooLong),
            ("{" + String(repeating: "\"a\":1,", count: 8000) + "\"a\":1}", .duplicateMember),
            ("{\"a\":\"" + String(repeating: "\\u0041", count: 8000) + "\\uD800\"}", .loneSurrogate),
        ]
        for (payload, expected) in shapes {
            let token = try key.token(header: #"{"alg":"EdDSA"}"#, payload: payload)
            let error = try #require(throws: JSONWebSignatureError.self) { try verify(token, with: keys) }
            // "{" then `"a":{` again and again: deep before it is anything else.
            #expect(error == .payload(expected == .syntax ? .tooDeep : expected))
        }
    }
}
