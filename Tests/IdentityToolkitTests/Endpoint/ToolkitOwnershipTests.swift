// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// An attacker's view: what a client gets with a part of a session, or with a value of another project, kind or app.
struct ToolkitOwnershipTests {
    private typealias Installation = ToolkitInstallation

    private static let signIn = Installation.toolkit + "accounts:signInWithIdp"
    private static let lookup = Installation.toolkit + "accounts:lookup"
    private static let update = Installation.toolkit + "accounts:update"
    private static let delete = Installation.toolkit + "accounts:delete"
    private static let token = "/securetoken.googleapis.com/v1/token"
    private static let revoke = "/identitytoolkit.googleapis.com/v2/accounts:revokeToken"

    /// A user who signs in with a new token of a provider.
    private func session(
        _ subject: String = "ada", at provider: String = "oidc.acme", in installation: ToolkitInstallation
    ) async throws -> JSONObject {
        installation.clock.advance(by: 1)
        let (status, members) = try await installation.signIn(
            installation.token(subject, at: provider), at: provider)
        #expect(status == 200, "\(members.message ?? "")")
        return members
    }

    private func idToken(_ members: JSONObject) throws -> String { try #require(members.string("idToken")) }

    /// The message of the response to a refresh.
    private func refresh(_ text: String, _ installation: ToolkitInstallation) async throws -> String? {
        let (status, members) = try await installation.post(
            Self.token, ["grant_type": "refresh_token", "refresh_token": .string(text)])
        #expect((status == 200) == (members["id_token"] != nil))
        return members.message
    }

    /// The message of the response to a refresh of a session.
    private func refresh(_ signedIn: JSONObject, _ installation: ToolkitInstallation) async throws -> String? {
        let text = try #require(signedIn.string("refreshToken"))
        return try await refresh(text, installation)
    }

    /// Expects that an ID token asks for nothing: each operation refuses it in the same way and writes nothing.
    private func expectDead(
        _ idToken: String, _ message: String, _ installation: ToolkitInstallation,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let credential = Installation.postBody(try installation.token("eve", at: "oidc.bold"), at: "oidc.bold")
        let requests: [(path: String, members: JSONObject)] = [
            (Self.lookup, [:]), (Self.update, ["displayName": "Eve"]), (Self.update, ["deleteProvider": ["oidc.acme"]]),
            (Self.delete, [:]), (Self.signIn, ["requestUri": "http://localhost", "postBody": .string(credential)]),
            (Self.revoke, ["providerId": "apple.com", "tokenType": "CODE", "token": "c0de"]),
        ]
        let contents = installation.store.contents
        for (path, members) in requests {
            var request = members
            request["idToken"] = .string(idToken)
            let (status, refused) = try await installation.post(path, request)
            #expect(status == 400 && refused.message == message, "\(path)", sourceLocation: sourceLocation)
        }
        #expect(installation.store.contents == contents, sourceLocation: sourceLocation)
    }

    private func makeInstallation(_ change: (inout Installation.Options) -> Void = { _ in }) throws -> Installation {
        var options = Installation.Options()
        options.hasApple = true
        change(&options)
        return try Installation(options: options)
    }

    // MARK: Projects and kinds

    @Test func `nothing of another project is taken, also where both have the same keys and the same user`()
        async throws
    {
        let key = P256.Signing.PrivateKey().pemRepresentation
        let installation = try makeInstallation { $0.accountKey = key }
        let foreign = try makeInstallation { options in
            options.accountKey = key
            options.projectID = "other-shop"
        }
        _ = try await session(in: installation)
        let ada = try await session(in: foreign)
        try await expectDead(try idToken(ada), "INVALID_ID_TOKEN", installation)
        #expect(try await refresh(ada, installation) == "TOKEN_EXPIRED")

        _ = try await session("bea", at: "oidc.bold", in: foreign)
        foreign.clock.advance(by: 1)
        let (_, inUse) = try await foreign.signIn(
            foreign.token("bea", at: "oidc.bold"), at: "oidc.bold", idToken: idToken(ada))
        let pending = try #require(inUse.string("pendingToken"))
        let (_, refused) = try await installation.signIn("", pendingToken: pending)
        #expect(refused.message == "INVALID_PENDING_TOKEN")
    }

    @Test(arguments: [true, false])
    func `an ID token of the broker is not valid for accounts, and the other way round`(isKeyShared: Bool) async throws
    {
        let key = P256.Signing.PrivateKey().pemRepresentation
        let installation = try makeInstallation { options in
            options.shopAudiences = [.init(provider: "oidc.acme", audience: "shop-at-acme")]
            options.accountKey = key
            if isKeyShared { options.brokerKey = key }
        }
        let ofAccount = try idToken(try await session(in: installation))
        let credential = try installation.token("ada", changes: ["aud": "shop-at-acme"])
        let ofBroker = try #require(
            try await form(
                "credential", [("provider", "oidc.acme"), ("id_token", credential), ("raw_nonce", "raw-nonce")],
                installation
            ).members.string("id_token"))
        try await expectDead(ofBroker, "INVALID_ID_TOKEN", installation)

        // The broker asks what else it needs only where the ID token is its own.
        for (idToken, error) in [(ofBroker, "invalid_request"), (ofAccount, "invalid_client")] {
            let answer = try await form("revoke", [("token", "t0ken"), ("id_token", idToken)], installation)
            #expect(answer.members.string("error") == error)
        }
        let userInfo = try await installation.respond(
            .get, "/__/auth/userinfo", fields: [.authorization: "Bearer " + ofAccount])
        #expect(userInfo.head.status == .unauthorized)
    }

