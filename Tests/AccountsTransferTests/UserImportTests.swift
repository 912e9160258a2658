// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTransfer
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

/// From a file to accounts, and back.
struct UserImportTests {
    private static let now: Int64 = 1_790_000_000
    private let store = ModelAccountStore()
    private let operations = AccountOperations(policy: AccountPolicy())

    private final class Lines {
        var all: [String] = []
    }

    @discardableResult
    private func run(
        _ users: [String], _ change: (inout ImportChoices) -> Void = { _ in }, issuers: [(String, String)] = [],
        lines: Lines = Lines()
    ) async throws -> ImportReport {
        var choices = ImportChoices()
        change(&choices)
        let decoder = UserDecoder(
            issuers: ProviderIssuers(issuers.map { (provider: $0.0, issuer: $0.1) }), now: Self.now)
        var reader = UserReaderTests.reader("{\"users\":[" + users.joined(separator: ",\n") + "]}")
        var users = UserImport(decoder)
        let (chosen, mode) = (choices, choices.isDryRun ? AccountTransactionMode.read : .write)
        try await users.run(&reader) { batch in
            try store.transact(mode) { transaction in
                try batch.map { try operations.take($0, chosen, in: transaction) }
            }
        } say: {
            lines.all.append($0)
        } progress: { _, _ in
        }
        return users.report
    }

    private func exported(_ form: UserEncoder.Form = .full) -> [JSONObject] {
        let contents = store.contents
        return contents.accounts.map { account in
            UserEncoder(form).user(account, contents.identities.filter { $0.account == account.id }).user
        }
    }

    private func account(_ id: String) throws -> Account? {
        try store.transact(.read) { transaction in try AccountID(id).flatMap { try transaction.account($0) } }
    }

