// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Native credentials of real signatures through the broker and the wire, as the SDKs send them.
struct ToolkitFlowTests {
    private typealias Installation = ToolkitInstallation

    @Test func `a user signs in, is looked up, refreshes, changes the name and deletes the account`() async throws {
        let installation = try Installation()
        let (status, first) = try await installation.signIn(
            try installation.token("ada", email: "ada@example.com"))
        #expect(status == 200, "\(first.message ?? "")")
        #expect(
            first["isNewUser"]?.boolValue == true && first["pendingToken"] == nil && first["needConfirmation"] == nil)
        #expect(first.string("providerId") == "oidc.acme" && first.string("federatedId") == "ada")
        #expect(first.string("email") == "ada@example.com" && first.string("expiresIn") == "3600")
        let idToken = try #require(first.string("idToken"))
        let verified = try installation.service.tokens.verify(idToken, now: installation.clock.now())
        #expect(verified.account.text == first.string("localId"))

        installation.clock.advance(by: 1)
        let (_, again) = try await installation.signIn(try installation.token("ada", email: "ada@example.com"))
        #expect(again["isNewUser"] == nil && again.string("localId") == first.string("localId"))

        let lookedUp = try await installation.post(
            Installation.legacy + "getAccountInfo", ["idToken": .string(idToken)]
        ).members
        let users = try #require(lookedUp["users"]?.arrayValue)
        #expect(users.count == 1 && users[0].objectValue?.string("localId") == first.string("localId"))

