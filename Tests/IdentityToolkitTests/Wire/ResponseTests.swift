// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import Testing

@testable import Accounts
@testable import IdentityToolkit
@testable import OIDCBrokerHTTP

/// The members of each response.
struct ResponseTests {
    private static let now: Int64 = 1_790_000_000

    private struct Person {
        var account: Account
        var identity: AccountIdentity

        init(email: String? = "ada@example.com", displayName: String? = "Ada", photoURL: String? = nil) throws {
            account = Account(id: try #require(AccountID("u1d")), createdAt: ResponseTests.now)
            account.email = email.flatMap { EmailAddress($0) }
            account.isEmailVerified = true
            account.displayName = displayName
            account.photoURL = photoURL
            identity = AccountIdentity(
                VerifiedIdentity(
                    IdentityKey(issuer: "https://i.example", subject: "s"), providerID: "oidc.acme",
                    email: account.email, isEmailProved: true, displayName: displayName, photoURL: photoURL),
                of: account.id, at: ResponseTests.now)
        }
    }

    private static func body(_ response: BrokerResponse) -> [UInt8] { Array(response.body.readableBytesView) }

    /// The members as a client reads them. None is null, at any depth.
    private func read(_ members: JSONObject) throws -> JSONObject {
        let bytes = Self.body(BrokerResponse(members))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("null"))
        return try WireSupport.object(bytes)
    }

    // MARK: Sign-in

    /// A credential of the user, who may have another name at the provider.
    private func credential(
        fullName: String? = nil, claims: JSONObject = [:], accessToken: String? = nil,
        accessTokenExpiry: Int64? = nil, email: EmailAddress? = nil
    ) -> PendingCredential {
        PendingCredential(
            VerifiedIdentity(
                IdentityKey(issuer: "https://i.example", subject: "s"), providerID: "oidc.acme", email: email,
                displayName: fullName), claims: claims, idToken: "h.p.s", accessToken: accessToken,
            accessTokenExpiry: accessTokenExpiry, verifiedAt: Self.now, authTime: Self.now)
    }

    private func signedIn(_ person: Person, isNew: Bool = false, _ token: RefreshToken) -> AccountService.SignedIn {
        let session = AccountSession(
            id: token.sessionID, secretHash: token.secretHash, account: person.account.id, providerID: "oidc.acme",
            app: nil, authTime: Self.now, createdAt: Self.now, expiry: Self.now)
        return AccountService.SignedIn(
            person: SignedInAccount(
                account: person.account, identity: person.identity, session: session, isNew: isNew),
            identities: [person.identity], idToken: "own.id.token", refreshToken: token)
    }

