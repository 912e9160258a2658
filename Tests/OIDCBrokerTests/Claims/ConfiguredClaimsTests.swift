// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerConfiguration
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP

/// The configured claims of a provider, from its tokens to the app.
struct ConfiguredClaimsTests {
    private typealias Claim = BrokerConfiguration.ProviderClaim

    static func installation(
        _ claims: [String], of sent: JSONObject, configure: (inout BrokerConfiguration) -> Void = { _ in }
    ) throws -> Installation {
        let installation = try Installation {
            $0.providers[0].claims = claims.map { Claim(entry: $0) }
            configure(&$0)
        }
        installation.provider.behave { behavior in
            for member in sent.members { behavior.claims[member.name] = member.value }
        }
        return installation
    }

    /// A whole sign-in: the claims of the ID token and of UserInfo.
    private static func signIn(
        _ installation: Installation, _ app: AppClient = .shop
    ) throws -> (idToken: JSONObject, userInfo: JSONObject) {
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        let response = try installation.redeem(try #require(location["code"], "\(location.text)"), app).json()
        let token = try #require(response["id_token"]?.text?.makeString())
        #expect(token.utf8.count <= 8192)
        let keys = try KeySet(json: Array(try installation.get("/__/auth/jwks").text.utf8))
        let accessToken = try #require(response["access_token"]?.text?.makeString())
        let userInfo = try installation.get("/__/auth/userinfo", fields: [.authorization: "Bearer \(accessToken)"])
        return (
            try JSONWebSignature(compact: token).verified(by: keys, algorithms: [.es256]).claims, try userInfo.json()
        )
    }

    /// What ends a sign-in without a code.
    private static func error(_ installation: Installation) throws -> (error: String?, description: String?) {
        var browser = Browser(installation)
        let location = try browser.signIn()
        #expect(location["code"] == nil)
        return (location["error"], location["error_description"])
    }

    private static func list(_ length: Int) -> JSONValue { .array([.string(String(repeating: "g", count: length))]) }

    @Test func `they are in the ID token and at UserInfo, by the names of the configuration, as they are`() throws {
        let installation = try Self.installation(
            ["groups", "roles=realm_access.roles", "tid", "plan=https://acme.example/plan"],
            of: [
                "groups": ["/staff"], "realm_access": ["roles": ["editor"]], "tid": "9122040d",
                "https://acme.example/plan": ["name": "gold", "seats": 5], "department": "not configured",
            ])
        let (idToken, userInfo) = try Self.signIn(installation)
        for claims in [idToken, userInfo] {
            #expect(claims["groups"] == ["/staff"])
            #expect(claims["roles"] == ["editor"])
            #expect(claims["tid"] == "9122040d")
            #expect(claims["plan"] == ["name": "gold", "seats": 5])
            #expect(claims["department"] == nil && claims["realm_access"] == nil)
        }
    }

    @Test(arguments: [
        ("openid", [] as [String]), ("openid profile", ["preferred_username", "locale"]),
        ("openid phone", ["phone_number"]), ("openid address", ["address"]),
    ])
    func `a claim of a scope goes with its scope, another always`(scope: String, names: [String]) throws {
        let standard: JSONObject = [
            "preferred_username": "ada", "locale": "en", "phone_number": "+44", "address": ["country": "GB"],
        ]
        let installation = try Self.installation(
            ["preferred_username", "locale", "phone_number", "address", "hd"],
            of: [
                "preferred_username": "ada", "locale": "en", "phone_number": "+44", "address": ["country": "GB"],
                "hd": "acme.example",
            ]
        ) { $0.providers[0].configuration.scopes += ["phone", "address"] }
        var app = AppClient.shop
        app.scope = scope
        let (idToken, _) = try Self.signIn(installation, app)
        for member in standard.members {
            let isHanded = names.contains(member.name.makeString())
            #expect(idToken[member.name] == (isHanded ? member.value : nil), "\(member.name.makeString())")
        }
        #expect(idToken["hd"] == "acme.example")
    }

    @Test func `they come from UserInfo where the ID token has none`() throws {
        let installation = try Self.installation(["groups", "hd"], of: ["hd": "of the ID token"]) {
            $0.providers[0].configuration.userInfo = true
        }
        installation.provider.behave {
            $0.announcesOptionalEndpoints = true
            $0.responses["/userinfo"] = .json([
                "sub": .string(TestProvider.subject), "groups": ["/staff"], "hd": "of UserInfo",
            ])
        }
        let (idToken, _) = try Self.signIn(installation)
        #expect(idToken["groups"] == ["/staff"])
        #expect(idToken["hd"] == "of the ID token")
    }

    @Test func `a claim of 2 KB goes on; a longer one ends the sign-in with its name, and no part of it goes on`()
        throws
    {
        let longest = try Self.installation(["groups"], of: ["groups": Self.list(2044)])
        #expect(try Self.signIn(longest).idToken["groups"] == Self.list(2044))
        let longer = try Self.installation(["groups"], of: ["groups": Self.list(2045)])
        let ended = try Self.error(longer)
        #expect(ended.error == "server_error")
        #expect(ended.description == "A claim cannot be passed to the app: 'groups' is longer than 2048 bytes.")
        #expect(longer.log.outcomes == ["unusable_claims"])
    }

    @Test func `in all 4,800 bytes: claims without a decision go first, and then the sign-in ends`() throws {
        func sent(_ last: Int) -> JSONObject {
            ["one": Self.list(1900), "two": Self.list(1900), "three": Self.list(last), "picture": "https://p.example/"]
        }
        let names = ["one", "two", "three"]
        let fitting = try Self.signIn(try Self.installation(names, of: sent(300))).idToken
        #expect(names.allSatisfy { fitting[$0] != nil } && fitting["upstream_sub"] != nil)
        // The name and the email are left out to make room.
        let full = try Self.signIn(try Self.installation(names, of: sent(620))).idToken
        #expect(names.allSatisfy { full[$0] != nil })
        #expect(full["picture"] == nil || full["name"] == nil || full["email"] == nil)
        let ended = try Self.error(try Self.installation(names, of: sent(1200)))
        #expect(ended.error == "server_error")
        #expect(
            ended.description
                == "A claim cannot be passed to the app: the claims, with 'one', 'two', 'three', are longer than 4800 bytes."
        )
    }

