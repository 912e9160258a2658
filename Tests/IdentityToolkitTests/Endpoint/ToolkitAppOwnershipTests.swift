// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import SignInWithAppleTesting
import StoreTesting
import Testing
import TestingSupport

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// What an app cannot do with what another one has, and what a page cannot do with what a browser sends by itself.
struct ToolkitAppOwnershipTests {
    private typealias Installation = ToolkitInstallation

    private static let signIn = Installation.toolkit + "accounts:signInWithIdp"
    private static let deskKey = "desk-4f1c0000"
    private static let deskAudience = "desk-at-provider"

    /// An app that may use one of the two providers, although it has a client ID at both.
    private static let desk = SDKApp(
        name: "desk", kind: .desktop, apiKey: deskKey,
        nativeAudiences: ["acme", "bold"].map { SDKApp.NativeAudience(provider: $0, audience: deskAudience) },
        providers: ["acme"])

    private let installation: ToolkitInstallation

    init() throws {
        var options = ToolkitInstallation.Options()
        options.apps = [Self.desk]
        installation = try ToolkitInstallation(options: options)
    }

    /// A sign-in of the other app.
    private func signInAtDesk(_ members: JSONObject) async throws -> (status: Int, members: JSONObject) {
        var request = members
        request["requestUri"] = "http://localhost"
        let response = try await installation.respond(
            .post, Self.signIn + "?key=" + Self.deskKey, body: request.serialized())
        return (response.head.status.code, try WireSupport.object(Array(response.body.readableBytesView)))
    }

    private func deskToken(_ subject: String, at provider: String) throws -> String {
        try installation.token(subject, at: provider, changes: ["aud": .string(Self.deskAudience)])
    }

    private func postBody(_ token: String, at provider: String) -> JSONValue {
        .string(ToolkitInstallation.postBody(token, at: provider))
    }

