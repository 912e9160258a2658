// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import Signing
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerState

/// Access tokens for APIs of the apps: what they say, and who accepts them.
struct ResourceTokenTests {
    private typealias Setup = ResourceSetup

    @Test func `it is signed by its own key, and says what RFC 9068 has, the claims of its resource, and no more`()
        throws
    {
        let setup = try Setup()
        let response = try setup.tokens(.shop).json()
        let token = try #require(response["access_token"]?.text?.makeString())
        let (header, claims) = try Setup.parts(of: token)
        #expect(header == ["alg": "ES256", "typ": "at+jwt", "kid": .string(try SigningKey(pem: Setup.key).keyID)])
        let idToken = try Setup.parts(of: try #require(response["id_token"]?.text?.makeString())).claims
        let now = setup.installation.clock.now()
        for name in ["sub", "auth_time", "email", "provider"] {
            #expect(claims[name] != nil && claims[name] == idToken[name], "\(name)")
        }
        let expected: JSONObject = [
            "iss": .string(Installation.issuer), "aud": .string(Setup.orders), "client_id": "shop",
            "iat": .number(JSONNumber(now - 5)), "exp": .number(JSONNumber(now + 900)),
            "scope": "openid profile email",
        ]
        for member in expected.members { #expect(claims[member.name] == member.value, "\(member.name)") }
        let jti = try #require(claims["jti"]?.text?.makeString())
        #expect(Base64URL.decode(jti)?.count == 16)
        #expect(claims.count == 11)
        #expect(response["expires_in"] == 900)
        // The ID token is bound to it (OpenID Connect Core 1.0 section 3.1.3.6).
        let hash = Array(SHA256.hash(data: Data(token.utf8)))
        #expect(idToken["at_hash"]?.text?.makeString() == ProofKey.base64url(Array(hash[..<16])))
    }

    /// What accepts a token.
    private enum Place: CaseIterable {
        case userInfo, orders, billing, identifiesAtStart, provesAtRevocation
    }

    /// The tokens of a user of one app, by their names, and where each is accepted by the broker.
    private static func tokensOfOneApp() throws -> (tokens: [String: String], accepted: [String: Set<Place>], Setup) {
        let setup = try Setup()
        var configuration = setup.installation.configuration
        configuration.apps[0].defaultResource = nil
        try setup.installation.broker.reload(configuration)
        let opaque = try setup.token()
        try setup.installation.broker.reload(setup.installation.configuration)
        var billing = AppClient.shop
        billing.resources = [Setup.billing]
        let tokens = [
            "ID token": try setup.token("id_token"), "opaque": opaque, "orders": try setup.token(),
            "billing": try setup.token("access_token", billing),
        ]
        return (tokens, try tokens.mapValues { try accepted($0, setup) }, setup)
    }

    private static func accepted(_ token: String, _ setup: Setup) throws -> Set<Place> {
        var places: Set<Place> = []
        if try setup.userInfo(token).status == 200 { places.insert(.userInfo) }
        let start = try Location(
            try setup.installation.get(AppClient.shop.target(["id_token_hint": token, "prompt": "none"])))
        if start["error"] == nil { places.insert(.identifiesAtStart) }
        let revocation = try setup.revoke([("client_id", "shop"), ("id_token", token), ("token", "of-the-provider")])
        if revocation.status != 401 { places.insert(.provesAtRevocation) }
        return places
    }

    @Test(.attack(.tokenOfAnotherKind)) func `each token at each place`() async throws {
        let (tokens, byBroker, apis) = try Self.tokensAndAPIs()
        var accepted = byBroker
        for (name, token) in tokens {
            for (place, api) in apis where try await api.accepts(token) { accepted[name]?.insert(place) }
        }
        #expect(
            accepted == [
                "ID token": [.identifiesAtStart, .provesAtRevocation], "opaque": [.userInfo],
                "orders": [.userInfo, .orders], "billing": [.billing],
            ])
    }

    /// Not async: the event loop stays on its thread.
    private static func tokensAndAPIs() throws -> ([String: String], [String: Set<Place>], [Place: StandInAPI]) {
        let (tokens, accepted, setup) = try tokensOfOneApp()
        return (tokens, accepted, [.orders: try setup.api(Setup.orders), .billing: try setup.api(Setup.billing)])
    }

    private static func expired() throws -> (token: String, StandInAPI) {
        let setup = try Setup { $0.resources[0].accessTokenLifetime = .seconds(60) }
        let token = try setup.token()
        setup.installation.clock.advance(by: 60)
        #expect(try setup.userInfo(token).status == 401)
        return (token, try setup.api(Setup.orders))
    }

    @Test func `it ends with its own lifetime`() async throws {
        let (token, api) = try Self.expired()
        #expect(try await !api.accepts(token))
        let early = StandInAPI(identifier: api.identifier, keySet: api.keySet, now: api.now - 1)
        #expect(try await early.accepts(token))
    }

    /// A change to a genuine token, which is then signed anew.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let name: String
        var claims: JSONObject = [:]
        var type: String? = "at+jwt"
        var isOfIDTokenKey = false

        var testDescription: String { name }
    }

