// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite struct AuthorizationRequestTests {
    private func request(
        responseMode: ResponseMode = .query,
        parameters: [(name: String, value: String)] = []
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: "client id", redirectURI: "https://app.example/cb?x=1", scopes: ["openid", "email"],
            state: "s+/=",
            nonce: "n", codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", responseMode: responseMode,
            parameters: parameters)
    }

    private func url(_ request: AuthorizationRequest, endpoint: String = "https://issuer.example/a") throws -> String {
        request.url(endpoint: try #require(AbsoluteURL(endpoint)))
    }

    private func parameters(of url: String) throws -> Parameters {
        let mark = try #require(url.firstIndex(of: "?"))
        return try FormURLEncoding.parse(url[url.index(after: mark)...].utf8)
    }

    @Test func `asks for a code with PKCE S256, state and nonce`() throws {
        let read = try parameters(of: url(request()))
        #expect(try read.text("response_type") == "code")
        #expect(try read.text("client_id") == "client id")
        #expect(try read.text("redirect_uri") == "https://app.example/cb?x=1")
        #expect(try read.text("scope") == "openid email")
        #expect(try read.text("state") == "s+/=")
        #expect(try read.text("nonce") == "n")
        #expect(try read.text("code_challenge") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(try read.text("code_challenge_method") == "S256")
        #expect(!read.contains("response_mode"))
        #expect(read.all.count == 8)
    }

    @Test func `the response mode is named where it is not the default`() throws {
        #expect(try parameters(of: url(request(responseMode: .formPost))).value("response_mode") == "form_post")
    }

    @Test(arguments: [
        ("https://issuer.example/a", "https://issuer.example/a?response_type=code&"),
        ("https://issuer.example/a?", "https://issuer.example/a?response_type=code&"),
        ("https://issuer.example/a?tenant=1", "https://issuer.example/a?tenant=1&response_type=code&"),
    ])
    func `an endpoint's own query is kept`(endpoint: String, prefix: String) throws {
        #expect(try url(request(), endpoint: endpoint).hasPrefix(prefix))
    }

    @Test(arguments: [
        "client_id", "response_type", "redirect_uri", "state", "scope", "response_mode", "nonce", "code_challenge",
        "code_challenge_method", "request", "request_uri", "registration", "client_secret", "client_assertion",
        "client_assertion_type", "client_assertion_anything", "code_challenge_anything", "code_verifier",
        "id_token_hint",
        "claims", "resource",
    ])
    func `a reserved name cannot be added`(name: String) throws {
        #expect(AuthorizationRequest.isReserved(name))
        let changed = try url(request(parameters: [(name: name, value: "evil")]))
        #expect(changed == (try url(request())))
    }

    @Test func `other parameters are added, escaped`() throws {
        let added = try url(
            request(parameters: [(name: "login_hint", value: "a&state=b"), (name: "max_age", value: "0")]))
        #expect(added.contains("&login_hint=a%26state%3Db&max_age=0&state="))
        #expect(!AuthorizationRequest.isReserved("login_hint"))
    }

    private func changed(_ change: (inout AuthorizationRequest) -> Void) -> AuthorizationRequest {
        var changed = request()
        change(&changed)
        return changed
    }

    @Test func `asks for a code and an ID token with PKCE too`() throws {
        let read = try parameters(of: url(changed { $0.responseType = .codeIDToken }))
        #expect(try read.text("response_type") == "code id_token")
        #expect(try read.text("nonce") == "n")
        #expect(try read.text("code_challenge") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(try read.text("code_challenge_method") == "S256")
    }

    @Test func `where no code is asked for, none is bound`() throws {
        let read = try parameters(of: url(changed { $0.responseType = .idToken }))
        #expect(try read.text("response_type") == "id_token")
        #expect(try read.text("nonce") == "n")
        #expect(!read.contains("code_challenge"))
        #expect(!read.contains("code_challenge_method"))
    }

    @Test(
        arguments: [
            (.code, .query, nil), (.code, .formPost, "form_post"), (.code, .fragment, "fragment"),
            (.codeIDToken, .fragment, nil), (.codeIDToken, .formPost, "form_post"), (.codeIDToken, .query, "query"),
            (.idToken, .fragment, nil), (.idToken, .formPost, "form_post"),
        ] as [(ResponseType, ResponseMode, String?)])
    func `the response mode is named where it is not the type's own`(
        type: ResponseType, mode: ResponseMode, expected: String?
    ) throws {
        let read = try parameters(
            of: url(
                changed {
                    $0.responseType = type
                    $0.responseMode = mode
                }))
        #expect(try read.text("response_mode") == expected)
    }

    @Test func `claims and resources are the configuration's`() throws {
        let read = try parameters(
            of: url(
                changed {
                    $0.claims = #"{"id_token":{"acr":{"essential":true}}}"#
                    $0.resource = ["https://api.example/a", "https://api.example/b?c"]
                    $0.parameters = [(name: "claims", value: "evil"), (name: "resource", value: "evil")]
                }))
        #expect(try read.text("claims") == #"{"id_token":{"acr":{"essential":true}}}"#)
        let resources = read.texts.filter { $0.name == "resource" }.map(\.value)
        #expect(resources == ["https://api.example/a", "https://api.example/b?c"])
    }

    @Test func `RFC 9126 what is pushed is what the browser would have carried`() throws {
        let request = changed {
            $0.parameters = [(name: "login_hint", value: "a b"), (name: "state", value: "evil")]
            $0.resource = ["https://api.example"]
        }
        #expect(try url(request) == "https://issuer.example/a?" + FormURLEncoding.encode(request.pairs))
        #expect(request.pairs.filter { $0.0 == "client_id" }.count == 1)
    }
}
