// SPDX-License-Identifier: Apache-2.0

import Accounts
import BrowserTesting
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The sessions of apps that hear of their end (OpenID Connect Back-Channel Logout 1.0), at the endpoints of the broker.
struct AppLogoutTests {
    private static let apps = ["shop", "back", "plain"]

    private static func installation(
        idTokenLifetime: Duration = .seconds(3600), accessTokenLifetime: Duration = .seconds(3600)
    ) throws -> AppSessionInstallation {
        let logouts = Dictionary(
            uniqueKeysWithValues: apps.map { (WireText($0), AccountListener(logoutsOf: $0)) })
        return try AppSessionInstallation(logouts: logouts) { configuration in
            for index in configuration.apps.indices {
                configuration.apps[index].backchannelLogoutURI = "https://\(configuration.apps[index].name).example/out"
                configuration.apps[index].idTokenLifetime = idTokenLifetime
                configuration.apps[index].accessTokenLifetime = accessTokenLifetime
                configuration.apps[index].idTokenClaims = index == 0 ? .all : .minimal
            }
        }
    }

    /// The `sid` of the ends that wait for an app.
    private static func told(_ installation: AppSessionInstallation, _ app: String) throws -> [String] {
        let queued = try installation.base.store.model.transact(.list) {
            try $0.outbox?.events(after: 0, limit: 100) ?? []
        }
        return try queued.filter { $0.destination == "logout:" + app }.compactMap {
            try JSONParser.object(Array($0.event.json.utf8), limits: JSONLimits(maximumBytes: 4096)).string("sid")
        }
    }

    private static func sid(
        _ installation: AppSessionInstallation, _ answer: DecisionInstallation.Answer
    ) async throws -> String {
        try #require(try await installation.base.claims(of: answer).string("sid"))
    }

    private static func session(_ installation: AppSessionInstallation, _ sid: String) throws -> AccountSession? {
        let bytes = try #require(Base64URL.decode(sid))
        return installation.base.store.model.contents.sessions.first { $0.id.bytes == bytes }
    }

    private static let lifetimes: [(idToken: Int64, accessToken: Int64, session: Int64)] = [
        (3600, 3600, 43_200), (86_400, 3600, 86_400), (3600, 86_400, 86_400),
    ]

    @Test(arguments: lifetimes)
    func `each sign-in begins a session that no refresh prolongs, and that lives for 12 hours or the longest token`(
        lifetimes: (idToken: Int64, accessToken: Int64, session: Int64)
    ) async throws {
        let installation = try Self.installation(
            idTokenLifetime: .seconds(lifetimes.idToken), accessTokenLifetime: .seconds(lifetimes.accessToken))
        var sids: Set<String> = []
        for app in [AppSessionInstallation.App.plain, .shop, .shop] {
            let answer = try await installation.signIn(app, scope: "openid email")
            #expect(answer.status == 200 && answer.refreshToken == nil)
            let sid = try await Self.sid(installation, answer)
            let session = try #require(try Self.session(installation, sid))
            #expect(session.expiry - session.createdAt == lifetimes.session)
            #expect(answer.members["expires_in"] == .number(JSONNumber(lifetimes.accessToken)))
            #expect(session.app == app.rawValue && session.wire == .app)
            sids.insert(sid)
        }
        #expect(sids.count == 3)
        #expect(try Self.apps.allSatisfy { try Self.told(installation, $0).isEmpty })
    }

    @Test func `the ID tokens of a refresh are of the same session, and UserInfo says nothing of it`() async throws {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        let second = try await installation.refresh(first.refreshToken, .back)
        let sid = try await Self.sid(installation, first)
        #expect(try Self.session(installation, sid) != nil)
        #expect(try await Self.sid(installation, second) == sid)
        let userInfo = try await installation.base.respond(
            .get, "/__/auth/userinfo", nil, "",
            fields: [.authorization: "Bearer " + (second.members.string("access_token") ?? "")])
        #expect(userInfo.head.status == .ok)
        #expect(try installation.base.answer(userInfo).members["sid"] == nil)
        // Without the key there is none.
        let other = try AppSessionInstallation()
        #expect(try await other.base.claims(of: other.signIn(.back))["sid"] == nil)
    }

    @Test func `a revocation, a second redemption and the provider's logout token are told`() async throws {
        let installation = try Self.installation()
        let revoked = try await installation.signIn(.back)
        let form = [("token", revoked.refreshToken ?? "")] + AppSessionInstallation.App.back.form
        #expect(try await installation.post("revoke", form).status == 200)
        #expect(try await Self.told(installation, "back") == [Self.sid(installation, revoked)])
        let code = try await installation.code(.plain, scope: "openid")
        let redeemed = try await installation.post("token", code)
        #expect(try await installation.post("token", code).error == "invalid_grant")
        #expect(try await Self.told(installation, "plain") == [Self.sid(installation, redeemed)])
        let ended = try await installation.signIn(.shop, scope: "openid")
        let subject = try #require(try await installation.base.claims(of: ended).string("upstream_sub"))
        #expect(try await installation.base.logOut(subject: subject) == 200)
        #expect(try await Self.told(installation, "shop") == [Self.sid(installation, ended)])
        #expect(try Self.told(installation, "back").count == 1 && Self.told(installation, "plain").count == 1)
    }

    @Test func `a logout ends the session of its hint after the user confirmed, and no other one`() async throws {
        let installation = try Self.installation()
        let answer = try await installation.signIn(.shop, scope: "openid")
        let other = try await installation.signIn(.shop, scope: "openid")
        let sid = try await Self.sid(installation, answer)
        let hint = try #require(answer.members.string("id_token"))
        let page = try await installation.base.respond(
            .get, "/__/auth/logout?" + Query.encode([("id_token_hint", hint)]), nil, "")
        #expect(page.head.status == .ok)
        #expect(try Self.told(installation, "shop").isEmpty)
        let text = String(buffer: page.body)
        let sealed = try #require(text.firstMatch(of: /name="logout" value="([^"]*)"/)?.output.1)
        // While the store is away, the user leaves all the same.
        for (isDown, told) in [(true, []), (false, [sid]), (false, [sid])] {
            installation.base.store.goDown(isDown)
            let done = try await installation.response(
                "logout/confirm", [("logout", String(sealed))], fields: [.origin: "https://auth.example.com"])
            #expect(done.head.status == .ok)
            #expect(try Self.told(installation, "shop") == told)
        }
        #expect(try #require(try Self.session(installation, sid)).expiry == 0)
        let remaining = try #require(try Self.session(installation, try await Self.sid(installation, other)))
        #expect(remaining.expiry > installation.clock.now())
    }
}
