// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Claims that do not fit an ID token, kept with the identities of accounts.
struct KeptClaimsEndpointTests {
    private typealias Installation = AppSessionInstallation
    private static let long: JSONValue = .array((0..<200).map { .string("group-\($0)-of-the-company") })

    private static func installation() throws -> Installation {
        let installation = try Installation { $0.providers[0].claims = [.init("groups")] }
        try send(long, to: installation)
        return installation
    }

    private static func send(_ groups: JSONValue?, to installation: Installation) throws {
        try #require(installation.base.providers[.acme]).behave { $0.claims["groups"] = groups }
    }

    private static func groups(
        _ installation: Installation, _ answer: DecisionInstallation.Answer
    ) async throws -> JSONValue? {
        let response = try await installation.base.respond(
            .get, "/__/auth/userinfo", nil, "",
            fields: [.authorization: "Bearer " + (answer.members.string("access_token") ?? "")])
        #expect(response.head.status == .ok)
        return try installation.base.answer(response).members["groups"]
    }

    /// What is kept with the identity of the one account.
    private static func kept(_ installation: Installation) throws -> String? {
        let store = installation.base.store.model
        let key = try #require(store.contents.identities.first?.key)
        return try store.transact(.read) { try $0.claims(of: key) }
    }

    @Test func `UserInfo has them with the token of a sign-in and of a refresh, as the newest sign-in said`()
        async throws
    {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        #expect(try await installation.base.claims(of: first)["groups"] == nil)
        #expect(try await Self.groups(installation, first) == Self.long)
        // They are with no session.
        let session = try #require(installation.base.store.model.contents.sessions.first)
        #expect(session.grant?.claims.contains("group-1-") == false)
        try Self.send(["staff"], to: installation)
        // At another app.
        let other = try await installation.signIn(.plain)
        #expect(try await installation.base.claims(of: other)["groups"] == ["staff"])
        let refreshed = try await installation.refresh(first.refreshToken, .back)
        for tokens in [first, other, refreshed] {
            #expect(try await Self.groups(installation, tokens) == ["staff"])
        }
    }

    @Test func `the tokens of a refresh have them as the newest sign-in at any app said`() async throws {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        for groups in [["staff"], nil, Self.long, ["guests"]] as [JSONValue?] {
            try Self.send(groups, to: installation)
            _ = try await installation.signIn(.plain)
            let refreshed = try await installation.refresh(first.refreshToken, .back)
            let isLong = groups == Self.long
            #expect(try await installation.base.claims(of: refreshed)["groups"] == (isLong ? nil : groups))
            #expect(try await Self.groups(installation, refreshed) == groups)
        }
    }

    @Test func `a claim of a scope is replaced, and stays where the newest sign-in has none`() async throws {
        let installation = try Installation { $0.providers[0].claims = [.init("locale")] }
        func refreshed(after locale: JSONValue?, _ token: String?) async throws -> JSONValue? {
            try #require(installation.base.providers[.acme]).behave { $0.claims["locale"] = locale }
            _ = try await installation.signIn(.plain)
            return try await installation.base.claims(of: installation.refresh(token, .back))["locale"]
        }
        try #require(installation.base.providers[.acme]).behave { $0.claims["locale"] = "de" }
        let token = try await installation.signIn(.back).refreshToken
        let narrow = try await installation.signIn(.back, scope: "openid offline_access").refreshToken
        #expect(try await refreshed(after: "en", token) == "en")
        #expect(try await refreshed(after: nil, token) == "de")
        #expect(try await refreshed(after: "en", narrow) == nil)
    }

    @Test func `where one is too long for the tokens of the app, a refresh is refused and ends nothing`() async throws {
        let key = Secret(try SigningKey.generatePEM(.es256))
        let installation = try Installation {
            $0.providers[0].claims = [.init("groups")]
            $0.resources = [.init(name: "orders", identifier: "urn:orders")]
            $0.resourceSigningKeys = [key]
            $0.apps[1].resources = ["orders"]
            $0.apps[1].defaultResource = "orders"
        }
        try Self.send(["staff"], to: installation)
        let token = try await installation.signIn(.back).refreshToken
        for (groups, error) in [(Self.long, "invalid_grant"), (["staff"], nil)] as [(JSONValue, String?)] {
            try Self.send(groups, to: installation)
            _ = try await installation.signIn(.plain)
            #expect(try await installation.refresh(token, .back).error == error)
        }
    }

    @Test func `they are replaced by none, and go with the identity`() async throws {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        #expect(try Self.kept(installation)?.contains("group-199-") == true)
        try Self.send(nil, to: installation)
        _ = try await installation.signIn(.back)
        #expect(try Self.kept(installation)?.contains("groups") == false)
        #expect(try await Self.groups(installation, first) == nil)
        try Self.send(Self.long, to: installation)
        _ = try await installation.signIn(.back)
        let store = installation.base.store.model
        let (account, identity) = (store.contents.accounts[0].id, store.contents.identities[0])
        try store.transact(.write) { try $0.remove(account) }
        #expect(try await installation.userInfo(first) == 401)
        #expect(try store.transact(.read) { try $0.claims(of: identity.key) } == nil)
    }

    @Test func `those of an identity that another account has now are not told`() async throws {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        let store = installation.base.store.model
        let (identity, now) = (store.contents.identities[0], installation.clock.now())
        try store.transact(.write) { transaction in
            try transaction.remove(identity.key)
            let other = Account(id: AccountID(), createdAt: now)
            try transaction.insert(other)
            try transaction.insert(AccountIdentity(identity.verified, of: other.id, at: now))
            try transaction.setClaims(#"{"groups":["of another"]}"#, of: identity.key)
        }
        #expect(try await Self.groups(installation, first) == nil)
    }

    @Test func `while the accounts cannot be asked, UserInfo is 503 and not without them`() async throws {
        let installation = try Self.installation()
        let first = try await installation.signIn(.back)
        installation.base.store.goDown(true)
        #expect(try await installation.userInfo(first) == 503)
        installation.base.store.goDown(false)
        #expect(try await Self.groups(installation, first) == Self.long)
    }

    @Test func `a native credential has them at UserInfo as well`() async throws {
        let installation = try Self.installation()
        let base = installation.base
        let answer = try await base.present(try base.credential("ada", claims: ["groups": Self.long]))
        #expect(answer.status == 200)
        #expect(try await base.claims(of: answer)["groups"] == nil)
        #expect(try await Self.groups(installation, answer) == Self.long)
    }
}