    /// A user with a session, and a credential of another user that came back from linking.
    private func pendingCredential() async throws -> (idToken: String, pending: String) {
        _ = try await installation.signIn(installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        let (_, ada) = try await installation.signIn(installation.token("ada"))
        installation.clock.advance(by: 1)
        let idToken = try #require(ada.string("idToken"))
        let (_, inUse) = try await installation.signIn(
            installation.token("bea", at: "oidc.bold"), at: "oidc.bold", idToken: idToken)
        return (idToken: idToken, pending: try #require(inUse.string("pendingToken")))
    }

    // MARK: Providers

    @Test func `an app links and signs in with the providers that it may use only`() async throws {
        let (status, ada) = try await signInAtDesk([
            "postBody": postBody(try deskToken("ada", at: "oidc.acme"), at: "oidc.acme")
        ])
        #expect(status == 200, "\(ada.message ?? "")")
        let contents = installation.store.contents
        let credential = postBody(try deskToken("bea", at: "oidc.bold"), at: "oidc.bold")
        let idTokens: [JSONValue] = [ada["idToken"] ?? .null, .null]
        for idToken in idTokens {
            let (_, refused) = try await signInAtDesk(["postBody": credential, "idToken": idToken])
            #expect(refused.message == "OPERATION_NOT_ALLOWED : The app may not use the provider.")
        }
        #expect(installation.store.contents == contents)
        // Another app of the project may.
        let (linked, _) = try await installation.signIn(
            installation.token("bea", at: "oidc.bold"), at: "oidc.bold", idToken: ada.string("idToken"))
        #expect(linked == 200)
    }

    @Test func `a token that one app got does not sign in to another`() async throws {
        let (_, refused) = try await signInAtDesk([
            "postBody": postBody(try installation.token("ada"), at: "oidc.acme")
        ])
        #expect(refused.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
        let (_, reversed) = try await installation.signIn(deskToken("ada", at: "oidc.acme"))
        #expect(reversed.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
        #expect(installation.store.contents.accounts.isEmpty)
    }

    // MARK: Pending credentials

    @Test func `a pending credential of one app is nothing to another, which does not use it up`() async throws {
        let (_, pending) = try await pendingCredential()
        let contents = installation.store.contents
        let (status, refused) = try await signInAtDesk(["pendingToken": .string(pending)])
        #expect(status == 400 && refused.message == "INVALID_PENDING_TOKEN")
        #expect(installation.store.contents == contents)
        let (entered, _) = try await installation.signIn("", pendingToken: pending)
        #expect(entered == 200)
    }

    @Test func `a pending credential is of its provider, whatever stands beside it`() async throws {
        let (_, pending) = try await pendingCredential()
        let contents = installation.store.contents
        for postBody in ["providerId=oidc.acme", "&providerId=oidc.none&id_token=h.p.s", "providerId=apple.com"] {
            let (status, refused) = try await installation.post(
                Self.signIn,
                [
                    "requestUri": "http://localhost", "pendingToken": .string(pending), "postBody": .string(postBody),
                ])
            #expect(status == 400 && refused.message?.hasPrefix("INVALID_IDP_RESPONSE : ") == true)
        }
        #expect(installation.store.contents == contents)
        let (entered, _) = try await installation.post(
            Self.signIn,
            [
                "requestUri": "http://localhost", "pendingToken": .string(pending),
                "postBody": "providerId=oidc.bold",
            ])
        #expect(entered == 200)
    }

    @Test func `who has a pending credential of another user cannot link it`() async throws {
        let (idToken, pending) = try await pendingCredential()
        let (_, refused) = try await installation.signIn(
            "", idToken: idToken, pendingToken: pending, returnsCredential: false)
        #expect(refused.message == "FEDERATED_USER_ID_ALREADY_LINKED")
    }

    // MARK: What a browser sends by itself

    /// A response, with what of it a page or a browser could use.
    private struct Response: Equatable {
        let status: Int
        let body: [UInt8]
        let origin: String?
    }

    /// Sends a request, and expects that no cookie is set and no credentials are allowed.
    private func respond(
        _ method: HTTPRequest.Method, _ target: String, _ fields: HTTPFields, _ body: JSONObject
    ) async throws -> Response {
        let response = try await installation.respond(method, target, fields: fields, body: body.serialized())
        let found = response.head.headerFields
        #expect(found[.setCookie] == nil, "\(target)")
        #expect(found[.accessControlAllowCredentials] == nil, "\(target)")
        #expect(found[.accessControlAllowOrigin] != "*", "\(target)")
        return Response(
            status: response.head.status.code, body: Array(response.body.readableBytesView),
            origin: found[.accessControlAllowOrigin])
    }

    @Test func `a cookie is no session, and changes nothing`() async throws {
        let (_, ada) = try await installation.signIn(installation.token("ada"))
        let idToken = try #require(ada.string("idToken"))
        let refreshToken = try #require(ada.string("refreshToken"))
        let cookie = "idToken=\(idToken); refresh_token=\(refreshToken); key=\(Installation.apiKey); session=\(idToken)"
        let key = "?key=" + Installation.apiKey
        let token = "/securetoken.googleapis.com/v1/token"
        let requests: [(HTTPRequest.Method, String, JSONObject)] = [
            (.post, Installation.toolkit + "accounts:lookup" + key, [:]),
            (.post, Installation.toolkit + "accounts:lookup" + key, ["idToken": .string(idToken)]),
            (.post, Installation.toolkit + "accounts:lookup", ["idToken": .string(idToken)]),
            (.post, Installation.toolkit + "accounts:update" + key, ["displayName": "Eve"]),
            (.post, Installation.toolkit + "accounts:delete" + key, [:]),
            (.post, token + key, ["grantType": "refresh_token"]),
            (.get, Installation.toolkit + "projects" + key, [:]), (.get, Installation.toolkit + "projects", [:]),
        ]
        var statuses: [Int] = []
        for (method, target, body) in requests {
            let plain = try await respond(method, target, [.origin: Installation.origin], body)
            let fields: HTTPFields = [.origin: Installation.origin, .cookie: cookie]
            let withCookie = try await respond(method, target, fields, body)
            #expect(withCookie == plain, "\(target)")
            statuses.append(plain.status)
        }
        #expect(statuses == [400, 200, 403, 400, 400, 400, 200, 403])
        #expect(installation.store.contents.accounts.map(\.displayName) == [nil])
    }

    @Test(arguments: [ToolkitInstallation.origin, "https://evil.example", "null", nil])
    func `no response lets a page send cookies along, whatever it is`(origin: String?) async throws {
        var fields: HTTPFields = [.cookie: "session=1"]
        fields[.origin] = origin
        let credential = postBody(try installation.token("ada"), at: "oidc.acme")
        let key = "?key=" + Installation.apiKey
        let requests: [(HTTPRequest.Method, String, JSONObject, Int)] = [
            (.options, Self.signIn, [:], 204), (.options, Installation.legacy + "getAccountInfo" + key, [:], 204),
            (.put, Self.signIn + key, [:], 405), (.post, Self.signIn, [:], 403),
            (.post, Self.signIn + "?key=nobodys-key", [:], 400), (.post, Self.signIn + key, [:], 400),
            (.post, Self.signIn + key, ["requestUri": "http://localhost", "postBody": credential], 200),
            (.post, Installation.toolkit + "accounts:signUp" + key, [:], 400),
            (.get, Installation.legacy + "getProjectConfig" + key, [:], 200),
            (.post, Installation.toolkit + "accounts:createAuthUri" + key, ["identifier": "ada@example.com"], 200),
        ]
        for (method, target, body, status) in requests {
            let response = try await respond(method, target, fields, body)
            #expect(response.status == status, "\(target)")
            // The answer to a method that is not allowed is for no origin.
            let isReadable = status != 405 && origin == Installation.origin
            #expect(response.origin == (isReadable ? origin : nil), "\(target)")
        }
        let bold = postBody(try installation.token("bea", at: "oidc.bold"), at: "oidc.bold")
        installation.providers["oidc.bold"]?.behave { $0.isDown = true }
        let failure = try await respond(
            .post, Self.signIn + key, fields, ["requestUri": "http://localhost", "postBody": bold])
        #expect(failure.status == 503 && failure.body.isEmpty)
    }
}