    private static let whole = #"""
        {"localId":"ü 1\n","email":"Ada@Example.com","emailVerified":true,"displayName":"A\u0000","photoUrl":"ada.png",
        "phoneNumber":"+491","disabled":true,"customAttributes":"{\"name\":\"é\",\"role\":1}",
        "createdAt":"1500000000123","lastLoginAt":"1600000000456","validSince":"1500000000","future":{"x":[1.50]},
        "providerUserInfo":[
        {"providerId":"google.com","rawId":"g1","federatedId":"g1","email":"ada@example.com","displayName":"Ada"},
        {"providerId":"facebook.com","rawId":"f1"},{"providerId":"phone","rawId":"+491","phoneNumber":"+491"}]}
        """#

    @Test func `a user keeps everything, and is exported member by member`() async throws {
        let report = try await run([Self.whole])
        #expect(report.added == 1 && report.canSignIn == 1 && report.signInsByProvider == ["google.com": 1])
        #expect(report.withReservedClaims == 1)
        let found = try #require(try account("ü 1\n"))
        #expect(found.createdAt == 1_500_000_000 && found.lastSignInAt == 1_600_000_000)
        #expect(found.isDisabled && found.isEmailVerified && found.ownsEmail)
        #expect(found.displayName == nil && found.photoURL == nil)
        let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g1")
        #expect(try store.transact(.read) { try $0.identity(key) }?.account == found.id)
        let original = try JSONParser.object(
            Array(Self.whole.utf8), limits: JSONLimits(maximumBytes: 10_000, maximumDepth: 8))
        #expect(exported() == [original])
    }

    @Test func `a second import of the same file changes nothing, and a later one adds`() async throws {
        try await run([Self.whole])
        let before = store.contents
        let again = try await run([Self.whole]) { $0.updates = true }
        #expect(again.unchanged == 1 && again.added == 0)
        #expect(store.contents == before)
        #expect(try await run([Self.whole, #"{"localId":"b"}"#]).added == 1)
        #expect(store.contents.accounts.count == 2)
    }

    @Test func `an update changes what was not changed here`() async throws {
        try await run([#"{"localId":"a","displayName":"A","photoUrl":"https://a"}"#])
        let id = try #require(AccountID("a"))
        try store.transact(.write) { transaction in
            var change = AccountChange()
            change.displayName = .set("Here")
            _ = try operations.update(id, by: change, in: transaction, now: Self.now)
        }
        let later = #"{"localId":"a","displayName":"B","photoUrl":"https://b"}"#
        #expect(try await run([later]).unchanged == 1)
        #expect(try account("a")?.photoURL == "https://a")
        #expect(try await run([later]) { $0.updates = true }.updated == 1)
        #expect(try account("a")?.photoURL == "https://b")
        #expect(try account("a")?.displayName == "Here")
    }

    @Test func `a provider of OpenID Connect needs its issuer, and may be left as a fact`() async throws {
        let user = #"{"localId":"a","providerUserInfo":[{"providerId":"oidc.acme","rawId":"s"}]}"#
        let error = await #expect(throws: UserError.self) { try await run([#"{"localId":"first"}"#, user]) }
        #expect(error?.providerWithoutIssuer == "oidc.acme")
        // What stood before it is there, and is not in the way of the next try.
        #expect(store.contents.accounts.map(\.id.text) == ["first"])
        let report = try await run([#"{"localId":"first"}"#, user], issuers: [("oidc.acme", "https://acme.example")])
        #expect(report.unchanged == 1 && report.added == 1)
        #expect(store.contents.identities.map(\.key) == [IdentityKey(issuer: "https://acme.example", subject: "s")])
        let fact = #"{"localId":"b","providerUserInfo":[{"providerId":"oidc.old","rawId":"s"}]}"#
        #expect(try await run([fact], issuers: [("oidc.old", ProviderIssuers.none)]).onlyFacts == 1)
        #expect(store.contents.identities.count == 1)
    }

    @Test func `a wrong user is named and does not stop the others`() async throws {
        let lines = Lines()
        let users = [
            #"{"localId":""}"#, "1", #"{"localId":"a","localId":"b"}"#, #"{"localId":"c","createdAt":"soon"}"#,
            #"{"localId":"d"}"#,
        ]
        let report = try await run(users, lines: lines)
        #expect(report.wrong == 4 && report.added == 1 && report.users == 5)
        #expect(lines.all.count == 4)
        #expect(lines.all[0].hasPrefix("user 0 at byte 10, uid -: "))
        #expect(lines.all[3].hasPrefix("user 3 at byte ") && lines.all[3].contains("uid c: createdAt"))
    }

    @Test func `a second factor is left out unless it is chosen`() async throws {
        let user = #"{"localId":"a","mfaInfo":[{"mfaEnrollmentId":"x"}]}"#
        #expect(try await run([user]).withSecondFactor == 1)
        #expect(store.contents.accounts.isEmpty)
        #expect(try await run([user]) { $0.takesSecondFactors = true }.added == 1)
        #expect(exported().first?["mfaInfo"] != nil)
    }

    @Test func `a dry run writes nothing`() async throws {
        #expect(try await run([Self.whole]) { $0.isDryRun = true }.added == 1)
        #expect(store.contents.accounts.isEmpty)
    }

    @Test func `numbers are times too, and who never signed in is exported so`() async throws {
        try await run([#"{"localId":"a","createdAt":1500000000000,"lastLoginAt":1600000000000}"#])
        try await run([#"{"localId":"b","createdAt":"1500000000000"}"#])
        #expect(exported()[0]["lastLoginAt"]?.text?.hasSameBytes(as: "1600000000000") == true)
        #expect(exported()[1]["lastLoginAt"] == nil)
        #expect(try account("b")?.lastSignInAt == 1_500_000_000)
    }

    @Test func `what firebase auth-import does not take is left out and named`() async throws {
        let user = #"""
            {"localId":"a","validSince":"5","lastLoginAt":"7000","createdAt":"5000","providerUserInfo":[
            {"providerId":"google.com","rawId":"g","federatedId":"g"},{"providerId":"oidc.acme","rawId":"s"}]}
            """#
        try await run([user], issuers: [("oidc.acme", "https://acme.example")])
        let contents = store.contents
        let password: JSONObject = ["passwordHash": "a-_b", "salt": "YQ", "version": 0]
        let (reduced, loss) = UserEncoder(.firebaseTools).user(
            contents.accounts[0], contents.identities, password: password)
        #expect(loss.providers == ["oidc.acme"])
        #expect(Set(loss.members) == ["validSince", "version"])
        #expect(
            reduced == [
                "localId": "a", "createdAt": "5000", "lastSignedInAt": "7000", "passwordHash": "a+/b", "salt": "YQ==",
                "providerUserInfo": [["providerId": "google.com", "rawId": "g"]],
            ])
    }
}
