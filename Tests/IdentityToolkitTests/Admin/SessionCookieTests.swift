// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerTesting
import Signing
import StoreTesting
import Testing

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Session cookies, as an admin SDK asks for them, and what takes them.
struct SessionCookieTests {
    private typealias Installation = AdminInstallation
    private static let path =
        "/identitytoolkit.googleapis.com/v1/projects/\(Installation.projectID):createSessionCookie"
    private static let documents = "/__/auth/accounts/session"

    private static func installation(key: String? = nil) throws -> Installation {
        var options = ToolkitInstallation.Options()
        options.cookieKey = try key ?? SigningKey.generatePEM(.es256)
        return try Installation(options: options)
    }

    private static func make(
        _ body: JSONObject, at installation: Installation, authorization: String? = "Bearer " + Installation.token
    ) async throws -> (status: Int, members: JSONObject) {
        let response = try await installation.respond(
            .post, path, authorization: authorization, body: body.serialized())
        return (response.head.status.code, try installation.members(response))
    }

    private static func cookie(
        of person: JSONObject, at installation: Installation, seconds: JSONValue = 1_209_600
    ) async throws -> String {
        let made = try await make(
            ["idToken": person["idToken"] ?? "", "validDuration": seconds], at: installation)
        #expect(made.status == 200 && made.members.members.count == 1)
        return try #require(made.members.string("sessionCookie"))
    }

    /// The claims of a token whose signature one of the published keys made.
    private static func claims(
        of token: String, by documents: String, at installation: Installation
    ) async throws -> JSONObject {
        let keys = try await installation.installation.respond(.get, documents + "/jwks")
        let keySet = try KeySet(json: Array(keys.body.readableBytesView))
        return try JSONWebSignature(compact: token).verified(by: keySet, algorithms: [.es256, .rs256]).claims
    }

    // MARK: What is made

    @Test(arguments: [JSONWebAlgorithm.es256, .rs256])
    func `a cookie of an ID token verifies by the keys at its own URL`(algorithm: JSONWebAlgorithm) async throws {
        let installation = try Self.installation(key: algorithm == .rs256 ? SharedRSAKeys.pem(1) : nil)
        let person = try await installation.signIn(email: "ada@example.com")
        let cookie = try await Self.cookie(of: person, at: installation)
        let claims = try await Self.claims(of: cookie, by: Self.documents, at: installation)
        let metadata = try installation.members(
            await installation.installation.respond(.get, Self.documents + "/.well-known/openid-configuration"))
        #expect(claims["iss"] == metadata["issuer"])
        #expect(claims.string("iss") == ToolkitInstallation.issuer + "/session")
        #expect(metadata.string("jwks_uri") == "https://auth.example.com" + Self.documents + "/jwks")
        #expect(claims["sub"] == person["localId"] && claims.string("aud") == Installation.projectID)
        #expect(claims.string("email") == "ada@example.com")
        let now = installation.installation.clock.now()
        #expect(claims["exp"]?.secondsValue == now + 1_209_600 && claims["auth_time"]?.secondsValue == now)
        let certificates = try installation.members(
            await installation.installation.respond(.get, Self.documents + "/x509"))
        let key = try #require(installation.installation.cookies).keys.signing
        #expect(certificates.members.map { $0.name.makeString() } == [key.keyID])
        #expect(metadata["id_token_signing_alg_values_supported"] == .array([.string(algorithm.rawValue)]))
    }

    @Test(
        arguments: [
            (299, false), (300, true), (1_209_600, true), (1_209_601, false), (0, false), (-300, false),
            (99_999_999, false), ("300", true), ("+300", false), ("", false), (nil, false),
        ] as [(JSONValue?, Bool)])
    func `it is valid for five minutes to 14 days`(seconds: JSONValue?, isMade: Bool) async throws {
        let installation = try Self.installation()
        var body: JSONObject = ["idToken": try await installation.signIn()["idToken"] ?? ""]
        body["validDuration"] = seconds
        let made = try await Self.make(body, at: installation)
        #expect(made.status == (isMade ? 200 : 400))
        #expect(isMade || made.members.message?.hasPrefix("INVALID_DURATION : ") == true)
    }

    @Test func `the ID token is at most five minutes old`() async throws {
        let installation = try Self.installation()
        let person = try await installation.signIn()
        // `iat` lies five seconds back.
        installation.installation.clock.advance(by: 295)
        _ = try await Self.cookie(of: person, at: installation)
        installation.installation.clock.advance(by: 1)
        let late = try await Self.make(
            ["idToken": person["idToken"] ?? "", "validDuration": 300], at: installation)
        #expect(late.status == 400 && late.members.message?.hasPrefix("TOKEN_EXPIRED : ") == true)
        installation.installation.clock.advance(by: 4000)
        let expired = try await Self.make(
            ["idToken": person["idToken"] ?? "", "validDuration": 300], at: installation)
        #expect(expired.status == 400 && expired.members.message?.hasPrefix("TOKEN_EXPIRED : ") == true)
    }

