// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct RefreshResponseTests {
    private func read(_ text: String, status: Int = 200) throws -> RefreshResponse {
        try RefreshResponse(status: status, json: Array(text.utf8))
    }

    @Test func `reads a response whole`() throws {
        let response = try read(
            #"{"access_token":"a","token_type":"Bearer","refresh_token":"r","expires_in":3600,"id_token":"i","#
                + #""scope":"openid email"}"#)
        #expect(response.idToken == "i")
        #expect(response.accessToken == "a")
        #expect(response.refreshToken == "r")
        #expect(response.expiresIn == 3600)
        #expect(response.scopes == ["openid", "email"])
    }

    @Test func `Core section 12 2 an ID token may be missing`() throws {
        let response = try read(#"{"access_token":"a","token_type":"bEARER"}"#)
        #expect(response.idToken == nil)
        #expect(response.refreshToken == nil)
        #expect(response.scopes == nil)
    }

    @Test func `an access token may not`() {
        for text in ["{}", #"{"id_token":"i"}"#, #"{"access_token":null,"id_token":"i"}"#] {
            #expect(throws: TokenResponseError.missing("access_token")) { try read(text) }
        }
        for value in ["1", "{}", #"["a"]"#, #""\u00e4""#] {
            #expect(throws: TokenResponseError.unacceptable("access_token")) {
                try read(#"{"access_token":\#(value)}"#)
            }
        }
        #expect(throws: TokenResponseError.missing("token_type")) { try read(#"{"access_token":"a"}"#) }
        #expect(throws: TokenResponseError.unacceptable("token_type")) {
            try read(#"{"access_token":"a","token_type":"DPoP"}"#)
        }
    }

    @Test func `an empty scope is an empty list and not what was asked for`() throws {
        #expect(try read(#"{"access_token":"a","token_type":"Bearer","scope":""}"#).scopes == [])
    }

    @Test func `an OAuth error is one`() {
        let error = #expect(throws: TokenResponseError.self) { try read(#"{"error":"invalid_grant"}"#, status: 400) }
        #expect(error?.providerError == ProviderError(code: "invalid_grant", description: nil))
        #expect(throws: TokenResponseError.status(503)) { try read(#"{"error":"invalid_grant"}"#, status: 503) }
    }

    @Test func `a response prints no token`() throws {
        let refreshed = try read(#"{"access_token":"s3cret","token_type":"Bearer","refresh_token":"s3cret"}"#)
        let exchanged = try TokenResponse(status: 200, json: Array(#"{"id_token":"s3cret"}"#.utf8))
        var dumped = ""
        dump(refreshed, to: &dumped)
        dump(exchanged, to: &dumped)
        let shown = [
            "\(refreshed)", String(reflecting: refreshed), "\(exchanged)", String(reflecting: exchanged), dumped,
        ]
        #expect(shown.allSatisfy { !$0.contains("s3cret") })
    }
}
