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

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// Users whom an operator brings, as `importUsers` and `createUser` of firebase-admin do.
struct AdminImportTests {
    private typealias Installation = AdminInstallation

    private static func user(_ id: String, _ more: JSONObject = JSONObject()) -> JSONValue {
        var user: JSONObject = ["localId": .string(id)]
        for member in more.members { user[member.name] = member.value }
        return .object(user)
    }

    private static func identity(_ provider: String, _ subject: String) -> JSONObject {
        ["providerUserInfo": [["providerId": .string(provider), "rawId": .string(subject)]]]
    }

    private func errors(_ members: JSONObject) -> [Int64: String] {
        var errors: [Int64: String] = [:]
        for error in members["error"]?.arrayValue ?? [] {
            guard let index = error.objectValue?["index"]?.integerValue else { continue }
            errors[index] = error.objectValue?.string("message")
        }
        return errors
    }

    // MARK: batchCreate

    @Test func `users are taken with their claims, times are numbers, and one signs in with the old uid`() async throws
    {
        let installation = try Installation()
        var ada = Self.identity("oidc.acme", "ada")
        ada["customAttributes"] = #"{"role":"admin"}"#
        ada["createdAt"] = 1_500_000_000_000
        ada["lastLoginAt"] = 1_600_000_000_000
        let body: JSONObject = [
            "users": .array([Self.user("old", ada), Self.user("other")]), "hashAlgorithm": "SCRYPT",
        ]
        let (status, members) = try await installation.call("batchCreate", body)
        #expect(status == 200 && members == JSONObject())
        let person = try await installation.signIn("ada")
        #expect(person.string("localId") == "old")
        let listed = try await installation.page().members.users
        #expect(listed.map { $0.string("localId") } == ["old", "other"])
        #expect(listed.first?.string("createdAt") == "1500000000000")
        #expect(listed.first?.string("customAttributes") == #"{"role":"admin"}"#)
        let contents = installation.installation.store.contents
        #expect(try await installation.call("batchCreate", body).members == JSONObject())
        #expect(installation.installation.store.contents == contents)
        // The token adds no identity to an account.
        let more = Self.user("other", Self.identity("oidc.acme", "eve"))
        #expect(try await installation.call("batchCreate", ["users": .array([more])]).status == 200)
        #expect(installation.installation.store.contents == contents)
    }

    @Test func `what is listed is what was imported`() async throws {
        let installation = try Installation()
        let users: [JSONObject] = [
            [
                "localId": "a", "emailVerified": false, "createdAt": "1500000000123", "validSince": "1500000000",
                "phoneNumber": "+491",
                "providerUserInfo": [
                    ["providerId": "phone", "rawId": "+491", "phoneNumber": "+491"],
                    [
                        "providerId": "oidc.acme", "rawId": "s", "federatedId": "s", "photoUrl": "a.png",
                        "screenName": "ada",
                    ],
                ],
            ],
            [
                "localId": "b", "emailVerified": false, "createdAt": "1500000000000", "validSince": "1500000000",
                "lastLoginAt": "1500000000000", "providerUserInfo": [],
            ],
        ]
        let body: JSONObject = ["users": .array(users.map { .object($0) })]
        #expect(try await installation.call("batchCreate", body).members == JSONObject())
        #expect(try await installation.page().members.users == users)
    }

    @Test func `a user who is not taken is named by the index, and the others are there`() async throws {
        let installation = try Installation()
        let here = try await installation.signIn("eve").string("localId") ?? ""
        let users: [JSONValue] = [
            Self.user("a"), Self.user(""), 1, Self.user("b", Self.identity("oidc.none", "x")),
            Self.user("c", Self.identity("oidc.acme", "eve")), Self.user("d", ["mfaInfo": [["mfaEnrollmentId": "x"]]]),
            Self.user("e"),
        ]
        let (status, members) = try await installation.call("batchCreate", ["users": .array(users)])
        let errors = errors(members)
        #expect(status == 200 && errors.keys.sorted() == [1, 2, 3, 4, 5])
        #expect(errors[3] == "the issuer of oidc.none is not known")
        #expect(errors[4] == "The account \(here) has the same identity.")
        let uids = installation.installation.store.contents.accounts.map(\.id.text)
        #expect(Set(uids) == ["a", "e", here])
    }

    @Test func `1,000 users are taken at a time, and nothing of more or of no users`() async throws {
        let installation = try Installation()
        func users(_ count: Int) -> JSONValue { .array((0..<count).map { Self.user("user-\($0)") }) }
        #expect(try await installation.call("batchCreate", ["users": users(1001)]).status == 400)
        for body in [JSONObject(), ["users": "a"], ["user": users(1)]] {
            #expect(try await installation.call("batchCreate", body).members.message?.hasPrefix("INVALID") == true)
        }
        #expect(installation.installation.store.contents.accounts.isEmpty)
        #expect(try await installation.call("batchCreate", ["users": users(1000)]).members == JSONObject())
        #expect(installation.installation.store.contents.accounts.count == 1000)
    }

    // MARK: The length of a body

