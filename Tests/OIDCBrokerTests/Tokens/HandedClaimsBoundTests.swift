// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerState

/// What is handed on has bounds.
struct HandedClaimsBoundTests {
    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }

    /// The claims and the length of the ID token that an app gets.
    private func idToken(_ installation: Installation, _ app: AppClient = .shop) throws -> (JSONObject, Int) {
        var browser = Browser(installation)
        let response = try installation.redeem(try #require(try browser.signIn(app)["code"]), app)
        #expect(response.status == 200, "\(response.text)")
        let token = try #require(try response.json()["id_token"]?.text?.makeString())
        let keys = try KeySet(json: Array(try installation.get("/__/auth/jwks").text.utf8))
        let claims = try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256]).claims
        return (claims, token.utf8.count)
    }

    private func leftOut(_ installation: Installation) -> String? {
        installation.log.lines.last { $0.metadata["auth.claims"] != nil }?.metadata["auth.claims"]
    }

    @Test(
        arguments: [
            ("given_name", 1024, true), ("given_name", 1025, false), ("given_name", 40_000, false),
            ("family_name", 1025, false), ("name", 1025, false), ("email", 1025, false), ("picture", 2048, true),
            ("picture", 2049, false),
        ])
    func `a claim of 1 KB goes on, a longer one does not, and the log names it; a picture has 2 KB`(
        name: String, count: Int, isHandedOn: Bool
    ) throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims[name] = text(count) }
        let (claims, length) = try idToken(installation)
        #expect((claims[name] != nil) == isHandedOn)
        #expect(length <= 8192)
        #expect(claims["upstream_sub"]?.text?.makeString() == TestProvider.subject)
        #expect(claims["nonce"]?.text?.makeString() == "nonce-of-the-app")
        // What vouches for an address goes with it.
        #expect((claims["email_verified"] == nil) == (claims["email"] == nil))
        if isHandedOn {
            #expect(leftOut(installation) == nil)
        } else {
            #expect(leftOut(installation) == (name == "email" ? "\"email email_verified\"" : "\"\(name)\""))
        }
    }

    @Test func `of claims that are long together the longest go, until the token fits in 8 KB`() throws {
        let installation = try Installation()
        installation.provider.behave {
            for name in ["name", "given_name", "family_name", "email"] { $0.claims[name] = text(1024) }
            $0.claims["picture"] = text(2048)
        }
        let (claims, length) = try idToken(installation)
        #expect(length <= 8192)
        #expect(claims["picture"] == nil)
        for name in ["name", "given_name", "family_name", "auth_time"] { #expect(claims[name] != nil, "\(name)") }
        #expect(leftOut(installation) == "\"picture\"")
    }

    @Test func `characters that JSON writes longer than they are count as they are written`() throws {
        let installation = try Installation()
        installation.provider.behave {
            for name in ["name", "given_name", "family_name"] {
                $0.claims[name] = .string(String(repeating: "\u{1}", count: 1024))
            }
        }
        let (claims, length) = try idToken(installation)
        #expect(length <= 8192)
        #expect(claims["upstream_iss"] != nil)
        #expect(leftOut(installation) != nil)
    }

    @Test(
        arguments: ["upstream_iss", "upstream_sub", "nonce", "sub", "account"])
    func `what says who it is is never left out: too long, it refuses`(name: String) throws {
        var claims: JSONObject = ["iss": "i", "sub": "s", "aud": "a", "upstream_iss": "u", "upstream_sub": "v"]
        claims[name] = text(1024)
        #expect(try HandedClaims.bounded(claims, subject: "248289761001").leftOut.isEmpty)
        claims[name] = text(1025)
        #expect(throws: ClaimError("'\(name)' is longer than 1024 bytes")) {
            try HandedClaims.bounded(claims, subject: "248289761001")
        }
        // Nor where only all of them together are too long.
        for name in ["iss", "sub", "aud", "upstream_iss", "upstream_sub"] { claims[name] = text(1000) }
        claims[name] = text(1000)
        claims["given_name"] = "Ada"
        #expect(throws: ClaimError("the claims are longer than 4800 bytes")) {
            try HandedClaims.bounded(claims, subject: "248289761001")
        }
    }

    @Test func `a token that would be longer is not minted`() throws {
        let issuer = TokenIssuer(signingKey: try SigningKey(pem: Installation.signingKey), idTokenLifetime: 300)
        func record(_ count: Int) -> HandOffRecord {
            HandOffRecord(
                clientID: "a", redirectURI: "", codeChallenge: nil, issuer: "i",
                claims: JSONObjectText(["name": text(count)]), upstream: nil)
        }
        #expect(throws: Never.self) {
            try issuer.response(record(HandedClaims.maximumTotalLength), accessToken: "t", lifetime: 300, now: 1)
        }
        #expect(throws: TokenIssuer.TokenTooLong.self) {
            try issuer.response(record(6000), accessToken: "t", lifetime: 300, now: 1)
        }
    }

    @Test func `of a credential that an app brings as well`() throws {
        let setup = try AppleSetup()
        let credential = try setup.apple.credential(changes: ["email": text(1025)])
        let response = try setup.post("credential", setup.credentialForm(credential, hasCode: false))
        #expect(response.status == 200, "\(response.text)")
        let claims = try setup.claims(of: try response.json())
        #expect(claims["email"] == nil)
        #expect(claims["email_verified"] == nil)
        #expect(claims["is_private_email"] == nil)
        #expect(claims["upstream_sub"] != nil)
        #expect(leftOut(setup.installation) == "\"email email_verified is_private_email\"")
    }
}