    @Test(
        .attack(.tokenOfAnotherKind),
        arguments: [
            Forgery(name: "by the key of ID tokens", isOfIDTokenKey: true), Forgery(name: "typ JWT", type: "JWT"),
            Forgery(name: "no typ", type: nil),
            Forgery(name: "of another issuer", claims: ["iss": "https://x.example"]),
            Forgery(name: "for the client", claims: ["aud": "shop"]),
            Forgery(name: "for two", claims: ["aud": [.string(ResourceSetup.orders), "shop"]]),
            Forgery(name: "of no app", claims: ["client_id": "nobody"]),
            Forgery(name: "of an app without that default", claims: ["client_id": "back-office"]),
            Forgery(name: "without openid", claims: ["scope": "email profile"]),
            Forgery(name: "without jti", claims: ["jti": .null]), Forgery(name: "a short jti", claims: ["jti": "AAAA"]),
            Forgery(name: "expired", claims: ["exp": 1_800_000_000]),
        ])
    func `UserInfo refuses one that is signed but not issued for it`(forgery: Forgery) throws {
        let setup = try Setup()
        let genuine = try Setup.parts(of: try setup.token()).claims
        let key = try SigningKey(pem: Setup.key)
        #expect(try setup.userInfo(try key.sign(genuine, type: "at+jwt")).status == 200)
        var claims = genuine
        for member in forgery.claims.members { claims[member.name] = member.value == .null ? nil : member.value }
        let signer = forgery.isOfIDTokenKey ? try SigningKey(pem: Installation.signingKey) : key
        #expect(try setup.userInfo(try signer.sign(claims, type: forgery.type)).status == 401)
    }

    @Test(.attack(.tokenOfAnotherKind)) func `an ID token by the key of access tokens is none`() throws {
        let setup = try Setup()
        let claims = try Setup.parts(of: try setup.token("id_token")).claims
        for (key, isTaken) in [(Installation.signingKey, true), (Setup.key, false)] {
            let token = try SigningKey(pem: key).sign(claims, type: "JWT")
            let start = try Location(
                try setup.installation.get(AppClient.shop.target(["id_token_hint": token, "prompt": "none"])))
            #expect((start["error"] == nil) == isTaken)
        }
    }

    @Test func `UserInfo returns what the token says of the user`() throws {
        let setup = try Setup()
        let token = try setup.token()
        let (claims, response) = (try Setup.parts(of: token).claims, try setup.userInfo(token))
        #expect(response.status == 200)
        let expected: JSONObject = [
            "sub": claims["sub"] ?? .null, "email": claims["email"] ?? .null, "provider": "oidc.acme",
        ]
        #expect(try response.json() == expected)
    }

