// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OpenIDConnect
import Testing

@testable import IdentityToolkit

/// Which credential a request to sign in has, as each SDK writes it.
struct SignInWithIdpRequestTests {
    private static let handler = "https://auth.example/__/auth/handler"

    private func read(_ json: String) throws -> SignInWithIdpRequest {
        try SignInWithIdpRequest(try WireSupport.body(json)) { url in
            url.origin == "https://auth.example" && url.path == "/__/auth/handler"
        }
    }

    private func send(
        _ postBody: String, with members: JSONObject = [:], requestURI: String = "http://localhost"
    ) throws -> SignInWithIdpRequest {
        var all = members
        all["requestUri"] = .string(requestURI)
        all["postBody"] = .string(postBody)
        return try read(String(decoding: all.serialized(), as: UTF8.self))
    }

    private func code(_ body: () throws -> SignInWithIdpRequest) throws -> ToolkitError.Code? {
        try WireSupport.code(body)
    }

    private func native(_ request: SignInWithIdpRequest) throws -> SignInWithIdpRequest.NativeToken {
        guard case .native(let token) = request.credential else { throw Unexpected() }
        return token
    }

    private struct Unexpected: Error {}

    @Test func `JavaScript signs in`() throws {
        let request = try read(
            #"{"requestUri":"http://localhost","returnSecureToken":true,"#
                + #""postBody":"&id_token=h.p.s&providerId=apple.com&nonce=a%26b"}"#)
        let token = try native(request)
        #expect(token.idToken == "h.p.s")
        #expect(token.rawNonce == "a&b")
        #expect(token.accessToken == nil)
        #expect(token.user == nil)
        #expect(token.providerID == "apple.com")
        #expect(request.providerID == "apple.com")
        #expect(request.idToken == nil)
        #expect(request.sessionID == nil)
        #expect(!request.returnsIdpCredential)
        #expect(request.mayCreate)
    }

    @Test func `JavaScript re-authenticates, and links with null beside`() throws {
        let reauthentication = try read(
            #"{"requestUri":"http://localhost","returnSecureToken":true,"autoCreate":false,"tenantId":null,"#
                + #""postBody":"id_token=h.p.s&providerId=oidc.acme"}"#)
        #expect(!reauthentication.mayCreate)
        let link = try read(
            #"{"requestUri":"http://localhost","returnSecureToken":true,"idToken":"own.id.token","pendingToken":null,"#
                + #""postBody":"&id_token=h.p.s&access_token=a%2Fb&providerId=oidc.acme"}"#)
        #expect(link.idToken == "own.id.token")
        #expect(try native(link).accessToken == "a/b")
    }

    @Test func `Apple systems link, with a name`() throws {
        let user = #"{"name":{"firstName":"Ada & = % + \"x\"","lastName":"\#u{5E2}\#u{5D3}\#u{5D4}"}}"#
        let request = try send(
            "providerId=apple.com&id_token=h.p.s&nonce=raw%41&user=\(user)",
            with: [
                "returnSecureToken": true, "returnIdpCredential": true, "autoCreate": true, "idToken": "own.id.token",
            ])
        let token = try native(request)
        #expect(token.rawNonce == "raw%41")
        #expect(token.user == WireText(user))
        #expect(request.returnsIdpCredential)
        #expect(request.idToken == "own.id.token")
    }

    @Test func `C++ on desktop says neither autoCreate nor returnIdpCredential, and sends its own address`() throws {
        let request = try send(
            "id_token=h.p.s&nonce=n0nce&providerId=apple.com", with: ["returnSecureToken": true],
            requestURI: "https://www.googleapis.com/identitytoolkit/v3/relyingparty/verifyAssertion?key=AIzaKey")
        #expect(try native(request).idToken == "h.p.s")
        #expect(request.mayCreate)
        #expect(!request.returnsIdpCredential)
    }

    @Test func `snake case`() throws {
        let request = try read(
            #"{"request_uri":"http://localhost","post_body":"id_token=h.p.s&providerId=p","id_token":"own.id.token","#
                + #""return_idp_credential":"true","auto_create":"false","session_id":7}"#)
        #expect(request.idToken == "own.id.token")
        #expect(request.returnsIdpCredential)
        #expect(!request.mayCreate)
        #expect(request.sessionID == "7")
    }

    @Test func `the session of Android is any text`() throws {
        let request = try read(
            #"{"requestUri":"https://auth.example/__/auth/handler?code=t1cket","#
                + #""sessionId":"\u0000\ufffd\u0007k\ufffd\ufffd3","postBody":"providerId=oidc.acme"}"#)
        #expect(request.sessionID == "\0\u{FFFD}\u{7}k\u{FFFD}\u{FFFD}3")
        #expect(request.providerID == "oidc.acme")
        guard case .handler(let url) = request.credential else { throw Unexpected() }
        #expect(url.query == "code=t1cket")
    }

    @Test func `a pending credential wins over everything beside it`() throws {
        let javaScript = #"{"requestUri":"http://localhost","postBody":null,"pendingToken":"p3nding"}"#
        let apple =
            #"{"requestUri":"http://localhost","pendingToken":"p3nding","postBody":"#
            + #""providerId=oidc.acme&id_token=stale.id.token&access_token=a"}"#
        let handler = #"{"requestUri":"\#(Self.handler)?code=t","pending_token":"p3nding"}"#
        let inside = #"{"requestUri":"http://localhost","postBody":"providerId=oidc.acme&pendingToken=p3nding"}"#
        let twice = #"{"requestUri":"http://localhost","pendingToken":"p3nding","postBody":"pendingToken=p3nding"}"#
        for json in [javaScript, apple, handler, inside, twice] {
            guard case .pending("p3nding") = try read(json).credential else {
                Issue.record("\(json)")
                continue
            }
        }
        #expect(try read(javaScript).providerID == nil)
        #expect(try read(apple).providerID == "oidc.acme")
        let two = #"{"requestUri":"http://localhost","pendingToken":"p3nding","postBody":"pendingToken=other"}"#
        #expect(try code { try read(two) } == .invalidPendingToken)
        let odd = #"{"requestUri":"http://localhost","pendingToken":"p3nd ing"}"#
        #expect(try code { try read(odd) } == .invalidPendingToken)
    }

    @Test func `the handler is told by its path, before what postBody has`() throws {
        let request = try send(
            "id_token=h.p.s&providerId=apple.com", requestURI: Self.handler + "?state=s&code=c#id_token=f")
        guard case .handler(let url) = request.credential else { throw Unexpected() }
        #expect(url.path == "/__/auth/handler")
        // A fragment belongs to the page.
        #expect(url.text == Self.handler + "?state=s&code=c")
        for other in ["https://evil.example/__/auth/handler", "https://auth.example/__/auth/handlers"] {
            _ = try native(try send("id_token=h.p.s&providerId=apple.com", requestURI: other))
        }
    }

    @Test(
        arguments: [
            (#"{"postBody":"id_token=t&providerId=p"}"#, .missingRequestURI),
            (#"{"requestUri":"","postBody":"id_token=t&providerId=p"}"#, .missingRequestURI),
            (#"{"requestUri":null,"postBody":"id_token=t&providerId=p"}"#, .missingRequestURI),
            (#"{"requestUri":"localhost","postBody":"id_token=t&providerId=p"}"#, .invalidRequestURI),
            (#"{"requestUri":"http://","postBody":"id_token=t&providerId=p"}"#, .invalidRequestURI),
            (#"{"requestUri":"http://a b","postBody":"id_token=t&providerId=p"}"#, .invalidRequestURI),
            (#"{"requestUri":"javascript:alert(1)","postBody":"id_token=t&providerId=p"}"#, .invalidRequestURI),
            (#"{"requestUri":"http://ü.example","postBody":"id_token=t&providerId=p"}"#, .invalidRequestURI),
            (#"{"requestUri":["http://localhost"],"postBody":"id_token=t&providerId=p"}"#, .invalidArgument),
            (#"{"requestUri":"http://localhost","request_uri":"http://localhost"}"#, .invalidArgument),
            (#"{"requestUri":"http://localhost","postBody":"id_token=t&id_token=t"}"#, .invalidArgument),
            (#"{"requestUri":"http://localhost","autoCreate":2}"#, .invalidArgument),
            (#"{"requestUri":"http://localhost","tenantId":"t"}"#, .unsupportedTenantOperation),
            (#"{"requestUri":"http://localhost","idToken":"a b"}"#, .invalidIDToken),
            (#"{"requestUri":"http://localhost"}"#, .invalidCredentialOrProviderID),
            (#"{"requestUri":"http://localhost","postBody":""}"#, .invalidCredentialOrProviderID),
            (#"{"requestUri":"http://localhost","postBody":"providerId=p"}"#, .invalidCredentialOrProviderID),
            (#"{"requestUri":"http://localhost","postBody":"id_token=&providerId=p"}"#, .invalidCredentialOrProviderID),
            (#"{"requestUri":"http://localhost","postBody":"id_token=t"}"#, .invalidCredentialOrProviderID),
            (#"{"requestUri":"http://localhost","postBody":"access_token=t&providerId=p"}"#, .operationNotAllowed),
            (#"{"requestUri":"http://localhost","postBody":"code=t&providerId=p"}"#, .operationNotAllowed),
            (#"{"requestUri":"http://localhost","postBody":"oauth_token_secret=t"}"#, .operationNotAllowed),
            (#"{"requestUri":"http://localhost","postBody":"id_token=t&providerId=ü"}"#, .invalidProviderID),
            (#"{"requestUri":"http://localhost","postBody":"id_token=a%20b&providerId=p"}"#, .invalidIdpResponse),
            (
                #"{"requestUri":"http://localhost","postBody":"id_token=t&providerId=p&nonce=%00"}"#,
                .missingOrInvalidNonce
            ),
        ] as [(String, ToolkitError.Code)])
    func `what is missing or not valid has its own code`(json: String, expected: ToolkitError.Code) throws {
        #expect(try code { try read(json) } == expected)
    }

    @Test func `every limit, reached and crossed`() throws {
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(try send("id_token=t&providerId=\(text(128))").providerID == text(128))
        #expect(try code { try send("id_token=t&providerId=\(text(129))") } == .invalidProviderID)
        #expect(try native(try send("id_token=t&providerId=p&nonce=\(text(255))")).rawNonce == text(255))
        #expect(try code { try send("id_token=t&providerId=p&nonce=\(text(256))") } == .missingOrInvalidNonce)
        let longest = text(AccountTokens.maximumLength)
        #expect(try send("id_token=t&providerId=p", with: ["idToken": .string(longest)]).idToken == longest)
        #expect(
            try code { try send("id_token=t&providerId=p", with: ["idToken": .string(longest + "x")]) }
                == .invalidIDToken)
        // A URL has 2,048 bytes at most; its fragment is not counted.
        let url = "http://localhost/" + text(2048 - 17)
        _ = try send("id_token=t&providerId=p", requestURI: url + "#" + text(8192 - 2049))
        #expect(try code { try send("id_token=t&providerId=p", requestURI: url + "x") } == .invalidRequestURI)
        #expect(
            try code { try send("id_token=t&providerId=p", requestURI: url + "#" + text(8192 - 2048)) }
                == .invalidRequestURI)
    }

    @Test func `an access token that is none does not count`() throws {
        #expect(try native(try send("id_token=t&providerId=p&access_token=a%20b")).accessToken == nil)
        #expect(try native(try send("id_token=t&providerId=p&access_token=")).accessToken == nil)
    }
}
