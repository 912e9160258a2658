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

    /// Signing in, against the real server.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct SignInFlowTests {
        @Test func `a user signs in with Apple, by name, and again without`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let credential = try fixture.appleCredential()
                let first = try await client.signIn(with: credential)
                #expect(first.user.displayName == "Ada Example" && first.user.email == "ada@example.com")
                #expect(first.user.isEmailVerified && first.user.photoURL == nil)
                #expect(first.user.providerData.map(\.providerID) == ["apple.com"])
                #expect(first.user.creationDate == Date(timeIntervalSince1970: TimeInterval(fixture.clock.now())))
                #expect(first.additionalUserInfo.isNewUser && first.additionalUserInfo.providerID == "apple.com")
                let subject = try #require(first.user.providerData.first?.uid)
                #expect(first.additionalUserInfo.profile["sub"] == .string(subject))
                #expect(first.additionalUserInfo.profile["email_verified"] == .bool(true))
                let presented = try #require(first.providerTokens.idToken)
                #expect(credential.postBody?.contains(presented) == true)
                let idToken = try await client.idToken()
                #expect(try fixture.verified(idToken) == first.user.uid)
                #expect(try await fixture.account(first.user.uid)?.account.displayName == "Ada Example")

                fixture.clock.advance(by: 60)
                let again = try await fixture.client().signIn(with: try fixture.appleCredential())
                #expect(again.user.uid == first.user.uid && !again.additionalUserInfo.isNewUser)
                #expect(again.user.displayName == "Ada Example" && again.user.creationDate == first.user.creationDate)
                #expect(again.user.lastSignInDate == first.user.lastSignInDate?.addingTimeInterval(60))
            }
        }

        @Test(arguments: [
            "Zoë & =%+", "O'Neil \"x\" {}", "שלום", "a&id_token=b", "%41%", "日本 語", "_ALL_!~*'()",
        ])
        func `a name arrives as it was written`(name: String) async throws {
            try await ServerFixture.run { fixture in
                let person = MockApple.Person(
                    email: "zoe@example.com", password: "x", givenName: name, familyName: "")
                let native = try fixture.apple.nativeCredential(
                    bundleID: ServerFixture.bundleID, rawNonce: "raw nonce+/=&%", person: person)
                let result = try await fixture.client().signIn(
                    with: .apple(
                        idToken: native.idToken, rawNonce: "raw nonce+/=&%",
                        fullName: PersonNameComponents(givenName: name)))
                #expect(result.user.displayName == name)
            }
        }

        @Test func `another provider, whose access token comes back`() async throws {
            try await ServerFixture.run { fixture in
                let result = try await fixture.client().signIn(with: try fixture.acmeCredential())
                #expect(result.user.providerData.map(\.uid) == [ServerFixture.graceAtAcme.subject])
                #expect(result.user.displayName == ServerFixture.graceAtAcme.name)
                #expect(result.providerTokens.accessToken != nil)
            }
        }

        @Test(arguments: [nil, "another nonce"])
        func `a nonce that is missing or another makes no account`(rawNonce: String?) async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let native = try fixture.acme.nativeCredential(
                    clientID: "shop-at-acme", rawNonce: "raw-nonce", person: ServerFixture.adaAtAcme)
                let credential = Credential.openID(
                    providerID: ServerFixture.acmeID, idToken: native.idToken, rawNonce: rawNonce)
                #expect(try await code { try await client.signIn(with: credential) } == .missingOrInvalidNonce)
                #expect(try await fixture.accountCount() == 0)
                // Nothing was used up.
                let valid = Credential.openID(
                    providerID: ServerFixture.acmeID, idToken: native.idToken, rawNonce: "raw-nonce")
                try await client.signIn(with: valid)
                #expect(try await code { try await client.signIn(with: valid) } == .invalidCredential)
                #expect(try await fixture.accountCount() == 1)
            }
        }

        @Test func `a provider and a key that the server does not have`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let unknown = Credential.openID(providerID: "oidc.none", idToken: "a.b.c", rawNonce: "n")
                #expect(try await code { try await client.signIn(with: unknown) } == .operationNotAllowed)
                let stranger = try AccountClient(
                    server: fixture.url, apiKey: "ios-none0000", storage: InMemorySessionStorage())
                let credential = try fixture.appleCredential()
                #expect(try await code { try await stranger.signIn(with: credential) } == .invalidAPIKey)
                // What was refused there is as good as before.
                try await client.signIn(with: credential)
            }
        }

        @Test func `an address of another account: the user signs in as before, and links`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                let other = try fixture.client()
                let credential = try fixture.acmeCredential(ServerFixture.adaAtAcme)
                let error = await #expect(throws: AccountsError.self) { try await other.signIn(with: credential) }
                #expect(error?.code == .accountExistsWithDifferentCredential)
                #expect(error?.verifiedProviderIDs == ["apple.com"] && error?.email == "ada@example.com")
                #expect(try await other.currentUser == nil)
                #expect(try await fixture.accountCount() == 1)

                let updated = try #require(error?.updatedCredential)
                try await other.signIn(with: try fixture.appleCredential())
                let linked = try await other.link(with: updated)
                #expect(linked.user.uid == uid)
                #expect(linked.user.providerData.map(\.providerID) == ["apple.com", ServerFixture.acmeID])
            }
        }

        @Test func `the session outlives the app, and its ID token refreshes itself`() async throws {
            try await ServerFixture.run { fixture in
                let storage = InMemorySessionStorage()
                let user = try await fixture.client(storage).signIn(with: try fixture.appleCredential()).user
                let client = try fixture.client(storage)
                #expect(try await client.currentUser == user)
                let first = try await client.idToken()
                fixture.clock.advance(by: 3299)
                #expect(try await client.idToken() == first)
                fixture.clock.advance(by: 1)
                let second = try await client.idToken()
                #expect(second != first)
                #expect(try fixture.verified(second) == user.uid)
                // A device that slept for a month.
                fixture.clock.advance(by: 30 * 86_400)
                #expect(try await client.reload().uid == user.uid)
            }
        }
    }
#endif