    private func form(
        _ path: String, _ pairs: [(String, String)], _ installation: ToolkitInstallation
    ) async throws -> (status: Int, members: JSONObject) {
        let response = try await installation.respond(
            .post, "/__/auth/" + path, fields: [.contentType: "application/x-www-form-urlencoded"],
            body: Array(Query.encode([("client_id", "shop")] + pairs).utf8))
        let members = try WireSupport.object(Array(response.body.readableBytesView))
        return (response.head.status.code, members)
    }

    @Test func `a token of a provider is no session, and the token of a session is not a provider's`() async throws {
        let installation = try makeInstallation()
        let ada = try await session(in: installation)
        try await expectDead(try installation.token("ada"), "INVALID_ID_TOKEN", installation)
        let (_, refused) = try await installation.signIn(try idToken(ada))
        #expect(refused.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
    }

    @Test func `a token with a foreign signature is refused, whatever its header says`() async throws {
        let installation = try makeInstallation()
        let parts = try idToken(try await session(in: installation)).split(separator: ".").map { String($0) }
        let own = try #require(Base64URL.decode(parts[0]))
        let payload = try #require(Base64URL.decode(parts[1]))
        let stranger = try SigningKey.generate(.es256)
        let header = try WireSupport.object(own)
        try await expectDead(try stranger.sign(header: header, payload: payload), "INVALID_ID_TOKEN", installation)
        for algorithm in ["none", "HS256", "RS256"] {
            var other = header
            other["alg"] = .string(algorithm)
            let forged = Base64URL.encode(other.serialized()) + "." + parts[1] + "." + parts[2]
            try await expectDead(forged, "INVALID_ID_TOKEN", installation)
        }
        let unsigned: JSONObject = ["alg": "none", "typ": "JWT"]
        try await expectDead(
            Base64URL.encode(unsigned.serialized()) + "." + parts[1] + ".", "INVALID_ID_TOKEN", installation)
    }

    // MARK: Sessions

    @Test func `the identifier of a session does nothing without its secret`() async throws {
        let installation = try makeInstallation()
        let ada = try await session(in: installation)
        let verified = try installation.service.tokens.verify(idToken(ada), now: installation.clock.now())
        let identifier = Base64URL.encode(verified.session.id.bytes)
        let contents = installation.store.contents
        #expect(try await refresh(identifier, installation) == "INVALID_REFRESH_TOKEN")
        #expect(try await refresh(RefreshToken(session: verified.session.id).text, installation) == "TOKEN_EXPIRED")
        try await expectDead(identifier, "INVALID_ID_TOKEN", installation)
        for name in ["sid", "sessionId", "session_id", "localId"] {
            let (_, refused) = try await installation.post(Self.lookup, [name: .string(identifier)])
            #expect(refused.message == "MISSING_ID_TOKEN")
        }
        #expect(installation.store.contents == contents)
        #expect(try await refresh(ada, installation) == nil)
    }

    @Test func `the tokens of a deleted account are dead, also when its user comes back`() async throws {
        let installation = try makeInstallation()
        let (ada, other) = (try await session(in: installation), try await session(in: installation))
        let deleted = try await installation.post(Self.delete, ["idToken": .string(idToken(ada))])
        #expect(deleted.status == 200)
        for isBack in [false, true] {
            if isBack {
                let again = try await session(in: installation)
                #expect(again["isNewUser"]?.boolValue == true && again.string("localId") != ada.string("localId"))
            }
            for members in [ada, other] {
                #expect(
                    try await refresh(members, installation) == "TOKEN_EXPIRED")
                try await expectDead(try idToken(members), "TOKEN_EXPIRED", installation)
            }
        }
    }

    @Test func `a session that began with a provider ends when that is unlinked elsewhere`() async throws {
        let installation = try makeInstallation()
        let ada = try await session(in: installation)
        installation.clock.advance(by: 1)
        _ = try await installation.signIn(
            installation.token("bea", at: "oidc.bold"), at: "oidc.bold", idToken: idToken(ada))
        let thief = try await session("bea", at: "oidc.bold", in: installation)
        #expect(thief.string("localId") == ada.string("localId"))
        let unlinked = try await installation.post(
            Self.update, ["idToken": .string(idToken(ada)), "deleteProvider": ["oidc.bold"]])
        #expect(unlinked.status == 200)
        #expect(try await refresh(thief, installation) == "TOKEN_EXPIRED")
        try await expectDead(try idToken(thief), "TOKEN_EXPIRED", installation)
        #expect(try await refresh(ada, installation) == nil)
        // The identity does not lead there any more.
        let again = try await session("bea", at: "oidc.bold", in: installation)
        #expect(again.string("localId") != ada.string("localId"))
    }

    @Test func `whose account it is says the session, and no member beside it`() async throws {
        let installation = try makeInstallation()
        let ada = try await session(in: installation)
        let eve = try await session("eve", in: installation)
        let renamed = try await installation.post(
            Self.update, ["idToken": .string(idToken(eve)), "localId": ada["localId"] ?? .null, "displayName": "Eve"])
        #expect(renamed.members["localId"] == eve["localId"])
        let deleted = try await installation.post(
            Self.delete, ["idToken": .string(idToken(eve)), "localId": ada["localId"] ?? .null])
        #expect(deleted.status == 200)
        let accounts = installation.store.contents.accounts
        #expect(accounts.count == 1 && accounts.first?.id.text == ada.string("localId"))
        #expect(accounts.map(\.displayName) == [nil])
    }
}
