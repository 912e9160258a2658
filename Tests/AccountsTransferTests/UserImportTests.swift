// SPDX-License-Identifier: Apache-2.0

import Accounts
import AccountsTransfer
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Synchronization
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
        asking: [String] = [], tenant: String? = nil, lines: Lines = Lines(), end: String = "]}"
    ) async throws -> ImportReport {
        var choices = ImportChoices()
        change(&choices)
        let decoder = UserDecoder(
            issuers: ProviderIssuers(
                issuers.map { (provider: $0.0, issuer: $0.1) }, tenant: tenant, asking: asking), now: Self.now)
        var reader = UserReaderTests.reader("{\"users\":[" + users.joined(separator: ",\n") + end)
        var users = UserImport(decoder)
        let (chosen, mode) = (choices, choices.isDryRun ? AccountTransactionMode.read : .write)
        try await users.run(&reader, pause: {}) { batch in
            try store.transact(mode) { transaction in
                try operations.take(batch, chosen, in: transaction)
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
        "providerUserInfo":[{"providerId":"password","rawId":"ada@example.com"},
        {"providerId":"google.com","rawId":"g1","federatedId":"g1","email":"ada@example.com","displayName":"Ada"},
        {"providerId":"facebook.com","rawId":"f1"},{"providerId":"apple.com","rawId":"a1"},
        {"providerId":"phone","rawId":"+491","phoneNumber":"+491"}]}
        """#

    @Test func `a user keeps everything, and is exported member by member`() async throws {
        let report = try await run([Self.whole])
        #expect(report.added == 1 && report.canSignIn == 1)
        #expect(report.signInsByProvider == ["google.com": 1, "apple.com": 1])
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

    @Test func `a provider that the configuration has needs its issuer, whatever its name`() async throws {
        let user = #"{"localId":"a","providerUserInfo":[{"providerId":"acme","rawId":"s"}]}"#
        let error = await #expect(throws: UserError.self) { try await run([user], asking: ["acme", "google.com"]) }
        #expect(error?.providerWithoutIssuer == "acme")
        #expect(try await run([user], issuers: [("acme", "https://acme.example")], asking: ["acme"]).canSignIn == 1)
        let google = #"{"localId":"b","providerUserInfo":[{"providerId":"google.com","rawId":"s"}]}"#
        #expect(try await run([google], asking: ["google.com"]).canSignIn == 1)
    }

    private static let tenant = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test func `a user of Entra has an object id of the tenant, also in an export after the first sign-in`()
        async throws
    {
        let object = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
        let user =
            #"{"localId":"a","createdAt":"1000","providerUserInfo":[{"providerId":"microsoft.com","rawId":"OBJECT"}]}"#
            .replacingText("OBJECT", object)
        let error = await #expect(throws: UserError.self) { try await run([user]) }
        #expect(error?.providerWithoutIssuer == ProviderIssuers.microsoft)
        #expect(try await run([user], issuers: [("microsoft.com", "none")]).onlyFacts == 1)
        let id = try #require(AccountID("a"))
        try store.transact(.write) { try $0.remove(id) }

        #expect(try await run([user], tenant: Self.tenant).canSignIn == 1)
        let imported = try #require(IdentityKey(entraObject: object, of: Self.tenant))
        #expect(store.contents.identities.map(\.key) == [imported])
        let original = try JSONParser.object(
            Array(user.utf8), limits: JSONLimits(maximumBytes: 10_000, maximumDepth: 8))
        #expect(exported() == [original])
        var person = VerifiedIdentity(
            IdentityKey(issuer: IdentityKey.entraIssuer(of: Self.tenant), subject: "s"), providerID: "microsoft.com")
        person.importedKey = imported
        let request = SignInRequest(person)
        _ = try store.transact(.write) { try operations.enter(request, in: $0, now: Self.now) }
        #expect(store.contents.identities.map(\.key.subject) == ["s"])
        #expect(exported().first?["providerUserInfo"] == original["providerUserInfo"])
        #expect(try await run([user], { $0.updates = true }, tenant: Self.tenant).unchanged == 1)
        // A personal account has no object in the tenant.
        let personal =
            #"{"localId":"b","providerUserInfo":[{"providerId":"microsoft.com","rawId":"a1b2c3d4e5f60718"}]}"#
        #expect(try await run([personal], tenant: Self.tenant).onlyFacts == 1)
    }

    @Test func `an update gives an account the email that its user has now`() async throws {
        func user(_ email: String, _ isVerified: Bool = true) -> String {
            #"{"localId":"a","email":"EMAIL","emailVerified":VERIFIED}"#
                .replacingText("EMAIL", email).replacingText("VERIFIED", isVerified ? "true" : "false")
        }
        try await run([user("old@a", false)])
        #expect(try await run([user("new@a")]).unchanged == 1)
        #expect(try account("a")?.email?.text == "old@a")
        #expect(
            try await run([user("new@a")]) {
                $0.isDryRun = true; $0.updates = true
            }.updated == 1)
        #expect(try account("a")?.email?.text == "old@a")
        #expect(try await run([user("new@a")]) { $0.updates = true }.updated == 1)
        let found = try #require(try account("a"))
        #expect(found.email?.text == "new@a" && found.isEmailVerified && found.ownsEmail)
        #expect(try await run([user("new@a")]) { $0.updates = true }.unchanged == 1)
        #expect(exported().first?["email"] == "new@a")
    }

    @Test func `an update brings the last sign-in, and validSince ends the sessions of before`() async throws {
        let user =
            #"{"localId":"a","createdAt":"1500000000123","lastLoginAt":"1600000000456","validSince":"1500000000","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}"#
        try await run([user])
        let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g")
        let request = SignInRequest(VerifiedIdentity(key, providerID: "google.com"), authTime: 1_650_000_000)
        let session = NewSession(RefreshToken(session: AccountSession.ID()))
        try store.transact(.write) {
            _ = try operations.signIn(request, session: session, in: $0, now: 1_650_000_000)
        }
        let later = user.replacingText("1600000000456", "1700000000789").replacingText("1500000000\"", "1660000000\"")
        #expect(try await run([later]).unchanged == 1)
        #expect(store.contents.sessions.count == 1)
        #expect(try await run([later]) { $0.updates = true }.updated == 1)
        #expect(store.contents.sessions.isEmpty)
        #expect(exported().first?["lastLoginAt"] == "1700000000789")
        #expect(exported().first?["validSince"] == "1660000000")
        #expect(try await run([later]) { $0.updates = true }.unchanged == 1)
        // An older file takes nothing back.
        try await run([user]) { $0.updates = true }
        let found = try #require(try account("a"))
        #expect(found.lastSignInAt == 1_700_000_000 && found.validSince == 1_660_000_000)
    }

    @Test func `an update names the account that has an identity of the user, and changes all else`() async throws {
        try await run([#"{"localId":"a"}"#])
        let (here, old) = (try #require(AccountID("here")), try #require(AccountID("a")))
        let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g")
        let request = SignInRequest(VerifiedIdentity(key, providerID: "google.com"), newAccount: here)
        _ = try store.transact(.write) { try operations.enter(request, in: $0, now: Self.now) }
        let user =
            #"{"localId":"a","displayName":"A","disabled":true,"providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}"#
        let lines = Lines()
        #expect(try await run([user], { $0.updates = true }, lines: lines).conflicts == 1)
        #expect(lines.all.first?.hasSuffix("account here has the same identity") == true)
        #expect(try account("a")?.isDisabled == true)
        #expect(try account("a")?.displayName == "A")
        #expect(try store.transact(.read) { try $0.identity(key) }?.account == here)
        try store.transact(.write) { try operations.moveIdentity(at: "google.com", from: here, to: old, in: $0) }
        #expect(try await run([user]) { $0.updates = true }.conflicts == 0)
    }

    @Test func `an update leaves an email that another account has proved, or that was proved here`() async throws {
        let other = #"{"localId":"b","email":"b@b","emailVerified":true}"#
        let user =
            #"{"localId":"a","email":"EMAIL","emailVerified":true,"providerUserInfo":[{"providerId":"google.com","rawId":"g"}]}"#
        try await run([other, user.replacingText("EMAIL", "a@a")])
        let before = store.contents
        #expect(try await run([user.replacingText("EMAIL", "b@b")]) { $0.updates = true }.conflicts == 1)
        #expect(store.contents == before)
        let key = IdentityKey(issuer: "https://accounts.google.com", subject: "g")
        let person = VerifiedIdentity(
            key, providerID: "google.com", email: EmailAddress("a@a"), isEmailProved: true)
        let request = SignInRequest(person)
        _ = try store.transact(.write) { try operations.enter(request, in: $0, now: Self.now) }
        try await run([user.replacingText("EMAIL", "c@c")]) { $0.updates = true }
        #expect(try account("a")?.email?.text == "a@a")
    }

    @Test func `before each batch there is a pause, while none is written`() async throws {
        let most = AccountLimits.importsInTransaction
        let file = (0...most).map { #"{"localId":"user-NUMBER"}"#.replacingText("NUMBER", "\($0)") }
        var reader = UserReaderTests.reader("{\"users\":[" + file.joined(separator: ",") + "]}")
        let steps = Mutex<[String]>([])
        var users = UserImport(
            UserDecoder(issuers: ProviderIssuers([], tenant: nil, asking: []), now: Self.now))
        try await users.run(
            &reader,
            pause: {
                await Task.yield()
                steps.withLock { $0.append("pause") }
            }
        ) { batch in
            steps.withLock { $0.append("\(batch.count) begun") }
            await Task.yield()
            steps.withLock { $0.append("written") }
            return batch.map { _ in .added }
        } say: { _ in
        } progress: { _, _ in
        }
        let expected = ["pause", "\(most) begun", "written", "pause", "1 begun", "written"]
        #expect(steps.withLock { $0 } == expected)
    }

    @Test func `a wrong user is named and does not stop the others`() async throws {
        let lines = Lines()
        let users = [
            #"{"localId":""}"#, "1", #"{"localId":"a","localId":"b"}"#, #"{"localId":"c","createdAt":"soon"}"#,
            #"{"localId":"e","disabled":"yes"}"#, #"{"localId":"d"}"#,
        ]
        let report = try await run(users, lines: lines)
        #expect(report.wrong == 5 && report.added == 1 && report.users == 6)
        #expect(lines.all.count == 5)
        #expect(lines.all[0].hasPrefix("user 0 at byte 10, uid -: "))
        #expect(lines.all[3].hasPrefix("user 3 at byte ") && lines.all[3].contains("uid c: createdAt"))
    }

    @Test func `users before the place where a file is broken are there`() async throws {
        for end in ["", ",{\"localId\":", "]", "]}]"] {
            await #expect(throws: TransferError.self) {
                try await run([#"{"localId":"a"}"#, #"{"localId":"b"}"#], end: end)
            }
            #expect(store.contents.accounts.map(\.id.text) == ["a", "b"])
        }
    }

    @Test func `users who are left out are not among those who can sign in`() async throws {
        func user(_ id: String, _ more: String = "") -> String {
            #"{"localId":"ID","providerUserInfo":[{"providerId":"google.com","rawId":"g"}]MORE}"#
                .replacingText("ID", id).replacingText("MORE", more)
        }
        let report = try await run([user("a"), user("b"), user("c", #","mfaInfo":[{}]"#), user("a")])
        #expect(report.conflicts == 1 && report.withSecondFactor == 1 && report.unchanged == 1)
        #expect(report.canSignIn == 2 && report.signInsByProvider == ["google.com": 2])
        #expect(report.members["signInsByProvider"] == ["google.com": 2] && report.members["conflicts"] == 1)
        #expect(!report.isWhole)
    }

    @Test func `who cannot sign in is counted by what there is, and listed with claims and an email`() async throws {
        let users = [
            #"{"localId":"a","email":"a@a","passwordHash":"x","customAttributes":"{\"role\":1}"}"#,
            #"{"localId":"b","email":"b@b","providerUserInfo":[{"providerId":"facebook.com","rawId":"f"}],"customAttributes":"{\"role\":1}"}"#,
            #"{"localId":"c","phoneNumber":"+491","customAttributes":"{\"role\":1}"}"#,
            #"{"localId":"d","email":"d@d","disabled":true,"customAttributes":"{\"role\":1}"}"#,
            #"{"localId":"e","email":"e@e"}"#,
        ]
        let report = try await run(users)
        #expect(report.onlyPassword == 1 && report.onlyFacts == 2 && report.withoutIdentity == 2)
        #expect(report.withEmailAndClaims == 2 && report.usersWithEmailAndClaims.map(\.text) == ["a", "b"])
        #expect(report.lines.contains("cannot sign in, with custom claims and an email: 2"))
    }

    @Test func `one user at two providers of an issuer, and texts in place of flags, stop nothing`() async throws {
        let user = #"""
            {"localId":"a","disabled":"true","email":"a@a","emailVerified":"true","createdAt":"","rawPassword":"secret",
            "providerUserInfo":[{"providerId":"google.com","rawId":"g"},{"providerId":"oidc.google","rawId":"g"}]}
            """#
        let report = try await run([user], issuers: [("oidc.google", "https://accounts.google.com")])
        #expect(report.added == 1 && report.signInsByProvider == ["google.com": 1])
        let found = try #require(try account("a"))
        #expect(found.isDisabled && found.isEmailVerified)
        #expect(exported().first?["providerUserInfo"]?.arrayValue?.count == 2)
        #expect(found.imported?.json.contains("secret") == false)
    }

    /// Whether the email alone, verified by a provider, signs in to an imported account. It is asked once.
    private func opens(_ email: String) throws -> Bool {
        let policy = AccountPolicy(
            providersThatLinkByEmail: [LinkingProvider(id: "p", issuer: "https://p")],
            importedUsersEnterByEmailUntil: .max)
        let person = VerifiedIdentity(
            IdentityKey(issuer: "https://p", subject: "s"), providerID: "p", email: EmailAddress(email),
            isEmailProved: true)
        return try store.transact(.write) {
            try !AccountOperations(policy: policy).enter(SignInRequest(person), in: $0, now: Self.now).isNew
        }
    }

    @Test func `an unverified address that two users have opens neither account, and is exported with both`()
        async throws
    {
        func entersOld(_ users: [String]) async throws -> Bool {
            for id in store.contents.accounts.map(\.id) { try store.transact(.write) { try $0.remove(id) } }
            try await run(users)
            #expect(exported().filter { $0["email"] == "a@a" }.count == users.count)
            try await run(users) { $0.updates = true }
            return try opens("a@a")
        }
        let (one, two) = (#"{"localId":"a","email":"a@a"}"#, #"{"localId":"b","email":"a@a"}"#)
        #expect(try await entersOld([one]))
        #expect(try await !entersOld([one, two]))
        #expect(try await entersOld([one, #"{"localId":"b","email":"a@a","emailVerified":true}"#]))
    }

    private static func second(email: String?) -> String {
        email.map { #"{"localId":"b","email":"EMAIL"}"#.replacingText("EMAIL", $0) } ?? #"{"localId":"b"}"#
    }

    @Test(arguments: [("a@a", "a@a", false), ("a@a", "b@b", true), (nil, "a@a", true)] as [(String?, String, Bool)])
    func `an email of an update opens the account, but not the one that was set aside for another account`(
        first: String?, later: String, isOpen: Bool
    ) async throws {
        try await run([#"{"localId":"a","email":"a@a"}"#, Self.second(email: first)])
        #expect(try account("b")?.email == nil)
        let other = try #require(AccountID("a"))
        try store.transact(.write) { try $0.remove(other) }
        #expect(try await run([Self.second(email: later)]) { $0.updates = true }.updated == 1)
        #expect(try account("b")?.email?.text == later)
        #expect(try opens(later) == isOpen)
    }

    @Test(arguments: [false, true])
    func `an email that an update brings and another account has opens neither, also after the other is deleted`(
        isDeleted: Bool
    ) async throws {
        try await run([#"{"localId":"a","email":"a@a"}"#, Self.second(email: nil)])
        let user = Self.second(email: "a@a")
        try await run([user]) { $0.updates = true }
        let other = try #require(try account("a"))
        #expect(try other.email?.text == "a@a" && account("b")?.email == nil)
        if isDeleted {
            try store.transact(.write) { try $0.remove(other.id) }
            try await run([user]) { $0.updates = true }
            #expect(try account("b")?.email?.text == "a@a")
        }
        #expect(try !opens("a@a"))
    }

    @Test func `hashes that Firebase has left out are no passwords`() throws {
        var reader = UserReaderTests.reader(
            #"{"users":[{"localId":"a","passwordHash":"UkVEQUNURUQ="},{"localId":"b","passwordHash":"YQ"}]}"#)
        var passwords = UserPasswords()
        try passwords.read(&reader)
        #expect(passwords.redactedCount == 1)
        let (first, second) = (try #require(AccountID("a")), try #require(AccountID("b")))
        #expect(passwords[first] == nil)
        #expect(passwords[second]?["passwordHash"] == "YQ")
    }

    @Test func `seconds in place of milliseconds are counted`() async throws {
        let times = ["0", "1500000000", "99999999999", "100000000000", "1500000000000"]
        let report = try await run(times.map { #"{"localId":"TIME","createdAt":"TIME"}"#.replacingText("TIME", $0) })
        #expect(report.added == 5 && report.withEarlyTimes == 2)
        #expect(report.lines.contains("created before 1973: 2"))
    }

    @Test func `a user that is nested too deeply for its record is wrong`() async throws {
        func user(_ depth: Int) -> String {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return #"{"localId":"a","x":VALUE}"#.replacingText("VALUE", value)
        }
        #expect(try await run([user(ImportedRecord.maximumDepth - 1)]).wrong == 1)
        #expect(try await run([user(ImportedRecord.maximumDepth - 2)]).added == 1)
        let record = try #require(try account("a")?.imported)
        #expect(ImportedRecord(json: record.json) == record)
    }

    @Test func `a second factor is left out unless it is chosen`() async throws {
        let user = #"{"localId":"a","mfaInfo":[{"mfaEnrollmentId":"x"}]}"#
        // Whatever its form.
        #expect(try await run([user, #"{"localId":"b","mfaInfo":{"mfaEnrollmentId":"x"}}"#]).withSecondFactor == 2)
        #expect(store.contents.accounts.isEmpty)
        let report = try await run([user]) { $0.takesSecondFactors = true }
        #expect(report.added == 1 && report.losingSecondFactor == 1 && report.hasLastPage)
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
        #expect(Set(loss.members) == ["validSince", "version", "providerUserInfo.federatedId"])
        #expect(
            reduced == [
                "localId": "a", "createdAt": "5000", "lastSignedInAt": "7000", "passwordHash": "a+/b", "salt": "YQ==",
                "providerUserInfo": [["providerId": "google.com", "rawId": "g"]],
            ])
    }
}
