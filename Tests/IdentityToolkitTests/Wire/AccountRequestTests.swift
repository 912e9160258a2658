// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Testing

@testable import IdentityToolkit

/// The requests about an account, as each SDK writes them.
struct AccountRequestTests {
    private func code<Value>(_ body: () throws -> Value) throws -> ToolkitError.Code? { try WireSupport.code(body) }

    // MARK: Lookup and deletion

    @Test(arguments: [
        #"{"idToken":"h.p.s"}"#, #"{"id_token":"h.p.s"}"#,
        #"{"idToken":"h.p.s","localId":["u"],"email":[],"phoneNumber":null,"x":{"y":[1]}}"#,
    ])
    func `lookup and delete need a token`(json: String) throws {
        #expect(try LookupRequest(try WireSupport.body(json)).idToken == "h.p.s")
        #expect(try DeleteRequest(try WireSupport.body(#"{"idToken":"h.p.s"}"#)).localID == nil)
        #expect(try DeleteRequest(try WireSupport.body(#"{"idToken":"h.p.s","localId":"u"}"#)).localID == "u")
    }

    @Test(
        arguments: [
            ("", .missingIDToken), ("{}", .missingIDToken), (#"{"idToken":""}"#, .missingIDToken),
            (#"{"idToken":null}"#, .missingIDToken), (#"{"idToken":"h.p.s\n"}"#, .invalidIDToken),
            (#"{"idToken":"ü"}"#, .invalidIDToken), (#"{"idToken":{}}"#, .invalidArgument),
            (#"{"idToken":"t","id_token":"t"}"#, .invalidArgument),
            (#"{"idToken":"t","tenantId":"t"}"#, .unsupportedTenantOperation),
        ] as [(String, ToolkitError.Code)])
    func `without one they are refused`(json: String, expected: ToolkitError.Code) throws {
        let body = try WireSupport.body(json)
        #expect(try code { try LookupRequest(body) } == expected)
        #expect(try code { try DeleteRequest(body) } == expected)
        #expect(try code { try UpdateRequest(body) } == expected)
    }

    // MARK: Update

    private func update(_ members: String) throws -> UpdateRequest {
        try UpdateRequest(try WireSupport.body(#"{"idToken":"h.p.s""# + (members.isEmpty ? "" : ",") + members + "}"))
    }

    @Test(
        arguments: [
            // JavaScript: null clears.
            (#""displayName":"Ada","photoUrl":"https://a/b""#, .set("Ada"), .set("https://a/b")),
            (#""displayName":null,"photoUrl":null"#, .clear, .clear),
            (#""displayName":"","photo_url":"""#, .clear, .clear),
            (#""display_name":7"#, .set("7"), .keep),
            // C++: empty texts become attributes to delete.
            (#""deleteAttribute":["DISPLAY_NAME"]"#, .clear, .keep),
            (#""delete_attribute":["PHOTO_URL","DISPLAY_NAME"]"#, .clear, .clear),
            (#""deleteAttribute":[2,"4",0]"#, .clear, .clear),
            (#""deleteAttribute":["PHOTO_URL"],"displayName":"Ada","photoUrl":"https://a""#, .set("Ada"), .clear),
            (#""deleteAttribute":["USER_ATTRIBUTE_NAME_UNSPECIFIED"]"#, .keep, .keep),
            ("", .keep, .keep),
            // What is null changes nothing.
            (#""disableUser":null,"customAttributes":null,"validSince":null,"mfa":null"#, .keep, .keep),
        ] as [(String, AttributeChange, AttributeChange)])
    func `a name and a photo`(
        members: String, displayName: AttributeChange, photoURL: AttributeChange
    ) throws {
        let request = try update(members)
        #expect(request.idToken == "h.p.s")
        #expect(request.displayName == displayName)
        #expect(request.photoURL == photoURL)
        #expect(request.deletedProviders.isEmpty)
    }

    @Test func `providers to unlink`() throws {
        let two = try update(#""deleteProvider":["oidc.acme","apple.com"],"returnSecureToken":true"#)
        #expect(two.deletedProviders == ["oidc.acme", "apple.com"])
        // Each once, however often it is named, and by its bytes.
        let repeated = try update(#""deleteProvider":["apple.com","oidc.acme","apple.com","Apple.com"]"#)
        #expect(repeated.deletedProviders == ["apple.com", "oidc.acme", "Apple.com"])
        // What no provider can be called is not linked, so that nothing is to be done.
        #expect(try update(#""delete_provider":["apple.com","ü","a b"]"#).deletedProviders == ["apple.com"])
    }

    @Test func `as many providers as an account may have, and one more`() throws {
        func names(_ count: Int) -> String {
            // Whatever is named twice, or is the name of none, does not count.
            let names = (0..<count).map { #""oidc.p\#($0)""# } + [#""oidc.p0""#, #""ü""#]
            return #""deleteProvider":["# + names.joined(separator: ",") + "]"
        }
        #expect(try update(names(AccountLimits.identities)).deletedProviders.count == AccountLimits.identities)
        #expect(try code { try update(names(AccountLimits.identities + 1)) } == .invalidArgument)
    }

    @Test(
        arguments: [
            (#""email":"a@b""#, .operationNotAllowed), (#""password":"p""#, .operationNotAllowed),
            (#""oobCode":"c""#, .operationNotAllowed), (#""oob_code":"c""#, .operationNotAllowed),
            (#""phoneNumber":"+1""#, .operationNotAllowed), (#""phone_number":1"#, .operationNotAllowed),
            (#""customAttributes":"{}""#, .insufficientPermission), (#""disable_user":false"#, .operationNotAllowed),
            (#""deleteAttribute":["EMAIL"]"#, .operationNotAllowed),
            (#""deleteAttribute":["DISPLAY_NAME","PASSWORD"]"#, .operationNotAllowed),
            (#""deleteAttribute":[3]"#, .operationNotAllowed), (#""deleteAttribute":["6"]"#, .operationNotAllowed),
            (#""deleteAttribute":[7]"#, .invalidArgument), (#""deleteAttribute":"EMAIL""#, .invalidArgument),
            (#""displayName":"a\u0007b""#, .invalidArgument), (#""displayName":"a\u202eb""#, .invalidArgument),
            (#""photoUrl":"//a/b""#, .invalidArgument), (#""photoUrl":"https://ü""#, .invalidArgument),
            (#""displayName":true"#, .invalidArgument), (#""deleteProvider":"apple.com""#, .invalidArgument),
        ] as [(String, ToolkitError.Code)])
    func `what cannot be changed is refused`(members: String, expected: ToolkitError.Code) throws {
        #expect(try code { try update(members) } == expected)
    }

    @Test func `a code from an email is refused without a token too`() throws {
        let body = try WireSupport.body(#"{"oobCode":"c"}"#)
        #expect(try code { try UpdateRequest(body) } == .operationNotAllowed)
        #expect(try update(#""email":null,"password":"""#).displayName == .keep)
    }

    @Test func `a name of 256 scalars and a photo of 2,048 bytes, and one more`() throws {
        let name = String(repeating: "\u{1F600}", count: AccountLimits.displayNameScalars)
        #expect(try update(#""displayName":"\#(name)""#).displayName == .set(name))
        #expect(try code { try update(#""displayName":"\#(name)x""#) } == .invalidArgument)
        let photo = "https://" + String(repeating: "x", count: AccountLimits.photoURLBytes - 8)
        #expect(try update(#""photoUrl":"\#(photo)""#).photoURL == .set(photo))
        #expect(try code { try update(#""photoUrl":"\#(photo)x""#) } == .invalidArgument)
    }

    // MARK: Revocation

    private func revocation(_ members: String) throws -> RevokeTokenRequest {
        try RevokeTokenRequest(try WireSupport.body(#"{"idToken":"h.p.s","# + members + "}"))
    }

    @Test func `a revocation by code, as Apple's systems send it, and by access token, as JavaScript does`() throws {
        let codes = [
            #""providerId":"apple.com","tokenType":"3","token":"c0de""#,
            #""provider_id":"apple.com","token_type":"CODE","token":"c0de","x":1"#,
            #""providerId":"apple.com","tokenType":3,"token":"c0de","redirectUri":null"#,
        ]
        for members in codes {
            let request = try revocation(members)
            guard case .code("c0de") = request.token else {
                Issue.record("\(members)")
                continue
            }
            #expect(request.providerID == "apple.com")
            #expect(request.idToken == "h.p.s")
            #expect(request.redirectURI == nil)
        }
        let request = try revocation(
            #""providerId":"apple.com","tokenType":"ACCESS_TOKEN","token":"t","redirectUri":"https://a/b""#)
        guard case .accessToken("t") = request.token else {
            Issue.record("no access token")
            return
        }
        #expect(request.redirectURI == "https://a/b")
    }

    @Test(
        arguments: [
            (#""tokenType":"CODE","token":"c""#, .invalidProviderID),
            (#""providerId":"ü","tokenType":"CODE","token":"c""#, .invalidProviderID),
            (#""providerId":"p","tokenType":"CODE""#, .invalidArgument),
            (#""providerId":"p","token":"c""#, .invalidArgument),
            (#""providerId":"p","tokenType":0,"token":"c""#, .invalidArgument),
            (#""providerId":"p","tokenType":"4","token":"c""#, .invalidArgument),
            (#""providerId":"p","tokenType":"code","token":"c""#, .invalidArgument),
            (#""providerId":"p","tokenType":"REFRESH_TOKEN","token":"c""#, .operationNotAllowed),
            (#""providerId":"p","tokenType":1,"token":"c""#, .operationNotAllowed),
            (#""providerId":"p","tokenType":"CODE","token":"c\u0000""#, .invalidIdpResponse),
            (#""providerId":"p","tokenType":"CODE","token":"c","redirectUri":"a b""#, .invalidArgument),
            (#""providerId":"p","tokenType":"CODE","token":"c","tenantId":"t""#, .unsupportedTenantOperation),
        ] as [(String, ToolkitError.Code)])
    func `no revocation`(members: String, expected: ToolkitError.Code) throws {
        #expect(try code { try revocation(members) } == expected)
    }

    @Test func `a revocation needs a session`() throws {
        let body = try WireSupport.body(#"{"providerId":"apple.com","tokenType":"CODE","token":"c"}"#)
        #expect(try code { try RevokeTokenRequest(body) } == .missingIDToken)
    }

    // MARK: Refresh

    @Test func `a refresh, as a form and as JSON`() throws {
        let token = RefreshToken(session: AccountSession.ID())
        let form = "application/x-www-form-urlencoded"
        let rows = [
            (form, "grant_type=refresh_token&refresh_token=\(token.text)"),
            (form, "refreshToken=\(token.text)&grantType=refresh_token&x=1"),
            ("application/json", #"{"grantType":"refresh_token","refreshToken":"\#(token.text)"}"#),
            ("application/json; charset=utf-8", #"{"grant_type":"refresh_token","refresh_token":"\#(token.text)"}"#),
        ]
        for (contentType, text) in rows {
            let body = try ToolkitBody(tokenRequest: Array(text.utf8), contentType: contentType)
            #expect(try RefreshRequest(body).refreshToken.text == token.text, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("", .missingGrantType), ("refresh_token=t", .missingGrantType), ("grant_type=", .missingGrantType),
            ("grant_type=authorization_code&code=c", .invalidGrantType),
            ("grant_type=REFRESH_TOKEN", .invalidGrantType),
            ("grant_type=refresh_token", .missingRefreshToken),
            ("grant_type=refresh_token&refresh_token=", .missingRefreshToken),
            ("grant_type=refresh_token&refresh_token=t", .invalidRefreshToken),
            ("grant_type=refresh_token&refresh_token=%C3%BC", .invalidRefreshToken),
            ("grant_type=refresh_token&grant_type=refresh_token", .invalidArgument),
        ] as [(String, ToolkitError.Code)])
    func `no refresh`(form: String, expected: ToolkitError.Code) throws {
        #expect(try code { try RefreshRequest(try ToolkitBody(form: Array(form.utf8))) } == expected)
    }

    @Test func `a refresh token is ours to the last character`() throws {
        let text = RefreshToken(session: AccountSession.ID()).text
        for other in [text + "A", String(text.dropLast()), "B\(text.dropFirst())", text + "="] {
            let body = try WireSupport.body(#"{"grantType":"refresh_token","refreshToken":"\#(other)"}"#)
            #expect(try code { try RefreshRequest(body) } == .invalidRefreshToken, "\(other)")
        }
    }

    // MARK: The ways of an address

    @Test(
        arguments: [
            (#"{"identifier":"ada@example.com","continueUri":"http://localhost"}"#, nil),
            (#"{"identifier":"ada@example.com"}"#, nil),
            (#"{"continueUri":"http://localhost"}"#, .missingIdentifier),
            (#"{"providerId":"apple.com","continueUri":"http://localhost"}"#, .operationNotAllowed),
            (#"{"provider_id":"apple.com","identifier":"ada@example.com"}"#, .operationNotAllowed),
            (#"{"identifier":"ada@example.com","tenantId":"t"}"#, .unsupportedTenantOperation),
        ] as [(String, ToolkitError.Code?)])
    func `createAuthUri is for an address only`(json: String, expected: ToolkitError.Code?) throws {
        #expect(try code { try CreateAuthURIRequest(try WireSupport.body(json)) } == expected)
    }
}