    @Test func `groups that Entra has elsewhere end the sign-in with that word, and nothing is fetched`() throws {
        let installation = try Self.installation(
            ["groups"],
            of: [
                "_claim_names": ["groups": "src1"],
                "_claim_sources": ["src1": ["endpoint": "https://graph.windows.net/me/getMemberObjects"]],
            ])
        let ended = try Self.error(installation)
        #expect(ended.error == "server_error" && ended.description?.contains("_claim_names") == true)
        #expect(installation.log.lines.contains { $0.metadata["auth.detail"]?.contains("_claim_names") == true })
        #expect(installation.provider.count("/me/getMemberObjects") == 0)
    }

    @Test func `an app may have the claims of its users at UserInfo alone`() throws {
        let installation = try Self.installation(["groups"], of: ["groups": ["/staff"]]) {
            $0.apps[0].idTokenClaims = .minimal
        }
        let (idToken, userInfo) = try Self.signIn(installation)
        #expect(
            Set(idToken.members.map { $0.name.makeString() }) == [
                "iss", "sub", "aud", "nonce", "auth_time", "upstream_iss", "upstream_sub", "provider", "iat", "exp",
                "at_hash",
            ])
        #expect(userInfo["groups"] == ["/staff"] && userInfo["sub"] == idToken["sub"])
        #expect(userInfo["email"] == "ada@people.example" && userInfo["name"] == "Ada Lovelace")
        // Another app of the same sign-ins has them in both.
        #expect(try Self.signIn(installation, .back).idToken["groups"] == ["/staff"])
    }

    @Test func `the metadata name the claims that an app can get, and no others`() throws {
        func names(_ installation: Installation) throws -> [String] {
            let json = try installation.get("/__/auth/.well-known/openid-configuration").json()
            return try #require(json["claims_supported"]?.arrayValue).compactMap { $0.text?.makeString() }
        }
        let all = try names(Self.installation(["groups", "preferred_username", "name"], of: [:]))
        #expect(Set(all).count == all.count && Set(all).isSuperset(of: ["groups", "preferred_username", "email"]))
        #expect(Set(all).isDisjoint(with: ["is_private_email", "real_user_status", "transfer_sub", "account"]))
        let none = try names(Self.installation([], of: [:]) { $0.providers[0].configuration.scopes = ["openid"] })
        #expect(Set(none).isDisjoint(with: ["email", "email_verified", "name", "picture", "groups"]))
        let apple = try names(AppleSetup().installation)
        #expect(apple.contains("is_private_email") && !apple.contains("picture"))
    }
}
