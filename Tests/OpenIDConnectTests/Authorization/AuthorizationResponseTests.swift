// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct AuthorizationResponseTests {
    private func read(_ text: String) throws -> AuthorizationResponse {
        try AuthorizationResponse(FormURLEncoding.parse(text.utf8))
    }

    private func contents(_ text: String, for type: ResponseType = .code) throws -> AuthorizationResponse.Contents {
        try read(text).contents(for: type)
    }

    @Test func `reads a code with its state and issuer`() throws {
        let parameters = try read("code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj&iss=https%3A%2F%2Fissuer.example")
        #expect(try parameters.contents(for: .code) == .code(of: "SplxlOBeZQQYbYS6WxSbIA"))
        #expect(parameters.state == "af0ifjsldkj")
        #expect(parameters.issuer == "https://issuer.example")
    }

    @Test func `unknown parameters are ignored, duplicate ones too`() throws {
        let parameters = try read("code=c&state=s&session_state=1&prompt=none&hd=a&hd=b&id_token=x&access_token=y")
        #expect(try parameters.contents(for: .code) == .code(of: "c"))
        #expect(parameters.issuer == nil)
    }

    @Test(
        .attack(.missingOrDuplicateState),
        arguments: ["code=c", "code=c&state=", "code=c&State=s", "error=access_denied", ""])
    func `a callback without a state is refused`(text: String) {
        #expect(throws: AuthorizationResponseError.missingState) { try read(text) }
    }

    @Test(
        .attack(.missingOrDuplicateState, .duplicateResponseParameter),
        arguments: [
            ("state", "state=a&state=b&code=c"), ("state", "state=a&state=a&code=c"),
            ("state", "state=a&state=&code=c"),
            ("code", "state=s&code=a&code=b"), ("code", "state=s&code=a&code=a"), ("code", "state=s&code=a&code="),
            ("iss", "state=s&code=c&iss=a&iss=b"), ("iss", "state=s&code=c&iss=a&iss=a"),
            ("id_token", "state=s&code=c&id_token=a&id_token=b"),
            ("access_token", "state=s&code=c&access_token=a&access_token=b"),
            ("error", "state=s&error=a&error=b"), ("error", "state=s&code=c&error=a&error=a"),
            ("error_description", "state=s&error=a&error_description=b&error_description=c"),
            ("error_uri", "state=s&error=a&error_uri=b&error_uri=b"),
            ("id_token", "state=s&error=a&id_token=b&id_token=b"),
            ("token_type", "state=s&code=c&token_type=a&token_type=b"),
            ("expires_in", "state=s&code=c&expires_in=1&expires_in=2"),
            ("scope", "state=s&code=c&scope=a&scope=b"),
            ("session_state", "state=s&code=c&session_state=a&session_state=b"),
            ("user", "state=s&code=c&user=a&user=a"),
            ("code", "state=s&error=access_denied&code=a&code=b"),
        ])
    func `a duplicate parameter is refused by its name`(name: String, text: String) {
        #expect(throws: AuthorizationResponseError.parameters(.duplicate(name))) { try read(text) }
    }

    @Test(.attack(.codeBesideError)) func `an error wins over a code beside it`() throws {
        let expected = ProviderError(code: "access_denied", description: nil)
        #expect(try contents("state=s&code=c&error=access_denied") == .error(expected))
        #expect(try contents("state=s&error=access_denied&code=c") == .error(expected))
        // Whatever the code would have been refused for.
        #expect(try contents("state=s&error=access_denied&code=") == .error(expected))
    }

    @Test func `an empty error is none`() throws {
        #expect(try contents("state=s&code=c&error=") == .code(of: "c"))
        #expect(throws: AuthorizationResponseError.missingCode) { try read("state=s&error=") }
    }

    @Test func `neither code nor error is refused`() {
        #expect(throws: AuthorizationResponseError.missingCode) { try read("state=s") }
        #expect(throws: AuthorizationResponseError.missingCode) { try read("state=s&iss=i") }
    }

    @Test(
        .attack(.impossibleCode), arguments: ["%00", "a%00b", "a%0D", "a%0Ab", "a%C3%A4", "a%7F", "a%1F", "a%09"])
    func `a code that has characters that no code has is refused`(code: String) {
        #expect(throws: AuthorizationResponseError.unacceptableCode) { try read("state=s&code=\(code)") }
    }

    @Test(.attack(.impossibleCode)) func `a code has at most 4096 characters, all of them printable ASCII`() throws {
        let longest = String(repeating: "c", count: 4096)
        #expect(try contents("state=s&code=\(longest)") == .code(of: longest))
        #expect(throws: AuthorizationResponseError.unacceptableCode) { try read("state=s&code=\(longest)c") }
        #expect(throws: AuthorizationResponseError.missingCode) { try read("state=s&code=") }
        #expect(try contents("state=s&code=%20%7E") == .code(of: " ~"))
        #expect(try contents("state=s&code=4%2F0AX4+b") == .code(of: "4/0AX4 b"))
    }

    @Test(.attack(.hostileProviderError)) func `an error is cut to what may be shown and logged`() throws {
        let long = String(repeating: "d", count: 600)
        let parameters = try read(
            "state=s&error=access%0D%0A_denied%C3%A4&error_description=%00a%0Ab%3Cscript%3E\(long)")
        guard case .error(let error) = try parameters.contents(for: .code) else {
            Issue.record("not an error")
            return
        }
        // Not "access_denied": what is taken out would make a code that was not sent.
        #expect(error.code == "access??_denied??")
        #expect(error.errorDescription?.hasPrefix("ab<script>ddd") == true)
        #expect(error.errorDescription?.utf8.count == 512)
        #expect(
            ProviderError(code: WireText(String(repeating: "e", count: 65)), description: nil).code.utf8.count == 64)
    }

    /// A JWT with a payload and without a signature that could be verified.
    private static func jwt(_ payload: String) -> String {
        "e30." + Base64URL.encode(Array(payload.utf8)) + ".AAAA"
    }

    @Test func `JARM 2.1 of a JWT the state alone is read, and nothing beside it`() throws {
        let jwt = Self.jwt(#"{"state":"s","code":"c","iss":"i","error":"e"}"#)
        let response = try read("code=d&error=e&iss=i&id_token=t&response=" + jwt)
        #expect(response.state == "s" && response.jwt == jwt)
        #expect(response.code == nil && response.issuer == nil && response.idToken == nil && response.error == nil)
        for type in [ResponseType.code, .codeIDToken, .idToken] {
            #expect(try response.contents(for: type) == .signed(jwt))
        }
    }

    @Test func `beside a state it is a parameter that does not count`() throws {
        let response = try read("state=t&code=d&response=" + Self.jwt(#"{"state":"s","code":"c"}"#))
        #expect(response.state == "t" && response.code != nil && response.jwt == nil)
    }

    private static let unreadable = [
        "a", "a.b", "e30.e30.AAAA", "e30..AAAA", "e30.!.AAAA", "e30.e30.e30.e30.e30",
        String(repeating: ".", count: 9000), jwt("[]"), jwt(#"{"state":""}"#), jwt(#"{"state":7}"#),
        jwt(#"{"state":"s","state":"s"}"#), jwt(#"{"state":"s"}"#) + "%20", jwt(#"{"state":"s"}"#) + ".x",
    ]

    @Test(arguments: unreadable) func `what is no JWT with a state is no response`(text: String) {
        #expect(throws: AuthorizationResponseError.unacceptableResponse) { try read("code=c&response=" + text) }
    }

    @Test func `a JWT is at most 64 KB long`() throws {
        func response(of length: Int) -> String {
            let start = Self.jwt(#"{"state":"s"}"#)
            return start + String(repeating: "A", count: length - start.utf8.count)
        }
        #expect(try read("response=" + response(of: 65_536)).state == "s")
        #expect(throws: AuthorizationResponseError.unacceptableResponse) {
            try read("response=" + response(of: 65_537))
        }
    }

    @Test func `the claims of a JWT are read as parameters`() throws {
        let response = try AuthorizationResponse(claims: [
            "state": "s", "code": "c", "iss": "i", "aud": ["client"], "exp": 60, "response": "e30.e30.AAAA",
        ])
        #expect(response.state == "s" && response.issuer == "i" && response.jwt == nil)
        #expect(try response.contents(for: .code) == .code(of: "c"))
        #expect(throws: AuthorizationResponseError.missingCode) {
            try AuthorizationResponse(claims: ["state": "s", "code": 7])
        }
        #expect(throws: AuthorizationResponseError.missingState) { try AuthorizationResponse(claims: ["code": "c"]) }
    }

    @Test func `every known parameter may occur once`() {
        for name in AuthorizationResponse.names {
            func pair(_ name: String) -> String {
                name + "=" + (name == "response" ? Self.jwt(#"{"state":"s"}"#) : "v")
            }
            let others = AuthorizationResponse.names.filter { $0 != name }.map { pair($0) + "&" }.joined()
            #expect(throws: Never.self) { try read(others + pair(name)) }
            #expect(throws: AuthorizationResponseError.parameters(.duplicate(name))) {
                try read(others + pair(name) + "&" + pair(name))
            }
        }
    }

    @Test(arguments: AuthorizationResponse.names) func `RFC 6749 3.1 a parameter without a value counts as omitted`(
        name: String
    ) throws {
        // What a text is read as for each response type, errors too.
        func readings(_ text: String) -> [String] {
            [ResponseType.code, .codeIDToken, .idToken].map { type in
                do {
                    let response = try read(text)
                    let issuer = response.issuer?.makeString() ?? "none"
                    return "\(try response.contents(for: type)), issuer \(issuer)"
                } catch {
                    return "\(error)"
                }
            }
        }
        let all = [("state", "s"), ("code", "c"), ("id_token", "t"), ("iss", "i"), ("error", "e")]
        for count in 1...all.count {
            let others = all.prefix(count).filter { $0.0 != name }.map { "\($0.0)=\($0.1)&" }.joined()
            #expect(readings(others + name + "=") == readings(others))
            #expect(readings(others + name) == readings(others))
        }
    }

    @Test func `each response type has its own response`() throws {
        let both = "state=s&code=c&id_token=t"
        #expect(try contents(both, for: .code) == .code(of: "c"))
        #expect(try contents(both, for: .codeIDToken) == .code(of: "c", idToken: "t"))
        #expect(try contents(both, for: .idToken) == .idToken("t"))
        #expect(try contents("state=s&id_token=t", for: .idToken) == .idToken("t"))
    }

    @Test(
        arguments: [
            (.code, "state=s&id_token=t", .missingCode),
            (.codeIDToken, "state=s&id_token=t", .missingCode),
            (.codeIDToken, "state=s&code=c", .missingIDToken),
            (.idToken, "state=s&code=c", .missingIDToken),
            (.codeIDToken, "state=s&code=c&access_token=a&token_type=Bearer", .missingIDToken),
        ] as [(ResponseType, String, AuthorizationResponseError)])
    func `all that was asked for must be there`(type: ResponseType, text: String, expected: AuthorizationResponseError)
    {
        #expect(throws: expected) { try contents(text, for: type) }
    }

    @Test(.attack(.codeBesideError), arguments: [ResponseType.code, .codeIDToken, .idToken])
    func `an error wins over whatever was asked for`(type: ResponseType) throws {
        let expected = AuthorizationResponse.Contents.error(ProviderError(code: "login_required", description: "d"))
        for text in ["", "&code=c", "&id_token=t", "&code=c&id_token=t", "&code=", "&id_token="] {
            let found = try contents("state=s&error=login_required&error_description=d" + text, for: type)
            #expect(found == expected)
        }
    }

    @Test(arguments: ["%00", "a%00b", "a%0Ab", "a%20b", "a+b", "a%C3%A4", "a%7F"])
    func `an ID token that has characters that no token has is refused`(idToken: String) throws {
        for type in [ResponseType.codeIDToken, .idToken] {
            #expect(throws: AuthorizationResponseError.unacceptableIDToken) {
                try contents("state=s&code=c&id_token=\(idToken)", for: type)
            }
        }
        // Where none was asked for, none is looked at.
        #expect(try contents("state=s&code=c&id_token=\(idToken)") == .code(of: "c"))
    }

    @Test func `an ID token has at most 64 KB`() throws {
        let longest = String(repeating: "t", count: 65_536)
        #expect(try contents("state=s&id_token=\(longest)", for: .idToken) == .idToken(longest))
        #expect(throws: AuthorizationResponseError.unacceptableIDToken) {
            try contents("state=s&id_token=\(longest)t", for: .idToken)
        }
    }

    @Test func `a callback and its response print no value`() throws {
        let parameters = try read("state=s3cret&code=s3cret&id_token=s3cret&iss=s3cret")
        var shown = ["\(parameters)", String(reflecting: parameters)]
        for type in [ResponseType.code, .codeIDToken, .idToken] {
            let response = try parameters.contents(for: type)
            shown += ["\(response)", String(reflecting: response)]
        }
        var dumped = ""
        dump(parameters, to: &dumped)
        #expect((shown + [dumped]).allSatisfy { !$0.contains("s3cret") })
    }

    @Test func `no error of a callback contains a value`() {
        let texts = [
            "state=s3cret&code=", "state=s3cret&state=s3cret", "code=s3cret", "state=s3cret",
            "state=s3cret&code=s3cret", "state=s3cret&code=c&id_token=s3cret+",
        ]
        for text in texts {
            let error = #expect(throws: AuthorizationResponseError.self) { try contents(text, for: .codeIDToken) }
            #expect(error.map { !"\($0)".contains("s3cret") } == true)
        }
    }
}