    @Test func `of an app with accounts it names the account, and UserInfo asks whether that is alive`() throws {
        let accounts = StubAccounts()
        let setup = try Setup(extensions: [accounts]) { $0.apps[0].accounts = true }
        let token = try setup.token()
        #expect(try Setup.parts(of: token).claims["account"]?.text?.makeString() == StubAccounts.uid)
        let signedInAt = setup.installation.clock.now()
        setup.installation.clock.advance(by: 100)
        #expect(try setup.userInfo(token).status == 200)
        #expect(accounts.askedSince == [signedInAt, signedInAt])
        accounts.use(false)
        #expect(try setup.userInfo(token).status == 401)
    }

    @Test func `a second redemption of its code ends it at UserInfo`() throws {
        let setup = try Setup()
        let app = AppClient.shop
        let code = try setup.code(app)
        let token = try #require(try setup.installation.redeem(code, app).json()["access_token"]?.text?.makeString())
        #expect(try setup.userInfo(token).status == 200)
        #expect(try setup.installation.redeem(code, app).status == 400)
        #expect(try setup.userInfo(token).status == 401)
    }

    @Test func `its own app ends it at UserInfo, another one does not, and no provider is asked`() throws {
        let setup = try Setup()
        let token = try setup.token()
        let back = [("client_id", "back-office"), ("client_secret", Installation.backSecret)]
        #expect(try setup.revoke(back + [("token", token)]).json()["error"]?.text?.makeString() == "invalid_grant")
        #expect(try setup.userInfo(token).status == 200)
        #expect(try setup.revoke([("client_id", "shop"), ("token", token)]).status == 200)
        #expect(try setup.userInfo(token).status == 401)
        #expect(setup.installation.provider.count("/revoke") == 0)
    }

    @Test func `what says that it is the broker's is never sent to a provider, valid or not`() throws {
        let setup = try Setup()
        let issuer = setup.installation.provider.issuer
        setup.installation.provider.behave { $0.metadata["revocation_endpoint"] = .string(issuer + "/revoke") }
        let key = try SigningKey(pem: Setup.key)
        let stranger = try SigningKey.generate(.es256)
        let own: JSONObject = ["iss": .string(Installation.issuer), "sub": "x"]
        let back = [
            ("client_id", "back-office"), ("client_secret", Installation.backSecret), ("provider", "acme"),
        ]
        for token in [
            try key.sign(own, type: "at+jwt"), try stranger.sign(own, type: "at+jwt"), try setup.token("id_token"),
        ] {
            #expect(try setup.revoke(back + [("token", token)]).status == 200)
        }
        #expect(setup.installation.provider.count("/revoke") == 0)
        let others = try stranger.sign(["iss": .string(issuer), "sub": "x"], type: "at+jwt")
        #expect(try setup.revoke(back + [("token", others)]).status == 200)
        #expect(setup.installation.provider.count("/revoke") == 1)
    }

    @Test func `the metadata name the APIs, and the key set has the key beside those of ID tokens, RSA first`() throws {
        let metadata = "/__/auth/.well-known/openid-configuration"
        let setup = try Setup {
            $0.signingKeys.append(Secret(try SharedRSAKeys.pem(1)))
            $0.resourceSigningKeys = [Secret(try SharedRSAKeys.pem(2)), Secret(Setup.key)]
        }
        let document = try setup.installation.get(metadata).json()
        #expect(document["protected_resources"] == [.string(Setup.orders), .string(Setup.billing)])
        let keys = try #require(try setup.installation.get("/__/auth/jwks").json()["keys"]?.arrayValue)
        let ids =
            try [1, 2].map { try SigningKey(pem: try SharedRSAKeys.pem($0), algorithm: .rs256).keyID }
            + [Installation.signingKey, Setup.key].map { try SigningKey(pem: $0).keyID }
        #expect(keys.compactMap { $0.objectValue?["kid"]?.text?.makeString() } == ids)
        // The first key signs, with its own algorithm (express-oauth2-jwt-bearer 1.10.0 holds that against the metadata).
        let header = try Setup.parts(of: try setup.token()).header
        #expect(header["alg"] == "RS256" && header["kid"]?.text?.makeString() == ids[1])
        #expect(document["id_token_signing_alg_values_supported"]?.arrayValue?.contains("RS256") == true)
        #expect(try Installation().get(metadata).json()["protected_resources"] == nil)
    }

