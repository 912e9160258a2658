// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Refresh tokens of OpenID apps at the endpoints of the broker.
struct AppSessionEndpointTests {
    private typealias Installation = AppSessionInstallation

    /// The claims of an ID token that a refresh gives, against those of the sign-in (OpenID Connect Core 1.0 section 12.2).
    @Test(arguments: [Installation.App.shop, .back])
    private func `a refresh gives new tokens of the same sign-in`(app: Installation.App) async throws {
        let installation = try Installation()
        try #require(installation.base.providers[.acme]).behave { $0.claims = ["acr": "two-factors", "amr": ["pwd"]] }
        let first = try await installation.signIn(app)
        #expect(first.status == 200)
        #expect(first.members.string("scope") == "openid profile email offline_access")
        let token = try #require(first.refreshToken)
        #expect(token.hasPrefix(IssuedTokenPrefix.refreshToken))
        installation.clock.advance(by: 4_000)
        let second = try await installation.refresh(token, app)
        #expect(second.status == 200)
        #expect(second.members.string("token_type") == "Bearer")
        #expect(second.members.string("scope") == "openid profile email offline_access")
        // A public app's token is replaced, and a confidential one's is not.
        #expect((second.refreshToken == token) == (app == .back))
        let (before, after) = try await (installation.base.claims(of: first), installation.base.claims(of: second))
        for name in ["iss", "sub", "aud", "auth_time", "acr", "amr", "account", "upstream_sub", "provider", "email"] {
            #expect(before[name] != nil && before[name] == after[name], "\(name)")
        }
        #expect(before["nonce"] != nil)
        #expect(after["nonce"] == nil)
        #expect(before["at_hash"] != after["at_hash"])
        let issued = try #require(before["iat"]?.integerValue)
        #expect(try #require(after["iat"]?.integerValue) >= issued + 3_990)
        #expect(try await installation.userInfo(first) == 401)
        #expect(try await installation.userInfo(second) == 200)
        let audit = installation.audit.lines(of: "refreshed")
        #expect(audit.map { $0["auth.outcome"] } == ["refreshed"])
    }

    @Test func `only who asks and may have one gets a refresh token`() async throws {
        let installation = try Installation()
        #expect(try await installation.signIn(.shop, scope: "openid email").refreshToken == nil)
        #expect(try await installation.signIn(.plain).refreshToken == nil)
        #expect(installation.base.store.model.contents.sessions.isEmpty)
        let token = try await installation.signIn(.back).refreshToken
        let refused = try await installation.refresh(token, .plain)
        #expect(refused.error == "unsupported_grant_type")
        #expect(try await installation.refresh(token, .shop).error == "invalid_grant")
        #expect(try await installation.refresh(nil, .shop).error == "invalid_request")
        #expect(try await installation.refresh("x", .shop).error == "invalid_grant")
        #expect(try await installation.refresh(token, .back).status == 200)
        let session = try #require(installation.base.store.model.contents.sessions.first)
        #expect(session.wire == .app)
        #expect(session.app == "back")
    }

