// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
import OIDCBroker
import OIDCBrokerTesting
import OpenIDRelyingParty
import StoreTesting
import Testing

@testable import IdentityToolkit

/// What an operator sees and changes, as an admin SDK asks for it.
struct AdminOperationTests {
    private typealias Installation = AdminInstallation

    // MARK: Lookup

    @Test func `accounts are found by identifier, address and identity`() async throws {
        let installation = try Installation()
        let ada = try await installation.signIn("ada", email: "ada@example.com").string("localId") ?? ""
        let eve =
            try await installation.signIn("eve", at: "oidc.bold", email: "eve@example.com").string("localId") ?? ""
        func found(_ body: JSONObject) async throws -> [String?] {
            let (status, members) = try await installation.call("lookup", body)
            #expect(status == 200 && members.string("kind") == "identitytoolkit#GetAccountInfoResponse")
            return members.users.map { $0.string("localId") }
        }
        let identity: JSONValue = .object(["providerId": "oidc.bold", "rawId": "eve"])
        #expect(try await found(["localId": .array([.string(ada)])]) == [ada])
        #expect(try await found(["email": ["EVE@example.com"]]) == [eve])
        #expect(try await found(["federatedUserId": .array([identity])]) == [eve])
        #expect(
            try await found([
                "localId": .array([.string(ada), .string(ada)]), "email": ["ada@example.com"],
                "federated_user_id": .array([identity]), "phoneNumber": ["+15551234567"],
            ]) == [ada, eve])
    }

    @Test func `what no account has is not found, and then there are no users`() async throws {
        let installation = try Installation()
        _ = try await installation.signIn("ada", email: "ada@example.com")
        let bodies: [JSONObject] = [
            ["localId": ["nobody"]], ["localId": ["n\u{f6}"]], ["email": ["eve@example.com"]],
            ["email": ["no address"]],
            ["phoneNumber": ["+15551234567"]],
            ["federatedUserId": .array([.object(["providerId": "oidc.acme", "rawId": "eve"])])],
            ["federatedUserId": .array([.object(["providerId": "oidc.bold", "rawId": "ada"])])],
            ["federatedUserId": .array([.object(["providerId": "oidc.none", "rawId": "ada"])])],
            ["federatedUserId": .array([.object(["providerId": "oidc.acme", "rawId": "ad\u{0}a"])])],
        ]
        for body in bodies {
            let (status, members) = try await installation.call("lookup", body)
            #expect(status == 200 && members["users"] == nil, "\(body)")
        }
    }

    @Test func `a user has everything that an admin SDK reads`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn("ada", email: "ada@example.com")
        let uid = try #require(person.string("localId"))
        let changed = try await installation.call(
            "update", ["localId": .string(uid), "disableUser": true, "customAttributes": #"{"role":"admin"}"#])
        #expect(changed.status == 200)
        let user = try #require(
            try await installation.call("lookup", ["localId": .array([.string(uid)])]).members.users.first)
        let now = installation.installation.clock.now()
        #expect(user["disabled"] == true && user["emailVerified"] == true)
        #expect(user.string("email") == "ada@example.com")
        #expect(user.string("customAttributes") == #"{"role":"admin"}"#)
        #expect(user.string("createdAt") == String(now * 1000) && user.string("lastLoginAt") == String(now * 1000))
        #expect(user.string("validSince") == "0")
        let identity = try #require(user["providerUserInfo"]?.arrayValue?.first?.objectValue)
        #expect(identity.string("providerId") == "oidc.acme" && identity.string("rawId") == "ada")
    }

    // MARK: Update

    @Test func `a name, a photo, claims and whether the account is disabled`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn(email: "ada@example.com")
        let uid = try #require(person.string("localId"))
        func user() async throws -> JSONObject {
            try #require(
                try await installation.call("lookup", ["localId": .array([.string(uid)])]).members.users.first)
        }
        let (status, members) = try await installation.call(
            "update",
            [
                "localId": .string(uid), "displayName": "Ada", "photoUrl": "https://example.com/a.png",
                "disableUser": true, "customAttributes": #"{"admin":true}"#,
            ])
        #expect(status == 200 && members.string("localId") == uid && members.string("displayName") == "Ada")
        let refused = try await installation.installation.post(
            ToolkitInstallation.toolkit + "accounts:lookup", ["idToken": person["idToken"] ?? ""])
        #expect(refused.members.message == "USER_DISABLED")
        let changed = try await user()
        #expect(changed["disabled"] == true && changed.string("customAttributes") == #"{"admin":true}"#)
        let cleared = try await installation.call(
            "update",
            [
                "localId": .string(uid), "deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"], "disableUser": false,
                "customAttributes": "{}",
            ])
        #expect(cleared.status == 200)
        let after = try await user()
        for name in ["displayName", "photoUrl", "disabled", "customAttributes"] { #expect(after[name] == nil) }
        let tokens = try await installation.installation.post(
            ToolkitInstallation.toolkit + "accounts:lookup", ["idToken": person["idToken"] ?? ""])
        #expect(tokens.status == 200)
    }

    @Test func `claims are in the next ID token`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn()
        let changed = try await installation.call(
            "update", ["localId": person["localId"] ?? "", "customAttributes": #"{"role":"admin"}"#])
        #expect(changed.status == 200)
        let refreshed = try await installation.installation.post(
            "/securetoken.googleapis.com/v1/token",
            ["grant_type": "refresh_token", "refresh_token": person["refreshToken"] ?? ""])
        let token = try #require(refreshed.members.string("id_token"))
        let claims = try #require(
            token.split(separator: ".").dropFirst().first.flatMap { Base64URL.decode(String($0)) })
        #expect(try WireSupport.object(claims).string("role") == "admin")
    }

    @Test func `validSince ends the sessions that began until then, and never falls`() async throws {
        let installation = try Installation()
        let clock = installation.installation.clock
        let old = try await installation.signIn()
        let uid = try #require(old.string("localId"))
        clock.advance(by: 10)
        let since = clock.now()
        let changed = try await installation.call(
            "update", ["localId": .string(uid), "validSince": .number(JSONNumber(since))])
        #expect(changed.status == 200)
        func refresh(_ person: JSONObject) async throws -> Int {
            try await installation.installation.post(
                "/securetoken.googleapis.com/v1/token",
                ["grant_type": "refresh_token", "refresh_token": person["refreshToken"] ?? ""]
            ).status
        }
        #expect(try await refresh(old) == 400)
        clock.advance(by: 10)
        let new = try await installation.signIn()
        // As a text too, and earlier than before.
        let again = try await installation.call(
            "update", ["localId": .string(uid), "validSince": .string(String(since - 5))])
        #expect(again.status == 200)
        #expect(try await refresh(new) == 200)
        let user = try await installation.call("lookup", ["localId": .array([.string(uid)])]).members.users.first
        #expect(user?.string("validSince") == String(since))
    }

    @Test func `an identity is removed, but not the last one`() async throws {
        let installation = try Installation()
        let person = try await installation.signIn(email: "ada@example.com")
        _ = try await installation.signIn("a", at: "oidc.bold", linkingTo: person.string("idToken"))
        func remove(_ ids: [String]) async throws -> (status: Int, members: JSONObject) {
            try await installation.call(
                "update",
                ["localId": person["localId"] ?? "", "deleteProvider": .array(ids.map { .string($0) })])
        }
        let removed = try await remove(["oidc.acme", "phone"])
        let left = removed.members["providerUserInfo"]?.arrayValue?.compactMap { $0.objectValue?.string("providerId") }
        #expect(removed.status == 200 && left == ["oidc.bold"])
        let last = try await remove(["oidc.bold"])
        #expect(last.status == 400 && last.members.message?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }

    // MARK: Deletion

    @Test func `an account is deleted once`() async throws {
        let installation = try Installation()
        let uid = try await installation.signIn()["localId"] ?? ""
        let deleted = try await installation.call("delete", ["localId": uid])
        #expect(deleted.status == 200)
        #expect(deleted.members == ["kind": "identitytoolkit#DeleteAccountResponse"])
        let again = try await installation.call("delete", ["localId": uid])
        #expect(again.status == 400 && again.members.message == "USER_NOT_FOUND")
        #expect(installation.installation.store.contents.accounts.isEmpty)
    }

    @Test func `several are deleted if they are disabled, or by force`() async throws {
        let installation = try Installation()
        var ids: [JSONValue] = []
        for subject in ["a", "b", "c"] { ids.append(try await installation.signIn(subject)["localId"] ?? "") }
        _ = try await installation.call("update", ["localId": ids[1], "disableUser": true])
        let all: JSONValue = .array(["nobody", "n\u{f6}"] + ids)
        let first = try await installation.call("batchDelete", ["localIds": all])
        let errors = first.members["errors"]?.arrayValue?.compactMap { $0.objectValue } ?? []
        #expect(first.status == 200 && errors.map { $0["localId"] } == [ids[0], ids[2]])
        #expect(errors.map { $0["index"] } == [2, 4])
        #expect(errors.allSatisfy { $0.string("message")?.hasPrefix("NOT_DISABLED : ") == true })
        #expect(installation.installation.store.contents.accounts.count == 2)
        let forced = try await installation.call("batchDelete", ["localIds": all, "force": true])
        #expect(forced.status == 200 && forced.members == JSONObject())
        #expect(installation.installation.store.contents.accounts.isEmpty)
    }

    @Test func `more than one transaction takes are deleted too`() async throws {
        let installation = try Installation()
        try fill(installation, 2 * AccountLimits.deletionsInTransaction + 1)
        let ids = installation.installation.store.contents.accounts.map { JSONValue.string($0.id.text) }
        let deleted = try await installation.call("batchDelete", ["localIds": .array(ids), "force": true])
        #expect(deleted.status == 200 && deleted.members == JSONObject())
        #expect(installation.installation.store.contents.accounts.isEmpty)
    }

    // MARK: Pages

    @Test func `the list comes in pages`() async throws {
        let installation = try Installation()
        try fill(installation, 5)
        var found: [String?] = []
        var query = "?maxResults=2"
        for count in [2, 2, 1] {
            let (status, members) = try await installation.page(query)
            #expect(status == 200 && members.users.count == count)
            found += members.users.map { $0.string("localId") }
            #expect((members.string("nextPageToken") == nil) == (count == 1))
            query = "?maxResults=2&nextPageToken=" + (members.string("nextPageToken") ?? "")
        }
        #expect(found.compactMap { $0 } == installation.installation.store.contents.accounts.map(\.id.text))
    }

    @Test func `an operator sees what was imported, and any identifier ends a page`() async throws {
        let installation = try Installation()
        let texts = ["a b", "\u{E9}\n", "\u{1F600}"]
        try installation.installation.store.transact(.write) { transaction in
            for text in texts {
                var account = Account(id: try #require(AccountID(text)), createdAt: 1_500_000_000)
                account.imported = ImportedRecord(
                    json: """
                        {"facts":[{"providerId":"facebook.com","rawId":"f"}],
                        "user":{"createdAt":"1500000000123","lastLoginAt":"1600000000456","phoneNumber":"+491"}}
                        """)
                try transaction.insert(account)
            }
        }
        var found: [String?] = []
        var query = "?maxResults=1"
        for _ in texts {
            let (status, members) = try await installation.page(query)
            #expect(status == 200)
            let user = try #require(members.users.first)
            found.append(user.string("localId"))
            #expect(user.string("createdAt") == "1500000000123" && user.string("lastLoginAt") == "1500000000000")
            #expect(user.string("phoneNumber") == "+491")
            #expect(user["providerUserInfo"] == [["providerId": "facebook.com", "rawId": "f"]])
            query = "?maxResults=1&nextPageToken=" + (members.string("nextPageToken") ?? "")
        }
        #expect(found.compactMap { $0 } == texts)
    }

    @Test func `a page has at most 1,000 accounts, and as many where nothing is said`() async throws {
        let installation = try Installation()
        try fill(installation, AccountLimits.page + 1)
        for query in ["", "?maxResults=1000"] {
            let (status, members) = try await installation.page(query)
            #expect(status == 200 && members.users.count == AccountLimits.page)
            let token = try #require(members.string("nextPageToken"))
            let last = try await installation.page("?nextPageToken=" + token)
            #expect(last.members.users.count == 1 && last.members["nextPageToken"] == nil)
        }
    }

    @Test func `without accounts there are no users`() async throws {
        let (status, members) = try await Installation().page()
        #expect(status == 200 && members == ["kind": "identitytoolkit#DownloadAccountResponse"])
    }

    /// Puts accounts into the store.
    private func fill(_ installation: AdminInstallation, _ count: Int) throws {
        try installation.installation.store.transact(.write) { transaction in
            for number in 0..<count {
                let id = try #require(AccountID("u" + String(10_000 + number)))
                try transaction.insert(Account(id: id, createdAt: 1_790_000_000))
                let identity = VerifiedIdentity(
                    IdentityKey(issuer: "https://login.acme.example", subject: "s\(number)"), providerID: "oidc.acme")
                try transaction.insert(AccountIdentity(identity, of: id, at: 1_790_000_000))
            }
        }
    }
}