    @Test(arguments: [("validSince", "TOKEN_EXPIRED"), ("disableUser", "USER_DISABLED"), ("", "TOKEN_EXPIRED")])
    func `an ended session gets none`(change: String, message: String) async throws {
        let installation = try Self.installation()
        let person = try await installation.signIn()
        let uid = person["localId"] ?? ""
        let ended =
            switch change {
            case "": try await installation.call("delete", ["localId": uid])
            case "disableUser": try await installation.call("update", ["localId": uid, "disableUser": true])
            default:
                try await installation.call(
                    "update",
                    ["localId": uid, "validSince": .number(JSONNumber(installation.installation.clock.now()))])
            }
        #expect(ended.status == 200)
        let made = try await Self.make(
            ["idToken": person["idToken"] ?? "", "validDuration": 300], at: installation)
        #expect(made.status == 400 && made.members.message == message)
    }

    @Test func `an operator asks for it, by POST, on this listener, and where there are keys`() async throws {
        let installation = try Self.installation()
        let body: JSONObject = ["idToken": try await installation.signIn()["idToken"] ?? "", "validDuration": 300]
        #expect(try await Self.make(body, at: installation, authorization: nil).status == 401)
        #expect(try await installation.respond(.get, Self.path).head.status == .methodNotAllowed)
        let onPublic = try await installation.installation.respond(
            .post, Self.path, fields: [.authorization: "Bearer " + Installation.token], body: body.serialized())
        #expect(onPublic.head.status == .notFound)
        let without = try Installation()
        let refused = try await Self.make(
            ["idToken": try await without.signIn()["idToken"] ?? "", "validDuration": 300], at: without)
        #expect(refused.status == 400 && refused.members.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
        #expect(try await without.installation.respond(.get, Self.documents + "/jwks").head.status == .notFound)
        let toolkit = try #require(installation.installation.broker.part(IdentityToolkit.self))
        #expect(toolkit.loopbackAccessPath(of: Self.path) == Self.path)
    }

    // MARK: Neither is taken for the other

    private static let operations: [(path: String, members: JSONObject)] = [
        (ToolkitInstallation.toolkit + "accounts:lookup", [:]),
        (ToolkitInstallation.toolkit + "accounts:update", ["displayName": "Eve"]),
        (ToolkitInstallation.toolkit + "accounts:delete", [:]),
        (
            ToolkitInstallation.toolkit + "accounts:signInWithIdp",
            ["requestUri": "http://localhost", "postBody": "id_token=a.b.c&providerId=oidc.acme&nonce=a"]
        ),
        (
            "/identitytoolkit.googleapis.com/v2/accounts:revokeToken",
            ["providerId": "apple.com", "tokenType": "CODE", "token": "c0de"]
        ),
    ]

    @Test func `no operation takes a cookie, of any signer and any issuer`() async throws {
        let installation = try Self.installation()
        let person = try await installation.signIn()
        let cookie = try await Self.cookie(of: person, at: installation)
        let token = try #require(person.string("idToken"))
        let tokens = installation.installation.service.tokens
        let cookies = try #require(installation.installation.cookies)
        let ofToken = try await Self.claims(of: token, by: "/__/auth/accounts", at: installation)
        let ofCookie = try await Self.claims(of: cookie, by: Self.documents, at: installation)
        let refused = [
            cookie, try tokens.keys.signing.signToken(JSONObjectText(ofCookie)),
            try cookies.keys.signing.signToken(JSONObjectText(ofToken)),
        ]
        let contents = installation.installation.store.contents
        for token in refused {
            for (path, members) in Self.operations {
                var body = members
                body["idToken"] = .string(token)
                let response = try await installation.installation.post(path, body)
                #expect(response.status == 400 && response.members.message == "INVALID_ID_TOKEN", "\(path)")
            }
            let made = try await Self.make(["idToken": .string(token), "validDuration": 300], at: installation)
            #expect(made.status == 400 && made.members.message == "INVALID_ID_TOKEN")
        }
        #expect(installation.installation.store.contents == contents)
        // With the same claims, the same key and the issuer of ID tokens, it is one.
        let genuine = try tokens.keys.signing.signToken(JSONObjectText(ofToken))
        let found = try await installation.installation.post(Self.operations[0].path, ["idToken": .string(genuine)])
        #expect(found.status == 200)
        // And no ID token verifies by the keys of cookies, nor a cookie by those of ID tokens.
        for (text, place) in [(token, Self.documents), (cookie, "/__/auth/accounts")] {
            await #expect(throws: JSONWebSignatureError.self) {
                try await Self.claims(of: text, by: place, at: installation)
            }
        }
    }

    // MARK: Revocation

    @Test func `an app sees by a lookup that a cookie was revoked`() async throws {
        let installation = try Self.installation()
        let person = try await installation.signIn()
        let cookie = try await Self.cookie(of: person, at: installation)
        let claims = try await Self.claims(of: cookie, by: Self.documents, at: installation)
        func isRevoked() async throws -> Bool {
            let user = try await installation.call("lookup", ["localId": .array([claims["sub"] ?? ""])]).members.users
                .first
            guard let user, user["disabled"] != true, let since = user.string("validSince").flatMap({ Int64($0) }),
                let authTime = claims["auth_time"]?.secondsValue
            else { return true }
            return authTime < since
        }
        #expect(try await !isRevoked())
        installation.installation.clock.advance(by: 1)
        let time = JSONValue.number(JSONNumber(installation.installation.clock.now()))
        let revoked = try await installation.call(
            "update", ["localId": person["localId"] ?? "", "validSince": time])
        #expect(revoked.status == 200)
        #expect(try await isRevoked())
    }
}
