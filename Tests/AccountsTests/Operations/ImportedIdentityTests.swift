// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import OIDCBrokerTesting
import StoreTesting
import Testing

/// A user of Microsoft Entra who was imported with the object id, which the first sign-in replaces by the subject.
struct ImportedIdentityTests {
    private typealias Fixture = AccountFixture
    private static let tenant = "0f8fad5b-d9cb-469f-a165-70867728950e"
    private static let object = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
    private static let issuer = IdentityKey.entraIssuer(of: tenant)

    private func person(_ subject: String, object: String = object, tenant: String = tenant) -> VerifiedIdentity {
        var person = VerifiedIdentity(
            IdentityKey(issuer: Self.issuer, subject: subject), providerID: "microsoft.com")
        person.importedKey = IdentityKey(entraObject: object, of: tenant)
        return person
    }

    private func imported() throws -> Fixture {
        let fixture = Fixture()
        var account = Account(id: try #require(AccountID("old")), createdAt: 1, validSince: 0)
        account.imported = ImportedRecord(["identities": ["microsoft.com": ["rawId": .string(Self.object)]]])
        let key = try #require(IdentityKey(entraObject: Self.object, of: Self.tenant))
        let user = ImportedUser(account, identities: [VerifiedIdentity(key, providerID: "microsoft.com")])
        let outcome = try fixture.store.transact(.write) {
            try fixture.operations.take(user, ImportChoices(), in: $0)
        }
        #expect(outcome == .added)
        return fixture
    }

    @Test func `the object id is matched once, and the subject from then on`() throws {
        let fixture = try imported()
        #expect(try fixture.signIn(person("sub")).account.id.text == "old")
        #expect(fixture.store.contents.identities.map(\.key) == [IdentityKey(issuer: Self.issuer, subject: "sub")])
        // Another subject with the same object ID is another user from now on.
        #expect(try fixture.signIn(person("other"), session: 2).isNew)
        var same = person("sub")
        same.importedKey = nil
        #expect(try fixture.signIn(same, session: 3).account.id.text == "old")
    }

    @Test func `another object or tenant, or no object at all, is another user`() throws {
        for other in [
            person("sub", object: "7c9e6679-7425-40de-944b-e07fc1f90ae8"),
            person("sub", tenant: "1f8fad5b-d9cb-469f-a165-70867728950e"), person("sub", object: "no UUID"),
        ] {
            #expect(try imported().signIn(other).isNew)
        }
    }

    @Test func `an identity that waits for its user is another one's for all other users`() throws {
        let fixture = try imported()
        let here = try fixture.signIn(Fixture.person("ada", at: "p"))
        #expect(try fixture.code { try fixture.link(person("sub"), to: here) } == .belongsToAnother)
        let wrong = try fixture.code { try fixture.signIn(person("sub"), expected: here.account.id) }
        #expect(wrong == .belongsToAnother)
        let old = try #require(AccountID("old"))
        #expect(try fixture.signIn(person("sub"), session: 3, expected: old).account.id == old)
    }

    @Test func `what came with an identity goes with it, and not to another one`() throws {
        let fixture = try imported()
        let old = try fixture.signIn(person("sub"))
        let other = Fixture.person("ada", at: "p")
        let linked = try fixture.link(other, to: old)
        #expect(linked.account.imported?[.identities] != nil)
        #expect(try fixture.unlink("microsoft.com", asking: linked).imported?[.identities] == nil)
    }

    @Test func `a user from before the import gets the old uid by a move`() throws {
        let fixture = try imported()
        var before = person("sub")
        before.importedKey = nil
        let here = try fixture.signIn(before)
        #expect(here.isNew)
        let old = try #require(AccountID("old"))
        try fixture.store.transact(.write) { transaction in
            try fixture.operations.moveIdentity(at: "microsoft.com", from: here.account.id, to: old, in: transaction)
        }
        let found = try fixture.signIn(person("sub"), session: 2).account
        #expect(found.id == old)
        #expect(found.imported?[.identities]?.objectValue?["microsoft.com"] != nil)
        #expect(!fixture.store.contents.identities.contains { $0.key.subject.hasSameBytes(as: Self.object) })
    }

    @Test func `keys are made of UUIDs in lower case alone, and tenants are found in issuers`() {
        for text in ["", Self.object.uppercased(), Self.object + "0", "7c9e6679x7425-40de-944b-e07fc1f90ae7"] {
            #expect(IdentityKey(entraObject: text, of: Self.tenant) == nil)
            #expect(IdentityKey(entraObject: Self.object, of: text) == nil)
        }
        #expect(IdentityKey.entraTenant(ofIssuer: Self.issuer) == Self.tenant)
        for issuer in [Self.issuer + "/", "https://login.example.com/\(Self.tenant)/v2.0", "", "https://a"] {
            #expect(IdentityKey.entraTenant(ofIssuer: issuer) == nil)
        }
    }
}