        let form = "grant_type=refresh_token&refresh_token=" + (first.string("refreshToken") ?? "")
        let refreshed = try await installation.respond(
            .post, "/securetoken.googleapis.com/v1/token?key=" + Installation.apiKey,
            fields: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8))
        #expect(refreshed.head.status == .ok)

        let updated = try await installation.post(
            Installation.toolkit + "accounts:update", ["idToken": .string(idToken), "displayName": "Ada"]
        ).members
        #expect(updated.string("displayName") == "Ada")
        let deleted = try await installation.post(
            Installation.toolkit + "accounts:delete", ["idToken": .string(idToken)])
        #expect(deleted.status == 200)
        let gone = try await installation.post(Installation.toolkit + "accounts:lookup", ["idToken": .string(idToken)])
        #expect(gone.status == 400 && gone.members.message == "TOKEN_EXPIRED")
    }

    @Test func `an identity is linked, and unlinked, but not the last one`() async throws {
        let installation = try Installation()
        let (_, first) = try await installation.signIn(try installation.token("ada"))
        let idToken = try #require(first.string("idToken"))
        let other = try installation.token("a", at: "oidc.bold")
        let (status, linked) = try await installation.signIn(other, at: "oidc.bold", idToken: idToken)
        #expect(status == 200 && linked.string("localId") == first.string("localId"))
        let (_, repeated) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold", nonce: "raw-nonce"), at: "oidc.bold", idToken: idToken)
        #expect(repeated.message == "PROVIDER_ALREADY_LINKED")
        let unlinked = try await installation.post(
            Installation.toolkit + "accounts:update",
            ["idToken": .string(idToken), "deleteProvider": ["oidc.acme"]])
        #expect(unlinked.members["providerUserInfo"]?.arrayValue?.count == 1)
        let last = try await installation.post(
            Installation.toolkit + "accounts:update",
            ["idToken": .string(idToken), "deleteProvider": ["oidc.bold"]])
        #expect(last.members.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }

    @Test func `a credential in use comes back, signs in once, and its token does not sign in again`() async throws {
        let installation = try Installation()
        let (_, owner) = try await installation.signIn(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, ada) = try await installation.signIn(try installation.token("ada"))
        installation.clock.advance(by: 1)
        let token = try installation.token("bea", at: "oidc.bold")
        let idToken = ada.string("idToken")
        let (status, inUse) = try await installation.signIn(token, at: "oidc.bold", idToken: idToken)
        #expect(status == 200 && inUse.string("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
        #expect(inUse["idToken"] == nil && inUse["refreshToken"] == nil)
        let (refused, error) = try await installation.signIn(
            token, at: "oidc.bold", idToken: idToken, returnsCredential: false)
        #expect(refused == 400 && error.message == "FEDERATED_USER_ID_ALREADY_LINKED")

        let pending = try #require(inUse.string("pendingToken"))
        let (_, entered) = try await installation.signIn("", pendingToken: pending)
        #expect(entered.string("localId") == owner.string("localId"))
        let (_, again) = try await installation.signIn("", pendingToken: pending)
        #expect(again.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
        let (_, replayed) = try await installation.signIn(token, at: "oidc.bold")
        #expect(replayed.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
    }

    @Test func `an address that another account has proved needs a confirmation, which tells its providers`()
        async throws
    {
        let installation = try Installation()
        _ = try await installation.signIn(try installation.token("ada", email: "ada@example.com"))
        let (status, members) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold", email: "Ada@example.com"), at: "oidc.bold")
        #expect(status == 200 && members["needConfirmation"]?.boolValue == true && members["idToken"] == nil)
        #expect(members["verifiedProvider"]?.arrayValue?.map { $0.text?.makeString() } == ["oidc.acme"])
        #expect(installation.store.contents.accounts.count == 1)
        installation.clock.advance(by: 1800)
        let (_, late) = try await installation.signIn("", pendingToken: members.string("pendingToken"))
        #expect(late.message == "INVALID_PENDING_TOKEN")
    }

    @Test func `a user with a new subject is not sent back to the same provider`() async throws {
        let installation = try Installation()
        let (_, ada) = try await installation.signIn(try installation.token("ada", email: "ada@example.com"))
        let renewed = { try installation.token("ada-2", email: "ada@example.com") }
        let (status, refused) = try await installation.signIn(try renewed())
        #expect(status == 400 && refused.message?.hasPrefix("EMAIL_EXISTS : ") == true)
        #expect(refused["pendingToken"] == nil && installation.store.contents.accounts.count == 1)
        // With another provider that has proved the address there is a way.
        installation.clock.advance(by: 1)
        let (_, linked) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold", email: "ada@example.com"), at: "oidc.bold",
            idToken: ada.string("idToken"))
        #expect(linked.string("localId") == ada.string("localId"), "\(linked.message ?? "")")
        let (_, members) = try await installation.signIn(try renewed())
        #expect(members["verifiedProvider"]?.arrayValue?.map { $0.text?.makeString() } == ["oidc.bold"])
        // The former subject gives way to the new one.
        installation.clock.advance(by: 1)
        let (_, known) = try await installation.signIn(
            try installation.token("a", at: "oidc.bold", email: "ada@example.com"), at: "oidc.bold")
        let idToken = known.string("idToken")
        let removed = try await installation.post(
            Installation.toolkit + "accounts:update",
            ["idToken": known["idToken"] ?? "", "deleteProvider": ["oidc.acme"]])
        #expect(removed.status == 200, "\(removed.members.message ?? "")")
        let pending = try #require(members.string("pendingToken"))
        let (_, relinked) = try await installation.signIn("", idToken: idToken, pendingToken: pending)
        #expect(relinked.string("localId") == ada.string("localId"), "\(relinked.message ?? "")")
        #expect(relinked.string("federatedId") == "ada-2")
    }

    @Test(arguments: [true, false])
    func `who has not proved an email does not learn whether another account has it`(isTaken: Bool) async throws {
        let installation = try Installation()
        if isTaken { _ = try await installation.signIn(try installation.token("ada", email: "ada@example.com")) }
        let (status, members) = try await installation.signIn(
            try installation.token("eve", at: "oidc.bold", email: "ada@example.com", isVerified: false),
            at: "oidc.bold")
        #expect(status == 200 && members["isNewUser"] == true && members["verifiedProvider"] == nil)
        let idToken = try #require(members.string("idToken"))
        let found = try await installation.post(
            Installation.toolkit + "accounts:lookup", ["idToken": .string(idToken)])
        let user = try #require(found.members["users"]?.arrayValue?.first?.objectValue)
        #expect(user["email"] == nil && user["emailVerified"] == false)
    }

    @Test func `a re-authentication without an account leaves the user signed in`() async throws {
        let (_, members) = try await { installation in
            try await installation.signIn(try installation.token("nobody"), autoCreate: false)
        }(try Installation())
        #expect(members.message == "EMAIL_NOT_FOUND")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let token: @Sendable (ToolkitInstallation) throws -> String
        var nonce = "raw-nonce"
        var provider = "oidc.acme"
    }

    static let refusals = [
        Refused(
            testDescription: "another nonce", message: "MISSING_OR_INVALID_NONCE : ",
            token: { try $0.token("a", nonce: "other") }),
        Refused(
            testDescription: "another provider's token", message: "INVALID_IDP_RESPONSE : ",
            token: { try $0.token("a", at: "oidc.bold") }),
        Refused(
            testDescription: "an old token", message: "INVALID_IDP_RESPONSE : ",
            token: {
                let token = try $0.token("a")
                $0.clock.advance(by: 361)
                return token
            }),
        Refused(
            testDescription: "an altered token", message: "INVALID_IDP_RESPONSE : ", token: { try $0.token("a") + "A" }),
        Refused(
            testDescription: "an unknown provider", message: "INVALID_PROVIDER_ID : Provider Id is not supported.",
            token: { try $0.token("a") }, provider: "oidc.none"),
    ]

    @Test(arguments: refusals) func `a credential that is refused makes no account`(row: Refused) async throws {
        let installation = try Installation()
        let (status, members) = try await installation.post(
            Installation.toolkit + "accounts:signInWithIdp",
            [
                "requestUri": "http://localhost",
                "postBody": .string(Installation.postBody(try row.token(installation), at: row.provider)),
            ])
        #expect(status == 400 && members.message?.hasPrefix(row.message) == true, "\(members.message ?? "")")
        #expect(installation.store.contents.accounts.isEmpty)
    }

    @Test func `an unavailable provider is an empty 503, and signs no user out`() async throws {
        let installation = try Installation()
        installation.providers["oidc.acme"]?.behave { $0.isDown = true }
        let body: JSONObject = [
            "requestUri": "http://localhost", "postBody": .string(Installation.postBody(try installation.token("a"))),
        ]
        let response = try await installation.respond(
            .post, Installation.toolkit + "accounts:signInWithIdp?key=" + Installation.apiKey, body: body.serialized())
        #expect(response.head.status == .serviceUnavailable && response.body.readableBytes == 0)
        #expect(response.head.headerFields[.contentType] == "text/plain")
        #expect(response.head.headerFields[.retryAfter] != nil)
    }

    @Test func `keys, methods, origins and paths`() async throws {
        let installation = try Installation()
        let path = Installation.toolkit + "accounts:lookup"
        let noKey = try await installation.respond(.post, path)
        #expect(noKey.head.status == .forbidden)
        let unknown = try await installation.respond(.post, path + "?key=nobodys-key")
        #expect(unknown.head.status == .badRequest)
        #expect(String(buffer: unknown.body).contains("API key not valid. Please pass a valid API key."))
        let twice = try await installation.respond(.post, path + "?key=a&key=b")
        #expect(String(buffer: twice.body).contains("INVALID_ARGUMENT"))
        let get = try await installation.respond(.get, path + "?key=" + Installation.apiKey)
        #expect(get.head.status == .methodNotAllowed && get.head.headerFields[.allow] == "POST")

        let origin = try #require(HTTPField.Name("Origin"))
        for (sent, isAllowed) in [(Installation.origin, true), ("https://evil.example", false)] {
            let preflight = try await installation.respond(.options, path, fields: [origin: sent])
            #expect((preflight.head.headerFields[.accessControlAllowOrigin] == sent) == isAllowed)
            let project = try await installation.respond(
                .get, Installation.toolkit + "projects?key=" + Installation.apiKey, fields: [origin: sent])
            #expect(project.head.status == .ok)
            #expect((project.head.headerFields[.accessControlAllowOrigin] == sent) == isAllowed)
        }
        #expect(installation.broker.handles(path: path + "?key=a"))
        #expect(!installation.broker.handles(path: "/identitytoolkit.googleapis.com/v1/other"))
        #expect(installation.broker.handles(path: "/__/auth/handler"))
        let password = try await installation.post(Installation.toolkit + "accounts:signInWithPassword", [:])
        #expect(password.members.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }

    @Test func `of more than thirty sign-ins of an identity in a minute the next is refused`() async throws {
        let installation = try Installation()
        for number in 0..<30 {
            let (status, _) = try await installation.signIn(try installation.token("ada", nonce: "raw-nonce"))
            // The clock stands still, so each token is the same one, and works once.
            #expect(status == (number == 0 ? 200 : 400))
        }
        let (_, refused) = try await installation.signIn(try installation.token("ada"))
        #expect(refused.message == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
}
