// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct TokenResponseTests {
    private func read(_ text: String, status: Int = 200) throws -> TokenResponse {
        try TokenResponse(status: status, json: Array(text.utf8))
    }

    @Test func `reads a response whole`() throws {
        let response = try read(
            #"{"access_token":"a","token_type":"Bearer","refresh_token":"r","expires_in":3600,"id_token":"i","#
                + #""scope":"openid  email","other":[1]}"#)
        #expect(response.idToken == "i")
        #expect(response.accessToken == "a")
        #expect(response.refreshToken == "r")
        #expect(response.expiresIn == 3600)
        #expect(response.scopes == ["openid", "email"])
    }

    @Test(.attack(.hostileTokenResponse)) func `an ID token alone is a response`() throws {
        let response = try read(#"{"id_token":"i"}"#)
        #expect(response.accessToken == nil)
        #expect(response.refreshToken == nil)
        #expect(response.expiresIn == nil)
        #expect(response.scopes == nil)
    }

    @Test(.attack(.hostileTokenResponse), arguments: ["Bearer", "bearer", "BEARER", "bEARER"])
    func `token_type is read in any case`(type: String) throws {
        #expect(try read(#"{"id_token":"i","access_token":"a","token_type":"\#(type)"}"#).accessToken == "a")
    }

    @Test(.attack(.hostileTokenResponse)) func `token_type is Bearer wherever there is an access token`() throws {
        #expect(throws: TokenResponseError.missing("token_type")) { try read(#"{"id_token":"i","access_token":"a"}"#) }
        #expect(throws: TokenResponseError.missing("token_type")) {
            try read(#"{"id_token":"i","access_token":"a","token_type":null}"#)
        }
        for blank in [#""""#, "[]"] {
            #expect(throws: TokenResponseError.missing("token_type")) {
                try read(#"{"id_token":"i","access_token":"a","token_type":\#(blank)}"#)
            }
        }
        for type in [#""DPoP""#, #""Bearer ""#, "1", #"["Bearer"]"#, "{}", "true"] {
            #expect(throws: TokenResponseError.unacceptable("token_type")) {
                try read(#"{"id_token":"i","access_token":"a","token_type":\#(type)}"#)
            }
        }
    }

    @Test(
        .attack(.hostileTokenResponse),
        arguments: [
            "{}", #"{"id_token":null}"#, #"{"id_token":""}"#, #"{"id_token":[]}"#,
            #"{"access_token":"a","token_type":"Bearer"}"#,
        ])
    func `no ID token, or a blank in its place, is refused`(text: String) {
        #expect(throws: TokenResponseError.missing("id_token")) { try read(text) }
    }

    /// What is there and is no token.
    private static let odd = ["1", "{}", "true", #"["i"]"#, #""\u0000""#, #""a\nb""#, #""\u00e4""#, #""\u007f""#]

    @Test(.attack(.hostileTokenResponse), arguments: odd)
    func `an ID token that is not printable ASCII text is refused`(value: String) {
        #expect(throws: TokenResponseError.unacceptable("id_token")) { try read(#"{"id_token":\#(value)}"#) }
    }

    @Test(.attack(.hostileTokenResponse), arguments: odd + ["null", #""""#, "[]"])
    func `another token that is not printable ASCII text is left out`(value: String) throws {
        let response = try read(#"{"id_token":"i","access_token":\#(value),"refresh_token":\#(value)}"#)
        #expect(response.idToken == "i" && response.accessToken == nil && response.refreshToken == nil)
    }

    @Test(
        .attack(.hostileTokenResponse),
        arguments: [
            (#""expires_in":3600"#, 3600), (#""expires_in":"3600""#, 3600), (#""expires_in":0"#, 0),
            (#""expires_in":3600.9"#, 3600), (#""expires_in":36e2"#, 3600), (#""expires_in":null"#, nil),
            (#""a":1"#, nil),
            (#""expires_in":1099511627776"#, 1_099_511_627_776),
        ] as [(String, Int64?)])
    func `expires_in is a number, a number as text, or absent`(member: String, expected: Int64?) throws {
        #expect(try read(#"{"id_token":"i",\#(member)}"#).expiresIn == expected)
    }

    @Test(
        .attack(.hostileTokenResponse),
        arguments: [
            "-1", #""-1""#, #""""#, #""soon""#, #""1.5""#, #"" 1""#, "1e300", "9007199254740993", "1099511627777",
            "true",
            "[]", #""+5""#,
            #""99999999999999999999""#, #""9223372036854775807""#,
        ])
    func `an expires_in that is not a number of seconds is left out`(value: String) throws {
        #expect(try read(#"{"id_token":"i","expires_in":\#(value)}"#).expiresIn == nil)
    }

    @Test(.attack(.hostileTokenResponse)) func `an empty scope is an empty list and not what was asked for`() throws {
        #expect(try read(#"{"id_token":"i","scope":""}"#).scopes == [])
        #expect(try read(#"{"id_token":"i","scope":null}"#).scopes == nil)
        #expect(try read(#"{"id_token":"i","scope":[]}"#).scopes == [])
    }

    @Test(.attack(.hostileTokenResponse)) func `an array of scopes is joined, and another scope is left out`() throws {
        #expect(try read(#"{"id_token":"i","scope":["openid","email"]}"#).scopes == ["openid", "email"])
        #expect(try read(#"{"id_token":"i","scope":["openid email","a",""]}"#).scopes == ["openid", "email", "a"])
        for value in ["1", "{}", "true", #"["openid",1]"#, "[null]", #"[["openid"]]"#] {
            #expect(try read(#"{"id_token":"i","scope":\#(value)}"#).scopes == nil, "\(value)")
        }
    }

    @Test(.attack(.hostileTokenResponse), arguments: [200, 400, 401, 403])
    func `an OAuth error is one, with status 200 too`(status: Int) {
        let error = #expect(throws: TokenResponseError.self) {
            try read(
                #"{"error":"invalid_grant","error_description":"no\u000a more","id_token":"i"}"#, status: status)
        }
        #expect(error?.providerError == ProviderError(code: "invalid_grant", description: "no more"))
        #expect(error?.status == nil)
    }

    @Test(.attack(.hostileTokenResponse), arguments: [429, 500, 502, 503])
    func `the body of an unavailable server is not a response to the client`(status: Int) {
        for text in [#"{"error":"invalid_grant"}"#, #"{"error":1}"#, #"{"id_token":"i"}"#] {
            #expect(throws: TokenResponseError.status(status)) { try read(text, status: status) }
        }
    }

    @Test(arguments: ["null", #""""#, "[]"])
    func `a blank error is none`(value: String) throws {
        #expect(try read(#"{"error":\#(value),"id_token":"i"}"#).idToken == "i")
        #expect(throws: TokenResponseError.status(400)) { try read(#"{"error":\#(value)}"#, status: 400) }
    }

    @Test(arguments: ["1", "{}", "true", #"["invalid_grant"]"#])
    func `an error that is not a string is refused`(value: String) {
        #expect(throws: TokenResponseError.unacceptable("error")) { try read(#"{"error":\#(value),"id_token":"i"}"#) }
    }

    @Test(.attack(.hostileTokenResponse), arguments: ["", "<html>", "[]", #"{"id_token":"i""#])
    func `an unreadable failure is its status`(text: String) {
        for status in [301, 307, 429, 500, 503] {
            let error = #expect(throws: TokenResponseError.self) { try read(text, status: status) }
            #expect(error?.status == status)
        }
    }

    @Test func `a response with another status than 200 is not taken, however good it looks`() {
        for status in [201, 204, 302, 400, 500] {
            #expect(throws: TokenResponseError.status(status)) { try read(#"{"id_token":"i"}"#, status: status) }
        }
    }

    @Test(
        .attack(.hostileTokenResponse, .wrongMediaType),
        arguments: [
            "", "null", "[]", "i", "<html></html>", #"{"id_token":"i"}x"#, "\u{FEFF}{\"id_token\":\"i\"}",
            #"{"id_token":"a","id_token":"b"}"#, #"{"id_token":"a","id_token":"a"}"#,
            #"{"id_token":"i","x":{"y":1,"y":1}}"#,
            #"{"id_token":"i","x":"\ud800"}"#,
        ])
    func `duplicate members and what is not one JSON object are unreadable`(text: String) {
        let error = #expect(throws: TokenResponseError.self) { try read(text) }
        #expect(error?.description.hasPrefix("the token response cannot be read") == true)
        #expect(error?.status == nil)
    }

    @Test func `a response is at most 256 KB long`() throws {
        func json(bytes: Int) -> [UInt8] {
            let head = #"{"id_token":"i","pad":""#
            return Array((head + String(repeating: "x", count: bytes - head.utf8.count - 2) + #""}"#).utf8)
        }
        #expect(json(bytes: 262_144).count == 262_144)
        #expect(try TokenResponse(status: 200, json: json(bytes: 262_144)).idToken == "i")
        let error = #expect(throws: TokenResponseError.self) {
            try TokenResponse(status: 200, json: json(bytes: 262_145))
        }
        #expect(error?.description.hasPrefix("the token response cannot be read") == true)
    }

    @Test(arguments: [
        #"{"id_token":"s3cret\n"}"#, #"{"access_token":"s3cret","id_token":"s3cret"}"#, #"{"id_token":"s3cret"#,
    ])
    func `no error holds a token`(text: String) {
        let error = #expect(throws: TokenResponseError.self) { try read(text) }
        #expect(error.map { !"\($0)".contains("s3cret") } == true)
    }
}
