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

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Changes and ends of accounts, against the real server.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct AccountFlowTests {
        @Test func `a grant is revoked by code, and the account deleted without another sign-in`() async throws {
            try await ServerFixture.run { fixture in
                let storage = InMemorySessionStorage()
                let client = try fixture.client(storage)
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                fixture.clock.advance(by: 400)
                let foreign = try fixture.appleSignIn(ServerFixture.grace).code
                #expect(
                    try await code { try await client.revokeToken(withAuthorizationCode: foreign) }
                        == .invalidCredential)
                #expect(try await code { try await client.delete() } == .requiresRecentLogin)
                #expect(try await client.currentUser?.uid == uid)

                try await client.revokeToken(withAuthorizationCode: try fixture.appleSignIn().code)
                #expect(fixture.apple.counts().revocations == 1)
                try await client.delete()
                #expect(try await client.currentUser == nil)
                #expect(await storage.load() == nil)
                #expect(try await fixture.accountCount() == 0)
            }
        }

        @Test func `a sign-in after the deletion is a first one`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                try await client.revokeToken(withAuthorizationCode: try fixture.appleSignIn().code)
                try await client.delete()
                let again = try await client.signIn(with: try fixture.appleCredential())
                #expect(again.user.uid != uid && again.additionalUserInfo.isNewUser)
                // Apple gives the name again, since the grant was revoked.
                #expect(again.user.displayName == "Ada Example")
            }
        }

        @Test func `a disabled account signs out, and allows no sign-in`() async throws {
            try await ServerFixture.run { fixture in
                let (first, second) = (try fixture.client(), try fixture.client())
                let uid = try await first.signIn(with: try fixture.appleCredential()).user.uid
                try await second.signIn(with: try fixture.appleCredential())
                try await fixture.disable(uid)
                #expect(try await code { try await first.reload() } == .userDisabled)
                #expect(try await first.currentUser == nil)
                fixture.clock.advance(by: 3600)
                #expect(try await code { _ = try await second.idToken() } == .userDisabled)
                #expect(try await second.currentUser == nil)
                let credential = try fixture.appleCredential()
                #expect(try await code { try await first.signIn(with: credential) } == .userDisabled)
            }
        }

        @Test func `a session ends with its account, on another device`() async throws {
            try await ServerFixture.run { fixture in
                let (first, second) = (try fixture.client(), try fixture.client())
                try await first.signIn(with: try fixture.appleCredential())
                try await second.signIn(with: try fixture.appleCredential())
                try await first.delete()
                #expect(try await code { try await second.reload() } == .sessionExpired)
                #expect(try await second.currentUser == nil)
            }
        }

        @Test func `a device whose clock was set back keeps its user`() async throws {
            try await ServerFixture.run { fixture in
                // The device's clock stands still while the server's goes on, as if it had been set back again and
                // again.
                let device = TestClock(now: fixture.clock.now())
                let client = AccountClient(
                    server: try AccountServer(
                        url: fixture.url, apiKey: ServerFixture.apiKey, bundleID: nil,
                        exchange: URLSessionExchange(configuration: .ephemeral)),
                    storage: InMemorySessionStorage(),
                    now: { Date(timeIntervalSince1970: TimeInterval(device.now())) })
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                fixture.clock.advance(by: 86_400)
                #expect(try await client.reload().uid == uid)
            }
        }

        @Test func `a name and a photo are changed, kept and removed`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                let photo = try #require(URL(string: "https://photos.example/ada.png"))
                let changed = try await client.updateProfile(displayName: .set("Ada L."), photoURL: .set(photo))
                #expect(changed.displayName == "Ada L." && changed.photoURL == photo)
                let cleared = try await client.updateProfile(displayName: .clear)
                #expect(cleared.displayName == nil && cleared.photoURL == photo)
                #expect(try await client.reload() == cleared)
                #expect(try await fixture.account(uid)?.account.photoURL == photo.absoluteString)
                let long = String(repeating: "a", count: 257)
                #expect(try await code { try await client.updateProfile(displayName: .set(long)) } == .invalidArgument)
                #expect(try await client.currentUser == cleared)
            }
        }
    }
#endif