    @Test func `the scopes of a refresh may be fewer, and not more, and the session keeps its own`() async throws {
        let installation = try Installation()
        let signedIn = try await installation.signIn(.back)
        let token = signedIn.refreshToken
        let narrow = try await installation.refresh(token, .back, [("scope", "openid profile")])
        #expect(narrow.members.string("scope") == "openid profile")
        #expect(try await installation.base.claims(of: narrow)["email"] == nil)
        #expect(try await installation.base.claims(of: signedIn)["email"] != nil)
        // Some clients ask each time for all that they asked for at the start, where what they cannot get is ignored too.
        let unknown = try await installation.refresh(token, .back, [("scope", "openid email calendar")])
        #expect(unknown.members.string("scope") == "openid email")
        let fewer = try await installation.signIn(.back, scope: "openid profile offline_access").refreshToken
        #expect(try await installation.refresh(fewer, .back, [("scope", "openid email")]).error == "invalid_scope")
        #expect(
            try await installation.refresh(token, .back).members.string("scope") == signedIn.members.string("scope"))
    }

    @Test func `a refresh with fewer scopes lacks the claims of the others`() async throws {
        let all = ["address", "phone_number", "phone_number_verified", "nickname"]
        let installation = try Installation {
            $0.providers[0].configuration.scopes += ["address", "phone"]
            $0.providers[0].claims = all.map { BrokerConfiguration.ProviderClaim($0) }
        }
        try #require(installation.base.providers[.acme]).behave {
            $0.claims = [
                "address": ["country": "NZ"], "phone_number": "+64", "phone_number_verified": true, "nickname": "ada",
            ]
        }
        let signedIn = try await installation.signIn(
            .back, scope: "openid email profile address phone offline_access")
        let claims = try await installation.base.claims(of: signedIn)
        for name in all { #expect(claims[name] != nil, "\(name)") }
        let kept = [
            "address": ["address"], "phone": ["phone_number", "phone_number_verified"], "profile": ["nickname"],
        ]
        for (scope, names) in kept {
            let narrow = try await installation.refresh(signedIn.refreshToken, .back, [("scope", "openid " + scope)])
            let claims = try await installation.base.claims(of: narrow)
            for name in all { #expect((claims[name] != nil) == names.contains(name), "\(scope) \(name)") }
        }
    }

    @Test(.attack(.stolenRefreshToken))
    func `a replaced token is answered again for ten seconds, and then ends the session, which is audited`()
        async throws
    {
        let installation = try Installation()
        let first = try await installation.signIn().refreshToken
        let second = try await installation.refresh(first).refreshToken
        installation.clock.advance(by: 10)
        #expect(try await installation.refresh(first).refreshToken == second)
        installation.clock.advance(by: 1)
        #expect(try await installation.refresh(first).error == "invalid_grant")
        #expect(try await installation.refresh(second).error == "invalid_grant")
        let reused = installation.audit.lines(of: "refreshed").filter { $0["auth.outcome"] == "reused" }
        #expect(reused.count == 1)
        #expect(reused.first?["auth.account"] != nil)
    }

    @Test func `fifty refreshes of one token at once are one rotation`() async throws {
        let installation = try Installation()
        let first = try await installation.signIn().refreshToken
        let answers = try await withThrowingTaskGroup(of: DecisionInstallation.Answer.self) { group in
            for _ in 0..<50 { group.addTask { try await installation.refresh(first) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(answers.map(\.refreshToken)).count == 1)
        #expect(installation.base.store.model.contents.sessions.first?.grant?.generation == 1)
    }

    @Test func `a session is refreshed 120 times a minute, also if its token is replaced each time`() async throws {
        let installation = try Installation()
        var token = try await installation.signIn().refreshToken
        for _ in 0..<120 { token = try await installation.refresh(token).refreshToken }
        #expect(try await installation.refresh(token).status == 503)
        let other = try await installation.signIn().refreshToken
        #expect(try await installation.refresh(other).status == 200)
        // It used nothing up.
        installation.clock.advance(by: 1)
        #expect(try await installation.refresh(token).status == 200)
    }

    @Test func `while the store is away it is 503, and afterwards the same code and the same token go on`() async throws
    {
        let installation = try Installation()
        let code = try await installation.code()
        installation.base.store.goDown(true)
        #expect(try await installation.post("token", code).status == 503)
        installation.base.store.goDown(false)
        let first = try await installation.post("token", code)
        #expect(first.status == 200)
        let second = try await installation.refresh(first.refreshToken)
        installation.base.store.goDown(true)
        for endpoint in ["revoke", "introspect"] {
            let token = [("token", second.refreshToken ?? "")] + Installation.App.back.form
            #expect(try await installation.post(endpoint, token).status == 503, "\(endpoint)")
        }
        #expect(try await installation.refresh(second.refreshToken).status == 503)
        // The answer was lost, and the store was away for longer than a repetition may take.
        installation.clock.advance(by: 600)
        #expect(try await installation.refresh(first.refreshToken).status == 503)
        installation.base.store.goDown(false)
        #expect(try await installation.refresh(first.refreshToken).refreshToken == second.refreshToken)
    }

    @Test(.attack(.stolenRefreshToken))
    func `a token that was replaced long before the store went away ends the session when the store is back`()
        async throws
    {
        let installation = try Installation()
        let first = try await installation.signIn().refreshToken
        let second = try await installation.refresh(first).refreshToken
        installation.clock.advance(by: 600)
        installation.base.store.goDown(true)
        #expect(try await installation.refresh(first).status == 503)
        installation.base.store.goDown(false)
        #expect(try await installation.refresh(first).error == "invalid_grant")
        #expect(try await installation.refresh(second).error == "invalid_grant")
    }

    @Test func `a code that comes again ends the session that it began`() async throws {
        let installation = try Installation()
        let code = try await installation.code()
        let first = try await installation.post("token", code)
        #expect(first.status == 200)
        #expect(try await installation.post("token", code).error == "invalid_grant")
        #expect(try await installation.refresh(first.refreshToken).error == "invalid_grant")
    }

    @Test func `the settings of the app are asked again`() async throws {
        let installation = try Installation()
        let token = try await installation.signIn().refreshToken
        var changed = installation.base.configuration
        for index in changed.apps.indices { changed.apps[index].providers = ["apple"] }
        try installation.base.broker.reload(changed)
        #expect(try await installation.refresh(token).error == "invalid_grant")
        // It used nothing up.
        try installation.base.broker.reload(installation.base.configuration)
        #expect(try await installation.refresh(token).status == 200)
        changed = installation.base.configuration
        changed.apps[0].refreshTokens = false
        try installation.base.broker.reload(changed)
        #expect(try await installation.refresh(token).error == "unsupported_grant_type")
    }

    @Test func `what the app requires is asked again, of what the newest sign-in at any app said`() async throws {
        let installation = try Installation {
            $0.providers[0].claims = [.init("groups")]
            $0.apps[1].require = .init(["acme": ["groups": .anyOf(["staff"]), "email_verified": .bool(true)]])
        }
        func signIn(_ app: Installation.App, groups: JSONValue, isVerified: Bool = true) async throws -> String? {
            try #require(installation.base.providers[.acme]).behave {
                $0.claims = [
                    "groups": groups, "email": "ada@acme.example", "email_verified": .bool(isVerified),
                ]
            }
            installation.clock.advance(by: 1)
            // The ID token has no email, and the app decides by it all the same.
            return try await installation.signIn(app, scope: "openid offline_access").refreshToken
        }
        let token = try #require(try await signIn(.back, groups: ["staff"]))
        func isActive() async throws -> Bool {
            let refreshed = try await installation.refresh(token, .back)
            let asked = try await installation.post("introspect", [("token", token)] + Installation.App.back.form)
            #expect(asked.members["active"] == .bool(refreshed.status == 200))
            #expect(refreshed.status == 200 || refreshed.error == "invalid_grant")
            return refreshed.status == 200
        }
        #expect(try await isActive())
        _ = try await signIn(.shop, groups: ["guests"])
        #expect(try await !isActive())
        _ = try await signIn(.shop, groups: ["staff"], isVerified: false)
        #expect(try await !isActive())
        // It has not ended.
        _ = try await signIn(.shop, groups: ["guests", "staff"])
        #expect(try await isActive())
        var changed = installation.base.configuration
        changed.apps[1].require = .init(["acme": ["groups": .anyOf(["admins"])]])
        try installation.base.broker.reload(changed)
        #expect(try await !isActive())
        try installation.base.broker.reload(installation.base.configuration)
        #expect(try await isActive())
        // What an older version wrote says nothing.
        let known = try #require(installation.base.store.model.contents.identities.first)
        try installation.base.store.model.transact(.write) { try $0.setClaims(nil, of: known.key) }
        #expect(try await !isActive())
    }

    /// A configuration, and whether a session lives for longer than 12 hours.
    struct Lifetime: Sendable {
        let what: String
        let outlives: Bool
        let configure: @Sendable (inout BrokerConfiguration) -> Void
    }

    static let lifetimes = [
        Lifetime(what: "nothing", outlives: true) { _ in },
        Lifetime(what: "claims", outlives: false) { $0.providers[0].claims = [.init("groups")] },
        Lifetime(what: "require", outlives: false) {
            $0.apps[1].require = .init(["acme": ["email_verified": .bool(false)]])
        },
        Lifetime(what: "claims of a provider that is not the app's", outlives: true) {
            var other = BrokerConfiguration.Provider(
                name: "bold", issuer: "https://login.bold.example", clientID: "broker", clientSecret: Secret("secret"))
            other.callbackPath = "/__/auth/callback/bold"
            other.claims = [.init("groups")]
            $0.providers.append(other)
            $0.apps[1].providers = ["acme"]
        },
        Lifetime(what: "claims, and a key of the app", outlives: true) {
            $0.providers[0].claims = [.init("groups")]
            $0.apps[1].refreshTokenLifetime = .seconds(13 * 3600)
        },
    ]

    @Test(arguments: lifetimes)
    func `a session lives for 12 hours where the app decides by claims, unless its key says more`(row: Lifetime)
        async throws
    {
        let installation = try Installation(configure: row.configure)
        try #require(installation.base.providers[.acme]).behave { $0.claims = ["email_verified": false] }
        let token = try await installation.signIn(.back).refreshToken
        installation.clock.advance(by: 12 * 3600 - 1)
        #expect(try await installation.refresh(token, .back).status == 200, "\(row.what)")
        installation.clock.advance(by: 1)
        #expect(try await (installation.refresh(token, .back).status == 200) == row.outlives, "\(row.what)")
    }

    @Test func `a disabled account is signed out, and an ended one stays so`() async throws {
        let installation = try Installation()
        let answer = try await installation.signIn(.back)
        let session = try #require(installation.base.store.model.contents.sessions.first)
        let operations = installation.base.service.operations
        try installation.base.store.model.transact(.write) { try operations.setDisabled(true, session.account, in: $0) }
        #expect(try await installation.refresh(answer.refreshToken, .back).error == "invalid_grant")
        try installation.base.store.model.transact(.write) {
            try operations.setDisabled(false, session.account, in: $0)
        }
        #expect(try await installation.refresh(answer.refreshToken, .back).status == 200)
        installation.clock.advance(by: 1)
        let now = installation.clock.now()
        try installation.base.store.model.transact(.write) {
            try operations.endSessions(of: session.account, in: $0, now: now)
        }
        #expect(try await installation.refresh(answer.refreshToken, .back).error == "invalid_grant")
    }

    @Test func `a refresh says what the newest sign-in of the identity said`() async throws {
        let installation = try Installation()
        let token = try await installation.signIn(.back).refreshToken
        try #require(installation.base.providers[.acme]).behave { $0.claims = ["email": "new@acme.example"] }
        installation.clock.advance(by: 1)
        let other = try await installation.signIn(.shop)
        #expect(try await installation.base.claims(of: other)["email"] == "new@acme.example")
        let refreshed = try await installation.refresh(token, .back)
        #expect(try await installation.base.claims(of: refreshed)["email"] == "new@acme.example")
    }

    @Test func `a refresh is for the usual API, or for one of the app's that it names`() async throws {
        let key = Secret(try SigningKey.generatePEM(.es256))
        let installation = try Installation {
            $0.resources = ["orders", "billing"].map { .init(name: $0, identifier: "urn:" + $0) }
            $0.resourceSigningKeys = [key]
            for index in $0.apps.indices { $0.apps[index].resources = ["orders", "billing"] }
            $0.apps[1].defaultResource = "orders"
        }
        func audience(_ answer: DecisionInstallation.Answer) async throws -> String? {
            let token = try #require(answer.members.string("access_token"))
            return try await installation.post("introspect", [("token", token)] + Installation.App.back.form)
                .members.string("aud")
        }
        let first = try await installation.signIn(.back)
        #expect(try await audience(first) == "urn:orders")
        let usual = try await installation.refresh(first.refreshToken, .back)
        #expect(try await audience(usual) == "urn:orders")
        #expect(try await installation.userInfo(usual) == 200)
        let named = try await installation.refresh(first.refreshToken, .back, [("resource", "urn:billing")])
        #expect(try await audience(named) == "urn:billing")
        #expect(named.members["expires_in"] == 900)
        let other = try await installation.refresh(first.refreshToken, .back, [("resource", "urn:other")])
        #expect(other.error == "invalid_target")
        // An app without a usual API has an opaque token.
        let shop = try await installation.refresh(try await installation.signIn().refreshToken)
        #expect(shop.members.string("access_token")?.contains(".") == false)
    }

    @Test func `a code whose API is refused begins no session`() async throws {
        let key = Secret(try SigningKey.generatePEM(.es256))
        let installation = try Installation {
            $0.resources = [.init(name: "orders", identifier: "urn:orders")]
            $0.resourceSigningKeys = [key]
            $0.apps[0].resources = ["orders"]
        }
        let refused = try await installation.post("token", try await installation.code() + [("resource", "urn:orders")])
        #expect(refused.error == "invalid_target")
        #expect(installation.base.store.model.contents.sessions.isEmpty)
    }

    // MARK: Revocation and introspection

    @Test func `a revoked refresh token ends its session, and what is unknown is 200`() async throws {
        let installation = try Installation()
        let first = try await installation.signIn()
        let second = try await installation.refresh(first.refreshToken)
        for token in ["x", IssuedTokenPrefix.refreshToken + "x"] {
            #expect(
                try await installation.response("revoke", [("token", token), ("client_id", "shop")]).head.status == .ok)
        }
        // Of another app it is unknown.
        let other = [("token", second.refreshToken ?? "")] + Installation.App.back.form
        #expect(try await installation.response("revoke", other).head.status == .ok)
        let third = try await installation.refresh(second.refreshToken)
        #expect(third.status == 200)
        // An older one of the family is as good.
        let form = [("token", first.refreshToken ?? ""), ("client_id", "shop")]
        let revoked = try await installation.response("revoke", form).head
        #expect(revoked.status == .ok)
        // oidc-client-ts refuses a response of a type that it does not know, also an empty one.
        #expect(revoked.headerFields[.contentType] == nil)
        #expect(try await installation.refresh(third.refreshToken).error == "invalid_grant")
        #expect(installation.audit.lines(of: "revoked").count == 1)
    }

    /// How one session ends; the account and its other sessions stay.
    enum End: CaseIterable, Sendable { case revocation, operation, expiry }

    @Test(arguments: End.allCases, [nil, "orders"])
    func `an access token ends with its session at the broker, an opaque one and one for an API`(
        end: End, resource: String?
    ) async throws {
        let key = Secret(try SigningKey.generatePEM(.es256))
        let installation = try Installation {
            $0.resources = [.init(name: "orders", identifier: "urn:orders")]
            $0.resources[0].accessTokenLifetime = .seconds(3600)
            $0.resourceSigningKeys = [key]
            $0.apps[1].resources = ["orders"]
            $0.apps[1].defaultResource = resource
            $0.apps[1].refreshTokenIdleLifetime = .seconds(1800)
        }
        let store = installation.base.store.model
        let (ended, other) = try await (installation.signIn(.back), installation.signIn(.shop))
        let refreshed = try await installation.refresh(ended.refreshToken, .back)
        func isActive(_ answer: DecisionInstallation.Answer) async throws -> JSONValue? {
            let token = answer.members.string("access_token") ?? ""
            return try await installation.post("introspect", [("token", token)] + Installation.App.back.form)
                .members["active"]
        }
        for answer in [ended, refreshed] {
            // It is not issued for longer than the session lives.
            #expect(answer.members["expires_in"] == 1800)
            #expect(try await installation.userInfo(answer) == 200)
            #expect(try await isActive(answer) == true)
        }
        let session = try #require(store.contents.sessions.first { $0.app == "back" })
        switch end {
        case .revocation:
            let form = [("token", refreshed.refreshToken ?? "")] + Installation.App.back.form
            #expect(try await installation.response("revoke", form).head.status == .ok)
        case .operation:
            try store.transact(.write) { try $0.removeSessions(of: session.account, begunWith: nil, except: nil) }
        case .expiry: installation.clock.advance(by: 1800)
        }
        for answer in [ended, refreshed] {
            #expect(try await installation.userInfo(answer) == 401)
            #expect(try await isActive(answer) == false)
        }
        #expect(try await installation.userInfo(other) == (end == .operation ? 401 : 200))
    }

    /// What an older version issued names no session, and neither does a token of an app without sessions.
    @Test func `an access token without a session is valid while its account is`() async throws {
        let installation = try Installation()
        let plain = try await installation.signIn(.plain)
        #expect(try await installation.userInfo(plain) == 200)
        let account = try #require(installation.base.store.model.contents.accounts.first)
        try installation.base.store.model.transact(.write) {
            try $0.removeSessions(of: account.id, begunWith: nil, except: nil)
        }
        #expect(try await installation.userInfo(plain) == 200)
    }

    @Test func `an app asks about its own tokens alone (RFC 7662)`() async throws {
        let installation = try Installation()
        let answer = try await installation.signIn(.back)
        let (access, refresh) = (answer.members.string("access_token") ?? "", answer.refreshToken ?? "")
        func introspect(_ token: String, _ app: Installation.App = .back) async throws -> JSONObject {
            try await installation.post("introspect", [("token", token)] + app.form).members
        }
        let sub = try await installation.base.claims(of: answer)["sub"]
        let ofAccess = try await introspect(access)
        let ofRefresh = try await introspect(refresh)
        for members in [ofAccess, ofRefresh] {
            #expect(members["active"] == true)
            #expect(members["client_id"] == "back")
            #expect(members["sub"] == sub)
            #expect(try #require(members["exp"]?.integerValue) > installation.clock.now())
        }
        #expect(ofAccess["token_type"] == "Bearer")
        #expect(ofRefresh["scope"] == "openid profile email offline_access")
        let idToken = answer.members.string("id_token") ?? ""
        for (token, app) in [(access, Installation.App.plain), (refresh, .plain), ("x", .back), (idToken, .back)] {
            #expect(try await introspect(token, app) == ["active": false])
        }
        // A public app cannot prove that it is itself, and no page may read it.
        #expect(try await installation.post("introspect", [("token", access), ("client_id", "shop")]).status == 401)
        let form = [("token", access)] + Installation.App.back.form
        let read = try await installation.response("introspect", form, fields: [.origin: "https://back.example"])
        #expect(read.head.headerFields[.accessControlAllowOrigin] == nil)
        #expect(try await installation.base.respond(.options, "/__/auth/introspect", nil, "").head.status.code == 405)
        #expect(try await installation.post("introspect", Installation.App.back.form).error == "invalid_request")
        for token in [access, refresh] {
            _ = try await installation.response("revoke", [("token", token)] + Installation.App.back.form)
            #expect(try await introspect(token) == ["active": false])
        }
        installation.clock.advance(by: 3_700)
        #expect(try await introspect(access) == ["active": false])
    }

    @Test func `an app that an API names asks about access tokens for this API, whosever they are, and no others`()
        async throws
    {
        let key = Secret(try SigningKey.generatePEM(.es256))
        let installation = try Installation {
            $0.resources = ["orders", "billing"].map { .init(name: $0, identifier: "urn:" + $0) }
            $0.resources[0].introspectedBy = ["plain"]
            $0.resourceSigningKeys = [key]
            for index in $0.apps.indices { $0.apps[index].resources = ["orders", "billing"] }
            $0.apps[1].defaultResource = "orders"
        }
        func introspect(_ token: String?) async throws -> JSONObject {
            let token = try #require(token)
            return try await installation.post("introspect", [("token", token)] + Installation.App.plain.form).members
        }
        let answer = try await installation.signIn(.back)
        let token = answer.members.string("access_token")
        let members = try await introspect(token)
        let sub = try await installation.base.claims(of: answer)["sub"]
        #expect(members["active"] == true)
        #expect(members["client_id"] == "back")
        #expect(members["aud"] == "urn:orders")
        #expect(members["sub"] == sub)
        let billing = try await installation.refresh(answer.refreshToken, .back, [("resource", "urn:billing")])
        let opaque = try await installation.signIn(.shop)
        for other in [
            billing.members.string("access_token"), answer.refreshToken, opaque.members.string("access_token"),
        ] {
            #expect(try await introspect(other) == ["active": false])
        }
        let form = [("token", token ?? "")] + Installation.App.back.form
        #expect(try await installation.response("revoke", form).head.status == .ok)
        #expect(try await introspect(token) == ["active": false])
    }

    /// Each token at each wire: only its own takes it.
    @Test func `no wire takes a token of another one`() async throws {
        let installation = try Installation()
        let answer = try await installation.signIn(.back)
        let sdk = try await installation.base.signIn("ada", at: .apple)
        let tokens: [(name: String, token: String?)] = [
            ("the refresh token of an app", answer.refreshToken),
            ("its access token", answer.members.string("access_token")),
            ("its ID token", answer.members.string("id_token")),
            ("the refresh token of an SDK", sdk.string("refreshToken")),
            ("the ID token of an SDK", sdk.string("idToken")),
        ]
        for (name, token) in tokens {
            let token = try #require(token)
            let atToken = try await installation.refresh(token, .back)
            #expect((atToken.status == 200) == (token == answer.refreshToken), "\(name)")
            let atSDK = try await installation.base.refresh(["refreshToken": .string(token)])
            #expect((atSDK.status == 200) == (token == sdk.string("refreshToken")), "\(name)")
            let isOfApp = token == answer.refreshToken || token == answer.members.string("access_token")
            let asked = try await installation.post("introspect", [("token", token)] + Installation.App.back.form)
            #expect(asked.members["active"] == .bool(isOfApp), "\(name)")
            for operation in ["lookup", "update", "delete"] {
                guard operation != "delete" || token != sdk.string("idToken") else { continue }
                let body: JSONObject = ["idToken": .string(token)]
                let response = try await installation.base.respond(
                    .post, "/identitytoolkit.googleapis.com/v1/accounts:\(operation)?key=ios-4f1c0000",
                    "application/json", String(decoding: body.serialized(), as: UTF8.self))
                #expect((response.head.status == .ok) == (token == sdk.string("idToken")), "\(operation) \(name)")
            }
        }
    }
}
