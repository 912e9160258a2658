// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerState

/// The UserInfo endpoint: who gets which claims, and when an access token ends.
struct UserInfoTests {
    private static let path = "/__/auth/userinfo"

    /// A signed-in app.
    private struct SignedIn {
        let installation: Installation
        let app: AppClient
        let code: String
        let tokens: JSONObject

        init(
            _ app: AppClient = .shop, store: (any SingleUseStore)? = nil, extensions: [any StubExtension] = [],
            configure: (inout BrokerConfiguration) throws -> Void = { _ in }
        ) throws {
            installation = try Installation(store: store, extensions: extensions, configure: configure)
            self.app = app
            var browser = Browser(installation)
            code = try #require(try browser.signIn(app)["code"])
            tokens = try installation.redeem(code, app).json()
        }

        var accessToken: String {
            get throws { try #require(tokens["access_token"]?.text?.makeString()) }
        }

        func userInfo(_ fields: HTTPFields? = nil) throws -> BrokerResponse {
            try installation.get(
                UserInfoTests.path, fields: try fields ?? [.authorization: "Bearer \(accessToken)"])
        }

        func post(_ form: [(String, String)], fields: HTTPFields = [:]) throws -> BrokerResponse {
            var fields = fields
            fields[.contentType] = "application/x-www-form-urlencoded"
            return try installation.respond(
                BrokerRequest(
                    head: HTTPRequest(
                        method: .post, scheme: "https", authority: "auth.example.com", path: UserInfoTests.path,
                        headerFields: fields), body: ByteBuffer(string: Query.encode(form))))
        }
    }

    @Test(arguments: ["openid", "openid email profile"])
    func `the claims about the user are those of the ID token`(scope: String) throws {
        var app = AppClient.back
        app.scope = scope
        let signedIn = try SignedIn(app)
        let response = try signedIn.userInfo()
        #expect(response.status == 200)
        #expect(response.head.headerFields[.contentType] == "application/json")
        #expect(response.head.headerFields[.cacheControl] == "no-store")
        let idToken = try #require(signedIn.tokens["id_token"]?.text?.makeString())
        var claims = try #require(UnverifiedIDTokenPayload.claims(of: idToken, issuer: Installation.issuer))
        for name in ["iss", "aud", "iat", "exp", "nonce", "at_hash", "auth_time"] { claims[name] = nil }
        #expect(try response.json() == claims)
        #expect(claims["sub"] != nil)
        #expect((claims["email"] != nil) == scope.contains("email"))
    }

    @Test func `by GET, by POST, in the field or in the form, never both, never in the query`() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.accessToken
        for scheme in ["bearer ", "Bearer   "] {
            #expect(try signedIn.post([], fields: [.authorization: scheme + token]).status == 200)
        }
        #expect(try signedIn.post([("access_token", token)]).status == 200)
        let both = try signedIn.post([("access_token", token)], fields: [.authorization: "Bearer \(token)"])
        #expect(both.status == 400)
        #expect(try both.json()["error"]?.text?.makeString() == "invalid_request")
        #expect(try signedIn.post([("access_token", token), ("access_token", token)]).status == 400)
        #expect(try signedIn.installation.get(Self.path + "?access_token=" + token).status == 401)
        for method in [HTTPRequest.Method.put, .delete, .head] {
            let response = try signedIn.installation.request(method, Self.path)
            #expect(response.status == 405)
            #expect(response.head.headerFields[.allow] == "GET, POST, OPTIONS")
        }
    }

    @Test func `without a token the scheme is named, and no error`() throws {
        let response = try SignedIn().userInfo([:])
        #expect(response.status == 401)
        #expect(response.head.headerFields[.wwwAuthenticate] == "Bearer realm=\"userinfo\"")
    }