    @Test func `only an import of an operator may have a long body`() throws {
        let installation = try Installation()
        let toolkit = try #require(installation.installation.broker.part(IdentityToolkit.self))
        func longest(
            _ end: String, _ method: HTTPRequest.Method = .post, token: String = Installation.token,
            origin: String? = nil
        ) -> Int? {
            var fields: HTTPFields = [.authorization: "Bearer " + token]
            fields[.origin] = origin
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "127.0.0.1:9099", path: Installation.accounts + end,
                headerFields: fields)
            return toolkit.longestBody(of: BrokerRequest(head: head), admin: installation.credentials)
        }
        #expect(longest("batchCreate") == 8 << 20)
        #expect(longest("batchCreate?key=a") == 8 << 20)
        #expect(longest("batchCreate", .get) == nil)
        #expect(longest("batchDelete") == nil)
        #expect(longest("batchCreate", token: "owner") == nil)
        #expect(longest("batchCreate", origin: "https://app.example.com") == nil)
    }

    // MARK: createUser

    private func create(
        _ installation: AdminInstallation, _ body: JSONObject
    ) async throws -> (status: Int, members: JSONObject) {
        let path = "/identitytoolkit.googleapis.com/v1/projects/\(Installation.projectID)/accounts"
        let response = try await installation.respond(.post, path, body: body.serialized())
        return (response.head.status.code, try installation.members(response))
    }

    @Test func `a user is made with a given uid and without a password`() async throws {
        let installation = try Installation()
        let (status, members) = try await create(
            installation,
            [
                "localId": "old", "email": "ada@example.com", "emailVerified": true, "displayName": "Ada",
                "photoUrl": "https://example.com/a.png", "disabled": true, "mfaInfo": [],
            ])
        #expect(status == 200 && members.string("localId") == "old")
        let account = try #require(installation.installation.store.contents.accounts.first)
        #expect(account.email?.text == "ada@example.com" && account.isEmailVerified && account.ownsEmail)
        #expect(account.displayName == "Ada" && account.photoURL != nil && account.isDisabled)
        let other = try await create(installation, JSONObject()).members.string("localId")
        #expect(other != nil && other != "old")
    }

    @Test(
        arguments: [
            (["localId": "old"], "DUPLICATE_LOCAL_ID"), (["email": "ada@example.com"], "EMAIL_EXISTS"),
            (["email": "ADA@example.com", "emailVerified": true], "EMAIL_EXISTS"),
            (["localId": "new", "password": "secret1"], "OPERATION_NOT_ALLOWED"),
            (["phoneNumber": "+15551234567"], "OPERATION_NOT_ALLOWED"), (["email": "ada"], "INVALID_ARGUMENT"),
            (["mfaInfo": [["phoneInfo": "+15551234567"]]], "OPERATION_NOT_ALLOWED"),
            (["localId": "a\u{0}"], "INVALID_ARGUMENT"), (["photoUrl": "a.png"], "INVALID_ARGUMENT"),
        ] as [(JSONObject, String)])
    func `a user who cannot be made changes nothing`(body: JSONObject, code: String) async throws {
        let installation = try Installation()
        let first: JSONObject = ["localId": "old", "email": "ada@example.com", "emailVerified": true]
        #expect(try await create(installation, first).status == 200)
        let contents = installation.installation.store.contents
        let refused = try await create(installation, body)
        #expect(refused.status == 400 && refused.members.message?.hasPrefix(code) == true, "\(refused.members)")
        #expect(installation.installation.store.contents == contents)
    }

    // MARK: Microsoft Entra

    @Test func `the object id is that of the ID token itself, of the issuer of its tenant`() throws {
        let (tenant, object) = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
        func key(issuer: String, _ claims: JSONObject, _ added: JSONObject = JSONObject()) -> IdentityKey? {
            var all = claims
            for member in added.members { all[member.name] = member.value }
            let token = "e30." + Base64URL.encode(claims.serialized()) + ".c2ln"
            let signIn = VerifiedSignIn(
                issuer: issuer, subject: "s", claims: Claims(all), idToken: Secret(token), accessToken: nil,
                refreshToken: nil, expiresIn: nil, rawNonce: "")
            return VerifiedIdentity(signIn, providerID: "microsoft.com", isApple: false, name: nil).importedKey
        }
        let (issuer, claims) = (IdentityKey.entraIssuer(of: tenant), ["tid": .string(tenant)] as JSONObject)
        var both = claims
        both["oid"] = .string(object)
        #expect(key(issuer: issuer, both) == IdentityKey(entraObject: object, of: tenant))
        #expect(key(issuer: "https://login.acme.example", both) == nil)
        #expect(key(issuer: IdentityKey.entraIssuer(of: object), both) == nil)
        #expect(key(issuer: issuer, claims) == nil)
        // What UserInfo adds is no claim of the ID token.
        #expect(key(issuer: issuer, claims, ["oid": .string(object)]) == nil)
    }

    @Test func `a credential that is presented later still has the object id`() throws {
        var identity = VerifiedIdentity(PendingCredentialFixture.key, providerID: "microsoft.com")
        identity.importedKey = IdentityKey(issuer: "i", subject: "o")
        let read = try #require(PendingCredential(encoded: PendingCredentialFixture.make(identity).encoded))
        #expect(read.identity.importedKey == identity.importedKey)
    }
}