    @Test func `an RSA key of access tokens needs a place in the queue, and without one the code stays`() throws {
        let setup = try Setup(signing: SigningQueue(executor: InlineSigningExecutor(), limit: 0)) {
            $0.signingKeys.append(Secret(try SharedRSAKeys.pem(1)))
            $0.resourceSigningKeys = [Secret(try SharedRSAKeys.pem(2))]
            for index in $0.apps.indices { $0.apps[index].idTokenAlgorithm = .es256 }
        }
        let app = AppClient.shop
        let code = try setup.code(app)
        #expect(try setup.installation.redeem(code, app).status == 503)
        #expect(try setup.tokens(.desk).status == 200)
        var configuration = setup.installation.configuration
        configuration.resourceSigningKeys = [Secret(Setup.key)]
        try setup.installation.broker.reload(configuration)
        #expect(try setup.installation.redeem(code, app).status == 200)
    }

    @Test func `it outlives a rotation of its keys, not their removal, which the audit has`() throws {
        let setup = try Setup()
        let token = try setup.token()
        var configuration = setup.installation.configuration
        let new = Secret(P256.Signing.PrivateKey().pemRepresentation)
        configuration.resourceSigningKeys = [new, Secret(Setup.key)]
        try setup.installation.broker.reload(configuration)
        #expect(try setup.userInfo(token).status == 200)
        #expect(try setup.userInfo(try setup.token()).status == 200)
        configuration.resourceSigningKeys = [new]
        try setup.installation.broker.reload(configuration)
        #expect(try setup.userInfo(token).status == 401)
        #expect(setup.installation.audit.text.contains("resource_signing_keys"))
    }

    @Test(arguments: [(2034, true), (2035, false)])
    func `its listed claims have 2 KB, and beyond that nothing is left out: there is no token`(
        length: Int, isIssued: Bool
    ) throws {
        let setup = try Setup { $0.resources[0].claims = ["picture", "groups"] }
        let picture = "https://people.example/" + String(repeating: "p", count: length - 23)
        setup.installation.provider.behave { $0.claims = ["picture": .string(picture)] }
        let response = try setup.tokens(.shop)
        #expect(response.status == (isIssued ? 200 : 400))
        let json = try response.json()
        guard isIssued else {
            #expect(json["error"] == "invalid_target" && json["id_token"] == nil)
            #expect(setup.installation.log.text.contains("the claims of its resource are too long"))
            return
        }
        let token = try #require(json["access_token"]?.text?.makeString())
        #expect(try Setup.parts(of: token).claims["picture"] == .string(picture))
    }

    @Test func `the longest token is still taken, and a longer one is not made`() throws {
        let key = try SigningKey(pem: Setup.key)
        let keys = try #require(SigningKeys(pem: [Secret(Setup.key)]))
        var resource = BrokerConfiguration.Resource(
            name: "long", identifier: "urn:" + String(repeating: "x", count: 508))
        resource.claims = ["x"]
        var record = HandOffRecord(
            clientID: String(repeating: "\"", count: 256), redirectURI: "", codeChallenge: nil,
            issuer: Installation.issuer,
            claims: [
                "sub": "s", "account": .string(String(repeating: "a", count: 1024)),
                "x": .string(String(repeating: "y", count: 2040)),
            ],
            upstream: nil)
        func payload() throws -> JSONObject {
            try #require(
                AccessToken.payload(
                    of: record, for: resource, id: Array(0..<16), expiry: 1_800_000_900, sessionID: nil,
                    now: 1_800_000_000))
        }
        let token = try AccessToken.sign(try payload(), by: key)
        let read = try #require(AccessToken(WireText(token), signedBy: keys, issuer: Installation.issuer))
        #expect(read.id == Array(0..<16) && read.clientID == record.clientID && read.resource == resource.identifier)
        #expect(read.issuedAt == 1_800_000_000 && read.expiry == 1_800_000_900)
        record.scopes = GrantedScopes([String(repeating: "s", count: 3000)])
        #expect(throws: TokenIssuer.TokenTooLong.self) { try AccessToken.sign(try payload(), by: key) }
    }
}
