// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerState

/// The scopes that an app is told, and the claims that follow them.
struct GrantedScopesTests {
    /// Signs in with a scope and returns the token response and the claims of its ID token.
    private static func signIn(
        _ scope: String, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> (scope: String?, claims: JSONObject) {
        let installation = try Installation(configure: configure)
        var browser = Browser(installation)
        var app = AppClient.shop
        app.scope = scope
        let code = try #require(try browser.signIn(app)["code"])
        let response = try installation.redeem(code, app).json()
        let idToken = try #require(response["id_token"]?.text?.makeString())
        let claims = try #require(UnverifiedIDTokenPayload.claims(of: idToken, issuer: Installation.issuer))
        return (response["scope"]?.text?.makeString(), claims)
    }

    @Test(arguments: [
        ("openid", "openid", false, false),
        ("openid email", "openid email", true, false),
        ("profile openid", "openid profile", false, true),
        ("openid email profile", "openid profile email", true, true),
        ("openid email email", "openid email", true, false),
        ("openid offline_access phone admin", "openid", false, false),
    ])
    func `what was asked for and is the provider's is granted, and its claims are handed on`(
        asked: String, granted: String, hasEmail: Bool, hasName: Bool
    ) throws {
        let (scope, claims) = try Self.signIn(asked)
        #expect(scope == granted)
        #expect((claims["email"] != nil) == hasEmail)
        #expect((claims["email_verified"] != nil) == hasEmail)
        #expect((claims["name"] != nil) == hasName)
        #expect(claims["sub"] != nil && claims["upstream_sub"] != nil && claims["provider"] != nil)
    }

    @Test func `app-scopes are granted too, a scope that nothing requests is not, whatever the provider sends`() throws
    {
        let (scope, claims) = try Self.signIn("openid email profile calendar https://api.example/mail") {
            $0.providers[0].configuration.scopes = ["openid", "profile"]
            $0.providers[0].appScopes = ["https://api.example/mail", "calendar"]
        }
        #expect(scope == "openid profile https://api.example/mail calendar")
        #expect(claims["email"] == nil)
        #expect(claims["name"] != nil)
    }

    @Test(
        arguments: [
            ("openid email profile", nil), ("openid offline_access phone", "\"offline_access phone\""),
            ("openid x\"y", "\"x?y\""),
        ] as [(String, String?)])
    func `scopes that are not granted are named in the log, with the app`(asked: String, named: String?) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        var app = AppClient.shop
        app.scope = asked
        _ = try browser.start(app)
        let lines = installation.log.lines.filter { $0.message.contains("OAUTHLIB_RELAX_TOKEN_SCOPE") }
        #expect(lines.map { $0.metadata["auth.scopes"] } == (named.map { [$0] } ?? []))
        #expect(lines.allSatisfy { $0.metadata["auth.app"] == "shop" && $0.metadata["auth.provider"] == "oidc.acme" })
    }

    @Test func `Apple's name is the profile of every user`() throws {
        let provider = BrokerConfiguration.Provider(name: "apple", unknown: .apple)
        #expect(provider.scopesOfApps == ["openid", "name", "email", "profile"])
        #expect(GrantedScopes(asked: ["openid", "profile"], of: provider.scopesOfApps).hasProfile)
        #expect(GrantedScopes(asked: ["openid", "name"], of: provider.scopesOfApps).hasProfile)
        #expect(!GrantedScopes(asked: ["openid", "email"], of: provider.scopesOfApps).hasProfile)
    }

    @Test(arguments: [[], ["email"], ["openid", "name", "phone"], ["calendar", "offline_access", "mail"]])
    func `come back as they were, and take one byte unless there are others`(names: [String]) throws {
        let scopes = GrantedScopes(names)
        var writer = ByteWriter()
        scopes.write(to: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(GrantedScopes(from: &reader) == scopes)
        #expect(reader.isAtEnd)
        #expect((writer.bytes.count == 1) == !names.contains("calendar"))
        for bytes: [UInt8] in [[], [0x40], [0xFF], [0x80], [0x80, 0, 0], [0x80, 0, 2, 65]] {
            var reader = ByteReader(bytes)
            #expect(GrantedScopes(from: &reader) == nil, "\(bytes)")
        }
    }
}
