// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import Foundation
    import OIDCBrokerServer
    import OIDCBrokerTesting
    import SignInWithAppleTesting
    import Testing
    import TestingSupport

    @testable import AccountsClient

    /// Linking, unlinking and re-authentication, against the real server.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct LinkFlowTests {
        @Test func `a second provider is linked, the first one unlinked, and the last one not`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                let linked = try await client.link(with: try fixture.acmeCredential())
                #expect(linked.user.uid == uid && !linked.additionalUserInfo.isNewUser)
                #expect(linked.user.providerData.map(\.providerID) == ["apple.com", ServerFixture.acmeID])
                #expect(try await client.currentUser == linked.user)
                let idToken = try await client.idToken()
                #expect(try fixture.verified(idToken) == uid)
                let again = try fixture.acmeCredential()
                #expect(try await code { try await client.link(with: again) } == .providerAlreadyLinked)
                // Either of the two signs in to the account.
                let other = try await fixture.client().signIn(with: try fixture.acmeCredential())
                #expect(other.user.uid == uid)

                let unlinked = try await client.unlink(providerID: "apple.com")
                #expect(unlinked.providerData.map(\.providerID) == [ServerFixture.acmeID])
                #expect(unlinked.creationDate == linked.user.creationDate)
                #expect(try await client.unlink(providerID: "apple.com") == unlinked)
                let error = await #expect(throws: AccountsError.self) {
                    try await client.unlink(providerID: ServerFixture.acmeID)
                }
                #expect(error?.code == .operationNotAllowed)
                #expect(error?.message?.hasSuffix("or delete the account instead.") == true)
                #expect(try await fixture.account(uid)?.identities.count == 1)
                #expect(try await client.currentUser == unlinked)
            }
        }

        @Test func `a credential in use comes back, and signs in to the account that has it`() async throws {
            try await ServerFixture.run { fixture in
                let owner = try await fixture.client().signIn(with: try fixture.acmeCredential()).user.uid
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                let before = try await client.idToken()
                let credential = try fixture.acmeCredential()
                let error = await #expect(throws: AccountsError.self) { try await client.link(with: credential) }
                #expect(error?.code == .credentialAlreadyInUse && error?.email == "grace@example.com")
                #expect(try await client.currentUser?.uid == uid)
                #expect(try await client.idToken() == before)

                let updated = try #require(error?.updatedCredential)
                #expect(updated.providerID == ServerFixture.acmeID)
                #expect(try await client.signIn(with: updated).user.uid == owner)
                #expect(try await client.currentUser?.uid == owner)
                // Once, and the token that it came from does not sign in either.
                #expect(try await code { try await client.signIn(with: updated) } == .invalidCredential)
                #expect(try await code { try await client.signIn(with: credential) } == .invalidCredential)
            }
        }

        @Test func `a credential in use that is an hour old is worth nothing`() async throws {
            try await ServerFixture.run { fixture in
                try await fixture.client().signIn(with: try fixture.acmeCredential())
                let client = try fixture.client()
                try await client.signIn(with: try fixture.appleCredential())
                let credential = try fixture.acmeCredential()
                let error = await #expect(throws: AccountsError.self) { try await client.link(with: credential) }
                let updated = try #require(error?.updatedCredential)
                fixture.clock.advance(by: 3600)
                #expect(try await code { try await client.signIn(with: updated) } == .invalidCredential)
            }
        }

        @Test func `a deletion long after the sign-in needs a re-authentication`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                fixture.clock.advance(by: 301)
                #expect(try await code { try await client.delete() } == .requiresRecentLogin)
                #expect(try await client.currentUser?.uid == uid)
                let result = try await client.reauthenticate(with: try fixture.appleCredential())
                #expect(result.user.uid == uid && !result.additionalUserInfo.isNewUser)
                try await client.delete()
                #expect(try await client.currentUser == nil)
                #expect(try await fixture.account(uid) == nil)
            }
        }

        @Test func `a re-authentication as another user, or as none, leaves the session as it was`() async throws {
            try await ServerFixture.run { fixture in
                let other = try await fixture.client().signIn(with: try fixture.acmeCredential()).user.uid
                let storage = InMemorySessionStorage()
                let client = try fixture.client(storage)
                let user = try await client.signIn(with: try fixture.appleCredential()).user
                let idToken = try await client.idToken()
                let stored = await storage.load()
                #expect(other != user.uid)
                for credential in [try fixture.acmeCredential(), try fixture.appleCredential(ServerFixture.grace)] {
                    #expect(try await code { try await client.reauthenticate(with: credential) } == .userMismatch)
                }
                #expect(try await client.currentUser == user)
                #expect(try await client.idToken() == idToken)
                #expect(await storage.load() == stored)
                #expect(try await fixture.accountCount() == 2)
                fixture.clock.advance(by: 301)
                // It has proved nothing about the user who is signed in.
                #expect(try await code { try await client.delete() } == .requiresRecentLogin)
            }
        }
    }
#endif