    @Test(arguments: [
        ("Bearer x", 401), ("Bearer " + String(repeating: "x", count: 8192), 401),
        ("Bearer " + String(repeating: "x", count: 9000), 401), ("Bearer \u{E9}", 401), ("Bearer a b", 401),
        ("Basic eDp5", 400), ("Bearer", 400), ("Bearer ", 400), ("DPoP x", 400), ("", 400),
    ])
    func `what is not a token is refused, and the field says why`(field: String, status: Int) throws {
        let response = try SignedIn().userInfo([.authorization: field])
        #expect(response.status == status)
        let error = status == 401 ? "invalid_token" : "invalid_request"
        #expect(try response.json()["error"]?.text?.makeString() == error)
        #expect(
            response.head.headerFields[.wwwAuthenticate]?.hasPrefix("Bearer realm=\"userinfo\", error=\"\(error)\"")
                == true)
    }

    @Test func `an altered token, one of another broker, and another sealed text are refused`() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.accessToken
        for index in [0, 10, 40, token.count - 1] {
            var bytes = Array(token.utf8)
            bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let altered = String(decoding: bytes, as: UTF8.self)
            #expect(try signedIn.userInfo([.authorization: "Bearer \(altered)"]).status == 401)
        }
        let other = try SignedIn { $0.sealingKeys = [Secret(Installation.secondSealingKey)] }
        #expect(try other.userInfo([.authorization: "Bearer \(token)"]).status == 401)
        var browser = Browser(signedIn.installation)
        let state = try #require(try browser.start()["state"])
        let prefix = IssuedTokenPrefix.accessToken
        for text in [state, prefix + state, String(token.dropFirst(prefix.count))] {
            #expect(try signedIn.userInfo([.authorization: "Bearer \(text)"]).status == 401)
        }
    }

    @Test(arguments: [nil, 300, 86_400] as [Int64?])
    func `it lives for an hour, or for as long as its app has it, and the ID token by a key of its own`(
        seconds: Int64?
    ) throws {
        let signedIn = try SignedIn {
            if let seconds { $0.apps[0].accessTokenLifetime = .seconds(seconds) }
            $0.apps[0].idTokenLifetime = .seconds(301)
        }
        let lifetime = seconds ?? 3600
        #expect(signedIn.tokens["expires_in"]?.secondsValue == lifetime)
        let idToken = try #require(signedIn.tokens["id_token"]?.text?.makeString())
        let claims = try #require(UnverifiedIDTokenPayload.claims(of: idToken, issuer: Installation.issuer))
        #expect(claims["exp"]?.integerValue == signedIn.installation.clock.now() + 301)
        signedIn.installation.clock.advance(by: lifetime - 1)
        #expect(try signedIn.userInfo().status == 200)
        signedIn.installation.clock.advance(by: 1)
        #expect(try signedIn.userInfo().status == 401)
    }

    @Test func `a lower setting ends no token that is out`() throws {
        let signedIn = try SignedIn { $0.apps[0].accessTokenLifetime = .seconds(86_400) }
        var configuration = signedIn.installation.configuration
        configuration.apps[0].accessTokenLifetime = .seconds(300)
        try signedIn.installation.broker.reload(configuration)
        signedIn.installation.clock.advance(by: 86_399)
        #expect(try signedIn.userInfo().status == 200)
        signedIn.installation.clock.advance(by: 1)
        #expect(try signedIn.userInfo().status == 401)
    }

    @Test func `of an app with accounts it ends with the account and with its sessions`() throws {
        let accounts = StubAccounts()
        let signedIn = try SignedIn(extensions: [accounts]) { $0.apps[0].accounts = true }
        let issuedAt = signedIn.installation.clock.now()
        signedIn.installation.clock.advance(by: 100)
        let response = try signedIn.userInfo()
        #expect(try response.json()["account"] == .string(StubAccounts.uid))
        // Both ask about its sessions since the sign-in.
        #expect(accounts.askedSince == [issuedAt, issuedAt])
        accounts.use(nil)
        let unavailable = try signedIn.userInfo()
        #expect(unavailable.status == 503)
        #expect(try unavailable.json()["error"]?.text?.makeString() == "temporarily_unavailable")
        #expect(signedIn.installation.log.text.contains("claims not returned: the accounts are unavailable"))
        #expect(!signedIn.installation.log.text.contains("hunter2"))
        accounts.use(false)
        let refused = try signedIn.userInfo()
        #expect(refused.status == 401)
        #expect(try refused.json()["error"]?.text?.makeString() == "invalid_token")
        accounts.use(true)
        #expect(try signedIn.userInfo().status == 200)
    }

    @Test func `for an app without accounts no extension is asked`() throws {
        let accounts = StubAccounts()
        let signedIn = try SignedIn(extensions: [accounts])
        accounts.use(nil)
        #expect(try signedIn.userInfo().status == 200)
        #expect(accounts.askedAbout.isEmpty)
    }

    @Test func `it outlives a rotation of the sealing keys, not their removal`() throws {
        let signedIn = try SignedIn()
        var configuration = signedIn.installation.configuration
        configuration.sealingKeys = [Secret(Installation.secondSealingKey), Secret(Installation.sealingKey)]
        try signedIn.installation.broker.reload(configuration)
        #expect(try signedIn.userInfo().status == 200)
        configuration.sealingKeys = [Secret(Installation.secondSealingKey)]
        try signedIn.installation.broker.reload(configuration)
        #expect(try signedIn.userInfo().status == 401)
    }

    @Test func `it ends with its app`() throws {
        let signedIn = try SignedIn()
        var configuration = signedIn.installation.configuration
        configuration.apps.removeAll { $0.name == "shop" }
        try signedIn.installation.broker.reload(configuration)
        #expect(try signedIn.userInfo().status == 401)
    }

    @Test func `a second redemption of its code within ten minutes ends it for good, a later one does not`() throws {
        let lasting = try SignedIn()
        lasting.installation.clock.advance(by: 1300)
        #expect(try lasting.installation.redeem(lasting.code, lasting.app).status == 400)
        #expect(try lasting.userInfo().status == 200)
        let signedIn = try SignedIn { $0.apps[0].accessTokenLifetime = .seconds(86_400) }
        signedIn.installation.clock.advance(by: 599)
        #expect(try signedIn.userInfo().status == 200)
        let repeated = try signedIn.installation.redeem(signedIn.code, signedIn.app)
        #expect(try repeated.json()["error"]?.text?.makeString() == "invalid_grant")
        for _ in 0..<2 {
            #expect(try signedIn.userInfo().status == 401)
            signedIn.installation.clock.advance(by: 85_000)
        }
        #expect(try signedIn.installation.redeem(signedIn.code, signedIn.app).status == 400)
    }

    @Test func `its own app ends it at revoke, and no provider is asked`() throws {
        let signedIn = try SignedIn(.back)
        let token = try signedIn.accessToken
        func revoke(_ more: [(String, String)]) throws -> BrokerResponse {
            var request = signedIn.installation.tokenRequest([("token", token)] + more)
            request.path = "/__/auth/revoke"
            return try signedIn.installation.respond(request)
        }
        let other = try revoke([("client_id", "shop")])
        #expect(other.status == 400)
        #expect(try other.json()["error"]?.text?.makeString() == "invalid_grant")
        #expect(try revoke([("client_id", "back-office"), ("client_secret", "x")]).status == 401)
        #expect(try signedIn.userInfo().status == 200)
        let own = [("client_id", "back-office"), ("client_secret", Installation.backSecret)]
        for hint in [[], [("token_type_hint", "access_token")]] {
            #expect(try revoke(own + hint).status == 200)
            #expect(try signedIn.userInfo().status == 401)
        }
        // One that has expired is gone as well.
        signedIn.installation.clock.advance(by: 3700)
        #expect(try revoke(own).status == 200)
        #expect(signedIn.installation.provider.count("/revoke") == 0)
    }

    @Test func `one that has expired takes no room of the store`() throws {
        let signedIn = try SignedIn(.back)
        let token = try signedIn.accessToken
        signedIn.installation.clock.advance(by: 3700)
        let broker = signedIn.installation.broker
        let opened = try #require(AccessToken(WireText(token), openedBy: broker.current.sealer))
        var request = signedIn.installation.tokenRequest([
            ("token", token), ("client_id", "back-office"), ("client_secret", Installation.backSecret),
        ])
        request.path = "/__/auth/revoke"
        #expect(try signedIn.installation.respond(request).status == 200)
        let ended = try #require(broker.services.lastingStore.inMemory)
        #expect(!ended.isClaimed(AccessToken.endKey(id: opened.id)))
    }

    @Test func `sessions that end before a code is redeemed end its access token`() throws {
        let accounts = StubAccounts()
        let installation = try Installation(extensions: [accounts]) { $0.apps[0].accounts = true }
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        let decidedAt = installation.clock.now()
        installation.clock.advance(by: 30)
        let token = try #require(try installation.redeem(code, app).json()["access_token"]?.text)
        #expect(accounts.askedSince == [decidedAt])
        #expect(AccessToken(token, openedBy: installation.broker.current.sealer)?.issuedAt == decidedAt)
    }

    @Test func `where its end cannot be stored, revoke says so`() throws {
        let store = FaultyStore()
        let signedIn = try SignedIn(store: store)
        store.fail(after: 0)
        var request = signedIn.installation.tokenRequest([
            ("token", try signedIn.accessToken), ("client_id", "shop"),
        ])
        request.path = "/__/auth/revoke"
        #expect(try signedIn.installation.respond(request).status == 503)
    }

    @Test func `codes that never were end nothing, and leave nothing in the store`() throws {
        let store = InMemorySingleUseStore()
        let signedIn = try SignedIn(store: store)
        for number in 0..<20 {
            let code = Base64URL.encode([UInt8](repeating: UInt8(number), count: 32))
            #expect(try signedIn.installation.redeem(code, signedIn.app).status == 400)
            let handOff = try #require(HandOff(code: WireText(code)))
            #expect(!store.isClaimed(handOff.key))
            let ended = try #require(signedIn.installation.broker.services.lastingStore.inMemory)
            #expect(!ended.isClaimed(AccessToken.endKey(id: handOff.accessTokenID)))
        }
        #expect(try signedIn.userInfo().status == 200)
    }

    @Test func `a store that is away is a 503, never a claim`() throws {
        let store = FaultyStore()
        let signedIn = try SignedIn(store: store)
        store.fail(after: 0)
        let response = try signedIn.userInfo()
        #expect(response.status == 503)
        #expect(try response.json()["error"]?.text?.makeString() == "temporarily_unavailable")
    }

    @Test func `the app's own page may read it and its errors, another app's may not read the claims`() throws {
        let signedIn = try SignedIn()
        let token = try signedIn.accessToken
        func origin(_ origin: String, _ token: String) throws -> String? {
            let response = try signedIn.userInfo([.authorization: "Bearer \(token)", .origin: origin])
            #expect(response.head.headerFields[.vary] == "Origin")
            return response.head.headerFields[.accessControlAllowOrigin]
        }
        #expect(try origin("https://shop.example", token) == "https://shop.example")
        #expect(try origin("https://shop.example", "x") == "https://shop.example")
        #expect(try origin("https://back.example", token) == nil)
        #expect(try origin("https://evil.example", token) == nil)
        #expect(try origin("https://evil.example", "x") == nil)
        let preflight = try signedIn.installation.request(
            .options, Self.path, fields: [.origin: "http://127.0.0.1:5173"])
        #expect(preflight.status == 204)
        #expect(preflight.head.headerFields[.accessControlAllowOrigin] == "http://127.0.0.1:5173")
        #expect(preflight.head.headerFields[.accessControlAllowMethods] == "GET, POST")
        #expect(preflight.head.headerFields[.accessControlAllowHeaders]?.contains("authorization") == true)
    }

    @Test func `the longest claims still have a token`() throws {
        let snapshot = try Installation().broker.current
        let claims = JSONObjectText(["x": .string(String(repeating: "y", count: HandedClaims.maximumTotalLength))])
        let token = AccessToken(
            id: Array(0..<16), clientID: String(repeating: "c", count: 256), issuedAt: 1000, expiry: 1300,
            claims: claims)
        let sealed = try #require(token.sealed(by: snapshot.sealer))
        #expect(sealed.utf8.count <= BearerToken.maximumLength)
        #expect(AccessToken(WireText(sealed), openedBy: snapshot.sealer, now: 1299)?.claims == claims)
        #expect(AccessToken(WireText(sealed), openedBy: snapshot.sealer, now: 1300) == nil)
        #expect(
            AccessToken(WireText(sealed), openedBy: snapshot.sealer, now: 1300 - 86_461) == nil, "it lives too long")
        let longer = AccessToken(
            id: Array(0..<16), clientID: "c", issuedAt: 1000, expiry: 1300,
            claims: JSONObjectText(["x": .string(String(repeating: "y", count: 6200))]))
        #expect(longer.sealed(by: snapshot.sealer) == nil)
    }
}
