// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

/// RFC 7009.
@Suite struct RevocationRequestTests {
    @Test func `section 2 1 the form names the token, and its kind where it is known`() {
        #expect(RevocationRequest.form(token: "t").map { [$0.0, $0.1] } == [["token", "t"]])
        #expect(
            RevocationRequest.form(token: "t", hint: "refresh_token").map { [$0.0, $0.1] }
                == [["token", "t"], ["token_type_hint", "refresh_token"]])
    }

    @Test func `section 2 2 1 a refusal is an OAuth error`() {
        let json = Array(#"{"error":"unsupported_token_type","error_description":"no\u000a more"}"#.utf8)
        #expect(
            RevocationRequest.refusal(json: json)
                == ProviderError(code: "unsupported_token_type", description: "no more"))
    }

    @Test(arguments: ["", "{}", "[]", "<html>", #"{"error":1}"#, #"{"error":""}"#, #"{"error":"a","error":"b"}"#])
    func `a body that is not an OAuth error is none`(text: String) {
        #expect(RevocationRequest.refusal(json: Array(text.utf8)) == nil)
    }

    @Test func `a refusal is read up to 64 KB`() {
        let padding = String(repeating: "x", count: 65_536)
        #expect(RevocationRequest.refusal(json: Array(#"{"error":"a","x":"\#(padding)"}"#.utf8)) == nil)
    }
}
