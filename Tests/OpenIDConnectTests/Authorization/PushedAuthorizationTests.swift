// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

@Suite struct PushedAuthorizationTests {
    private func read(_ text: String, status: Int = 201) throws -> PushedAuthorizationResponse {
        try PushedAuthorizationResponse(status: status, json: Array(text.utf8))
    }

    @Test func `RFC 9126 section 2 2 reads a response whole`() throws {
        let response = try read(#"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11A","expires_in":60,"x":1}"#)
        #expect(response.requestURI == "urn:ietf:params:oauth:request_uri:6esc_11A")
    }

    @Test(arguments: [
        "1", "true", #"["urn:a"]"#, "{}", #""urn:a b""#, #""urn:a\n""#, #""urn:\u00e4""#,
        #""urn:\u0000""#,
        #""urn:\u007f""#,
    ])
    func `a request URI that is not printable ASCII text is refused`(value: String) {
        #expect(throws: PushedAuthorizationError.unacceptable("request_uri")) {
            try read(#"{"request_uri":\#(value),"expires_in":60}"#)
        }
    }

    @Test func `a request URI has at most 2048 characters`() throws {
        let longest = "urn:" + String(repeating: "a", count: 2044)
        #expect(try read(#"{"request_uri":"\#(longest)","expires_in":60}"#).requestURI == longest)
        #expect(throws: PushedAuthorizationError.unacceptable("request_uri")) {
            try read(#"{"request_uri":"\#(longest)a","expires_in":60}"#)
        }
    }

    @Test(arguments: ["60", "0", #""60""#, #""soon""#, "null", "[]", "{}", nil] as [String?])
    func `the lifetime is not used, and not judged`(value: String?) throws {
        let member = value.map { #","expires_in":\#($0)"# } ?? ""
        #expect(try read(#"{"request_uri":"urn:a"\#(member)}"#).requestURI == "urn:a")
    }

    @Test(arguments: ["null", #""""#, "[]"])
    func `a blank member is absent`(value: String) throws {
        #expect(throws: PushedAuthorizationError.missing("request_uri")) { try read(#"{"request_uri":\#(value)}"#) }
        #expect(try read(#"{"request_uri":"urn:a","error":\#(value)}"#).requestURI == "urn:a")
        #expect(throws: PushedAuthorizationError.status(400)) { try read(#"{"error":\#(value)}"#, status: 400) }
    }

    @Test func `a response without a request URI is refused`() {
        #expect(throws: PushedAuthorizationError.missing("request_uri")) { try read(#"{"expires_in":60}"#) }
    }

    @Test(arguments: [200, 202, 204, 302, 307, 400, 404, 429, 500, 503])
    func `another status than 201 is refused, however valid the response looks`(status: Int) {
        #expect(throws: PushedAuthorizationError.status(status)) {
            try read(#"{"request_uri":"urn:a","expires_in":60}"#, status: status)
        }
    }

    @Test(arguments: [201, 400, 401, 403, 413])
    func `RFC 9126 section 2 3 an OAuth error is one`(status: Int) {
        let error = #expect(throws: PushedAuthorizationError.self) {
            try read(
                #"{"error":"invalid_request","error_description":"no\u000a more","request_uri":"urn:a"}"#,
                status: status)
        }
        #expect(error?.providerError == ProviderError(code: "invalid_request", description: "no more"))
        #expect(error?.status == nil)
    }

    @Test(arguments: [429, 500, 502, 503])
    func `the body of an unavailable server is not a response to the client`(status: Int) {
        for text in [#"{"error":"invalid_request"}"#, "<html>", ""] {
            let error = #expect(throws: PushedAuthorizationError.self) { try read(text, status: status) }
            #expect(error?.status == status)
        }
    }

    @Test(arguments: ["1", "{}", #"["a"]"#, "true"])
    func `an error that is not a string is refused`(value: String) {
        #expect(throws: PushedAuthorizationError.unacceptable("error")) {
            try read(#"{"error":\#(value),"request_uri":"urn:a","expires_in":60}"#)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "<html></html>", #"{"request_uri":"urn:a","expires_in":60}x"#,
        #"{"request_uri":"urn:a","request_uri":"urn:b","expires_in":60}"#, "\u{FEFF}{}",
    ])
    func `what is not one JSON object is unreadable`(text: String) {
        let error = #expect(throws: PushedAuthorizationError.self) { try read(text) }
        #expect(error?.description.hasPrefix("the response to the pushed request cannot be read") == true)
        #expect(error?.status == nil)
    }

    @Test func `the browser carries the client and the reference, and nothing else`() throws {
        let endpoint = try #require(AbsoluteURL("https://issuer.example/a"))
        #expect(
            AuthorizationRequest.url(endpoint: endpoint, clientID: "client id", requestURI: "urn:a:b")
                == "https://issuer.example/a?client_id=client%20id&request_uri=urn%3Aa%3Ab")
        let withQuery = try #require(AbsoluteURL("https://issuer.example/a?tenant=1"))
        #expect(
            AuthorizationRequest.url(endpoint: withQuery, clientID: "c", requestURI: "u")
                == "https://issuer.example/a?tenant=1&client_id=c&request_uri=u")
    }
}
