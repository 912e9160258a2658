// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct UserInfoResponseTests {
    private func claims(_ contentType: String?, _ text: String) throws -> JSONObject? {
        let response = try UserInfoResponse(contentType: contentType, body: Array(text.utf8))
        guard case .plain(let claims) = response.form else { return nil }
        return claims
    }

    @Test(
        .attack(.wrongMediaType),
        arguments: [
            "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON",
            " application/json ", "application/json ; x=y", "application/json;",
        ])
    func `plain claims are JSON, whatever parameters the media type has`(contentType: String) throws {
        #expect(try claims(contentType, #"{"sub":"person","email":"a@example.com"}"#)?["sub"] == "person")
    }

    @Test(
        arguments: [
            nil, "", "text/html", "text/plain", "application/jsonx", "application/json-patch+json", "text/json",
            "application/jose", "application/x-www-form-urlencoded", ";application/json", "application/jwtx",
            "text/html; application/json", "application /json",
        ] as [String?])
    func `another media type is refused, whatever the body`(contentType: String?) throws {
        for body in [#"{"sub":"person"}"#, try token()] {
            #expect(throws: UserInfoResponseError.mediaType) {
                try UserInfoResponse(contentType: contentType, body: Array(body.utf8))
            }
        }
    }

    @Test(
        .attack(.wrongMediaType),
        arguments: [
            "", "null", "[]", "<html></html>", #"{"sub":"a"}x"#, #"{"sub":"a","sub":"b"}"#, "\u{FEFF}{\"sub\":\"a\"}",
            #"{"sub":"\ud800"}"#,
        ])
    func `what is not one JSON object is unreadable`(text: String) {
        let error = #expect(throws: UserInfoResponseError.self) { try claims("application/json", text) }
        #expect(error?.description.hasPrefix("the UserInfo response cannot be read") == true)
    }

    @Test(.attack(.wrongMediaType)) func `latin-1 is not UTF-8, whatever the charset says`() {
        let body = Array(#"{"name":""#.utf8) + [0xE4] + Array(#""}"#.utf8)
        for contentType in ["application/json", "application/json; charset=iso-8859-1"] {
            let error = #expect(throws: UserInfoResponseError.self) {
                try UserInfoResponse(contentType: contentType, body: body)
            }
            #expect(error != .mediaType)
        }
    }

    private func token(_ claims: JSONObject = ["iss": "i", "aud": "client", "sub": "person"]) throws -> String {
        try SigningKey.generate(.es256).sign(claims)
    }

    @Test func `a signed response is a token, to be verified like any other`() throws {
        let key = try SigningKey.generate(.es256)
        let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
        for contentType in ["application/jwt", "APPLICATION/JWT; charset=utf-8"] {
            let body = Array(try key.sign(["iss": "i", "aud": "client", "sub": "person"]).utf8)
            let response = try UserInfoResponse(contentType: contentType, body: body)
            guard case .signed(let signature) = response.form else {
                Issue.record("not signed")
                continue
            }
            let payload = try signature.verified(by: keys, algorithms: [.es256])
            #expect(payload.claims["sub"] == "person")
        }
    }

    @Test func `a signed response is nothing but the token`() throws {
        let compact = try token()
        for body in [
            "", "a.b", #"{"sub":"person"}"#, compact + "\n", " " + compact, "\"\(compact)\"",
        ] {
            let error = #expect(throws: UserInfoResponseError.self) {
                try UserInfoResponse(contentType: "application/jwt", body: Array(body.utf8))
            }
            #expect(error != .mediaType)
        }
        #expect(throws: UserInfoResponseError.self) {
            try UserInfoResponse(contentType: "application/jwt", body: Array(compact.utf8) + [0xFF])
        }
    }

    @Test func `a token is not claims, and claims are not a token`() throws {
        let compact = try token()
        #expect(throws: UserInfoResponseError.self) { try claims("application/json", compact) }
    }

    @Test func `claims have at most 256 KB, a token 64`() throws {
        let head = #"{"sub":"a","pad":""#
        func body(bytes: Int) -> String { head + String(repeating: "x", count: bytes - head.utf8.count - 2) + #""}"# }
        #expect(try claims("application/json", body(bytes: 262_144))?["sub"] == "a")
        #expect(throws: UserInfoResponseError.self) { try claims("application/json", body(bytes: 262_145)) }
        let long = try token(["sub": .string(String(repeating: "x", count: 65_536))])
        #expect(throws: UserInfoResponseError.self) {
            try UserInfoResponse(contentType: "application/jwt", body: Array(long.utf8))
        }
    }

    @Test func `no error holds a claim`() {
        for contentType in ["application/json", "application/jwt", "text/html"] {
            let error = #expect(throws: UserInfoResponseError.self) {
                try UserInfoResponse(contentType: contentType, body: Array(#"{"sub":"s3cret","sub":1}"#.utf8))
            }
            #expect(error.map { !"\($0)".contains("s3cret") } == true)
        }
    }
}
