// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState

/// The `claims` parameter and `id_token_hint` of an app's request.
struct RequestedClaimsTests {
    /// Signs in with further parameters and returns the error, or the claims of the ID token.
    private static func signIn(
        _ changes: [String: String?], _ installation: Installation? = nil
    ) throws -> (error: String?, claims: JSONObject?, idToken: String?) {
        let installation = try installation ?? Installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.scope = "openid"
        let start = try Location(try browser.get(app.target(changes)))
        guard start["error"] == nil else { return (start["error"], nil, nil) }
        let location = try Location(try browser.bring(installation.provider.signIn(start)))
        guard let code = location["code"] else { return (location["error"], nil, nil) }
        let token = try #require(try installation.redeem(code, app).json()["id_token"]?.text?.makeString())
        return (nil, UnverifiedIDTokenPayload.claims(of: token, issuer: Installation.issuer), token)
    }

    @Test(arguments: [
        (#"{"id_token":{"email":null}}"#, true, false),
        (#"{"userinfo":{"email_verified":{"essential":true}}}"#, true, false),
        (#"{"userinfo":{"given_name":{"essential":true},"picture":null}}"#, false, true),
        (#"{"userinfo":{"preferred_username":null}}"#, false, true),
        (#"{"userinfo":null,"id_token":{"auth_time":{"essential":true}}}"#, false, false),
        (#"{"userinfo":{"phone_number":null,"acr":{"values":["a"]}},"other":[1]}"#, false, false),
        ("{}", false, false),
    ])
    func `claims that are requested by name are handed on without their scope`(
        claims: String, hasEmail: Bool, hasName: Bool
    ) throws {
        let signedIn = try Self.signIn(["claims": claims])
        #expect(signedIn.error == nil)
        #expect((signedIn.claims?["email"] != nil) == hasEmail)
        #expect((signedIn.claims?["name"] != nil) == hasName)
    }

    @Test(arguments: [(true, false), (false, true), (false, false)])
    func `an essential auth_time is returned, or the error says why not`(isSent: Bool, isEssential: Bool) throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims["auth_time"] = isSent ? 1_000_000 : .null }
        let request = #"{"id_token":{"auth_time":{"essential":\#(isEssential)}}}"#
        let signedIn = try Self.signIn(["claims": request], installation)
        #expect((signedIn.error == nil) == (isSent || !isEssential))
        #expect(signedIn.claims?["auth_time"] == (isSent ? 1_000_000 : nil))
        guard signedIn.error != nil else { return }
        #expect(signedIn.error == "server_error")
        #expect(installation.log.outcomes == ["missing_auth_time"])
    }

    @Test(arguments: [
        "x", "[]", "\"x\"", #"{"userinfo":[]}"#, #"{"id_token":{"email":true}}"#,
        #"{"id_token":{"email":null,"email":null}}"#, #"{"id_token":{"acr":{"essential":true}}}"#,
        #"{"id_token":{"sub":{"value":7}}}"#, #"{"id_token":{"sub":{"value":"a b"}}}"#,
        #"{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}"#,
        #"{"a":"# + String(repeating: "[", count: 8) + String(repeating: "]", count: 8) + "}",
        #"{"a":""# + String(repeating: "x", count: 2048) + #""}"#,
    ])
    func `what is not an object of the parameter's form, or cannot be ensured, is refused`(claims: String) throws {
        #expect(try Self.signIn(["claims": claims]).error == "invalid_request")
    }

    @Test func `the longest parameter is accepted`() throws {
        let claims = #"{"a":""# + String(repeating: "x", count: 2048 - 8) + #""}"#
        #expect(claims.utf8.count == 2048)
        #expect(try Self.signIn(["claims": claims]).error == nil)
    }

    @Test func `a subject that is named must sign in, by claims or by a hint, an expired one too`() throws {
        let installation = try Installation()
        let first = try Self.signIn([:], installation)
        let idToken = try #require(first.idToken)
        let subject = try #require(first.claims?["sub"]?.text?.makeString())
        installation.clock.advance(by: 3600)
        for changes: [String: String?] in [
            ["id_token_hint": idToken], ["claims": #"{"id_token":{"sub":{"value":"\#(subject)"}}}"#],
            ["id_token_hint": idToken, "claims": #"{"userinfo":{"sub":{"value":"\#(subject)"}}}"#],
        ] {
            let again = try Self.signIn(changes, installation)
            #expect(again.error == nil)
            #expect(again.claims?["sub"]?.text?.makeString() == subject)
        }
        let other = try Self.signIn(["claims": #"{"id_token":{"sub":{"value":"somebody"}}}"#], installation)
        #expect(other.error == "login_required")
        #expect(installation.log.outcomes.contains("unexpected_subject"))
        let both = try Self.signIn(
            ["id_token_hint": idToken, "claims": #"{"id_token":{"sub":{"value":"somebody"}}}"#], installation)
        #expect(both.error == "invalid_request")
    }

    @Test func `a hint is consumed here, and one that is not the app's own is ignored, or means no user`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let back = AppClient.back
        let code = try #require(try browser.signIn(back)["code"])
        let foreign = try #require(try installation.redeem(code, back).json()["id_token"]?.text?.makeString())
        let own = try #require(try Self.signIn([:], installation).idToken)
        for hint in [foreign, String(own.dropLast(4)) + "AAAA", "x", own + own, String(repeating: "x", count: 9000)] {
            let signedIn = try Self.signIn(["id_token_hint": hint], installation)
            #expect(signedIn.error == nil && signedIn.idToken != nil)
            let silent = AppClient.shop.target(["id_token_hint": hint, "prompt": "none"])
            try Location(try installation.get(silent)).expectError("login_required")
        }
        let request = try Location(try installation.get(AppClient.shop.target(["id_token_hint": own])))
        #expect(!request.text.contains("id_token_hint"))
        #expect(!request.text.contains(own))
    }
}