    @Test func `a sign-in has all members`() throws {
        let token = RefreshToken(session: AccountSession.ID())
        var presented = PresentedCredential(
            pending: credential(
                fullName: "Ada Lovelace", claims: ["sub": "s", "x": [1, "\"", [:]]], accessToken: "a"))
        (presented.firstName, presented.lastName) = ("Ada", "Lovelace")
        let expected: JSONObject = [
            "kind": "identitytoolkit#VerifyAssertionResponse", "providerId": "oidc.acme", "localId": "u1d",
            "idToken": "own.id.token", "refreshToken": .string(token.text), "expiresIn": "3600", "federatedId": "s",
            "email": "ada@example.com", "emailVerified": true, "displayName": "Ada", "fullName": "Ada Lovelace",
            "firstName": "Ada", "lastName": "Lovelace", "photoUrl": "https://a/b",
            "rawUserInfo": .string(#"{"sub":"s","x":[1,"\"",{}]}"#), "isNewUser": true, "oauthIdToken": "h.p.s",
            "oauthAccessToken": "a",
        ]
        let person = try Person(photoURL: "https://a/b")
        #expect(try read(presented.members(of: signedIn(person, isNew: true, token), at: Self.now)) == expected)
    }

    @Test func `a sign-in leaves out what there is not`() throws {
        let token = RefreshToken(session: AccountSession.ID())
        let person = try Person(email: nil, displayName: nil)
        let members = try read(
            PresentedCredential(pending: credential()).members(of: signedIn(person, token), at: Self.now))
        let expected: JSONObject = [
            "kind": "identitytoolkit#VerifyAssertionResponse", "providerId": "oidc.acme", "localId": "u1d",
            "idToken": "own.id.token", "refreshToken": .string(token.text), "expiresIn": "3600", "federatedId": "s",
            "rawUserInfo": "{}", "oauthIdToken": "h.p.s",
        ]
        #expect(members == expected)
        // Their mere presence is an error in JavaScript.
        for name in ["needConfirmation", "errorMessage", "mfaPendingCredential", "pendingToken", "isNewUser"] {
            #expect(members[name] == nil, "\(name)")
        }
    }

    @Test func `a name of the account stands in for one that the provider does not send`() throws {
        var person = try Person(displayName: nil)
        person.account.displayName = "Countess"
        person.account.photoURL = "https://c"
        let signedIn = signedIn(person, RefreshToken(session: AccountSession.ID()))
        let members = try read(PresentedCredential(pending: credential()).members(of: signedIn, at: Self.now))
        #expect(members["displayName"] == "Countess")
        #expect(members["photoUrl"] == "https://c")
        #expect(members["emailVerified"] == true)
    }

    @Test(arguments: [(0, "3600"), (3599, "1"), (3601, "0")] as [(Int64, String)])
    func `an access token is returned with the time that is left of it`(age: Int64, expected: String) throws {
        let signedIn = signedIn(try Person(), RefreshToken(session: AccountSession.ID()))
        let presented = PresentedCredential(
            pending: credential(accessToken: "a", accessTokenExpiry: Self.now + 3600))
        #expect(presented.members(of: signedIn, at: Self.now + age)["oauthExpireIn"] == .string(expected))
        // Without one there is no time either.
        let bare = PresentedCredential(pending: credential(accessTokenExpiry: Self.now + 3600))
        #expect(bare.members(of: signedIn, at: Self.now)["oauthExpireIn"] == nil)
    }

    @Test func `the names of any provider are told, and those that Apple sends beside the token win`() throws {
        let signedIn = signedIn(try Person(), RefreshToken(session: AccountSession.ID()))
        var presented = PresentedCredential(
            pending: credential(claims: ["given_name": "Ada", "family_name": "Lovelace"]))
        let members = presented.members(of: signedIn, at: Self.now)
        #expect(members["firstName"] == "Ada" && members["lastName"] == "Lovelace")
        presented.firstName = "Augusta"
        #expect(presented.members(of: signedIn, at: Self.now)["firstName"] == "Augusta")
    }

    @Test func `a conflict hands the credential back with its profile, and no token or uid of ours`() throws {
        var response = CredentialConflict(
            reason: .needConfirmation(verifiedProviders: ["apple.com", "google.com"]),
            credential: credential(
                fullName: "Ada Lovelace", claims: ["given_name": "Ada"], accessToken: "a",
                accessTokenExpiry: Self.now + 60, email: EmailAddress("ada@example.com")),
            pendingToken: "p3nding", now: Self.now)
        var expected: JSONObject = [
            "providerId": "oidc.acme", "email": "ada@example.com", "federatedId": "s", "displayName": "Ada Lovelace",
            "firstName": "Ada", "rawUserInfo": #"{"given_name":"Ada"}"#, "oauthIdToken": "h.p.s",
            "oauthAccessToken": "a", "oauthExpireIn": "60", "pendingToken": "p3nding", "needConfirmation": true,
            "verifiedProvider": ["apple.com", "google.com"],
        ]
        #expect(try read(response.members) == expected)

        expected["needConfirmation"] = nil
        expected["verifiedProvider"] = nil
        response.reason = .identityInUse
        expected["errorMessage"] = "FEDERATED_USER_ID_ALREADY_LINKED"
        #expect(try read(response.members) == expected)

        response.reason = .emailInUse
        response.credential = credential(accessToken: "a")
        for name in ["email", "displayName", "firstName", "oauthExpireIn"] { expected[name] = nil }
        expected["rawUserInfo"] = "{}"
        expected["errorMessage"] = "EMAIL_EXISTS"
        #expect(try read(response.members) == expected)
    }

    // MARK: Accounts

    @Test func `a lookup has one account, and times as texts`() throws {
        var person = try Person(photoURL: "https://a/b")
        person.account.lastSignInAt = Self.now + 1
        person.account.lastRefreshAt = Self.now + 2
        person.account.customClaims = CustomClaims(json: #"{"role":"admin"}"#)
        let response = LookupResponse(account: person.account, identities: [person.identity])
        let provider: JSONObject = [
            "providerId": "oidc.acme", "rawId": "s", "federatedId": "s", "email": "ada@example.com",
            "displayName": "Ada", "photoUrl": "https://a/b",
        ]
        let user: JSONObject = [
            "localId": "u1d", "email": "ada@example.com", "emailVerified": true, "displayName": "Ada",
            "photoUrl": "https://a/b", "providerUserInfo": .array([.object(provider)]), "validSince": "1790000000",
            "createdAt": "1790000000000", "lastLoginAt": "1790000001000", "lastRefreshAt": "2026-09-21T14:13:22Z",
            "customAttributes": .string(#"{"role":"admin"}"#),
        ]
        let expected: JSONObject = [
            "kind": "identitytoolkit#GetAccountInfoResponse", "users": .array([.object(user)]),
        ]
        #expect(try read(response.members) == expected)
    }

    @Test func `a lookup leaves out what there is not`() throws {
        let person = try Person(email: nil, displayName: nil)
        let members = try read(LookupResponse(account: person.account, identities: []).members)
        let user = try #require(members["users"]?.arrayValue?.first?.objectValue)
        let expected: JSONObject = [
            "localId": "u1d", "emailVerified": false, "providerUserInfo": [], "validSince": "1790000000",
            "createdAt": "1790000000000", "lastLoginAt": "1790000000000",
        ]
        #expect(user == expected)
    }

    @Test func `an update says what remains, and has no tokens`() throws {
        let person = try Person()
        let provider: JSONObject = [
            "providerId": "oidc.acme", "rawId": "s", "federatedId": "s", "email": "ada@example.com",
            "displayName": "Ada",
        ]
        var expected: JSONObject = [
            "kind": "identitytoolkit#SetAccountInfoResponse", "localId": "u1d", "email": "ada@example.com",
            "displayName": "Ada", "emailVerified": true, "providerUserInfo": .array([.object(provider)]),
        ]
        #expect(
            try read(UpdateResponse(account: person.account, identities: [person.identity]).members) == expected)
        expected["providerUserInfo"] = .array([])
        #expect(try read(UpdateResponse(account: person.account, identities: []).members) == expected)
    }

    @Test func `a refresh has the names of OAuth`() throws {
        let token = RefreshToken(session: AccountSession.ID())
        let response = RefreshedTokensResponse(
            account: try #require(AccountID("u1d")), idToken: "own.id.token", refreshToken: token,
            projectID: "demo-project")
        let expected: JSONObject = [
            "access_token": "own.id.token", "id_token": "own.id.token", "refresh_token": .string(token.text),
            "expires_in": "3600", "token_type": "Bearer", "user_id": "u1d", "project_id": "510835001129",
        ]
        #expect(try read(response.members) == expected)
    }

    @Test func `a project has a number of twelve digits`() throws {
        let response = ProjectResponse(projectID: "demo-project", authorizedDomains: ["localhost", "*.example.com"])
        let expected: JSONObject = [
            "projectId": "510835001129", "authorizedDomains": ["localhost", "*.example.com"],
        ]
        #expect(try read(response.members) == expected)
        #expect(ProjectResponse.number(of: "abcd") == "145975939981")
        for number in 0..<1000 {
            let digits = ProjectResponse.number(of: "project-\(number)")
            #expect(digits.utf8.count == 12)
            #expect(digits.utf8.first != UInt8(ascii: "0"))
        }
    }

    @Test func `responses that say little`() throws {
        #expect(String(decoding: Self.body(.deleted), as: UTF8.self).contains("DeleteAccountResponse"))
        #expect(BrokerResponse.deleted.head.status == .ok)
        #expect(Self.body(.revoked) == Array("{}".utf8))
        let expected: JSONObject = ["kind": "identitytoolkit#CreateAuthUriResponse", "sessionId": "s"]
        #expect(try WireSupport.object(Self.body(.authURI(sessionID: "s"))) == expected)
    }
}
