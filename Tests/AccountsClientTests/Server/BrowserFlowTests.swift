// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Foundation
    import OIDCBrokerTesting
    import Testing
    import TestingSupport

    @testable import AccountsClient

    /// Sign-ins in a browser, whose part the test plays, against the real server.
    @Suite(.onSockets, .timeLimit(.minutes(10))) struct BrowserFlowTests {
        private static let acme = OAuthProvider(ServerFixture.acmeID)

        private func credential(
            _ provider: OAuthProvider = acme, _ browser: some SignInBrowser = TestBrowser(), for client: AccountClient
        ) async throws -> Credential {
            try await provider.credential(presenting: browser, for: client, boundTo: .random())
        }

        @Test func `a user signs in in the browser, re-authenticates there and deletes the account`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let first = try await credential(for: client)
                let signedIn = try await client.signIn(with: first)
                #expect(signedIn.additionalUserInfo.isNewUser)
                #expect(signedIn.user.providerData.map(\.uid) == [ServerFixture.graceAtAcme.subject])
                #expect(try fixture.verified(try await client.idToken()) == signedIn.user.uid)
                #expect(try await code { try await client.signIn(with: first) } == .invalidCredential)

                fixture.clock.advance(by: 400)
                #expect(try await code { try await client.delete() } == .requiresRecentLogin)
                let again = try await client.reauthenticate(with: try await credential(for: client))
                #expect(again.user.uid == signedIn.user.uid && !again.additionalUserInfo.isNewUser)
                try await client.delete()
                #expect(try await fixture.accountCount() == 0)
            }
        }

        @Test func `a user of Apple links in the browser, revokes and deletes`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let uid = try await client.signIn(with: try fixture.appleCredential()).user.uid
                let linked = try await client.link(with: try await credential(for: client))
                #expect(linked.user.uid == uid)
                #expect(linked.user.providerData.map(\.providerID) == ["apple.com", ServerFixture.acmeID])
                try await client.revokeToken(withAuthorizationCode: try fixture.appleSignIn().code)
                try await client.delete()
                #expect(try await fixture.accountCount() == 0)
            }
        }

        @Test func `Cancel, a closed browser and a refused start sign no user in`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let cancel = TestBrowser(button: [("action", "cancel")])
                #expect(try await code { _ = try await credential(Self.acme, cancel, for: client) } == .userCanceled)
                let closed = ClosedBrowser()
                #expect(try await code { _ = try await credential(Self.acme, closed, for: client) } == .userCanceled)
                #expect(
                    try await code { _ = try await credential(OAuthProvider("oidc.none"), for: client) }
                        == .operationNotAllowed)
                // The server knows the app by another ID, and shows a page that leads nowhere.
                let stranger = try fixture.client(appID: "1:124:ios:abc")
                #expect(try await code { _ = try await credential(for: stranger) } == .userCanceled)
                #expect(try await client.currentUser == nil)
                #expect(try await fixture.accountCount() == 0)
            }
        }

        @Test func `a ticket opens nothing without the session ID, and stays good`() async throws {
            try await ServerFixture.run { fixture in
                let client = try fixture.client()
                let own = try await credential(for: client)
                let ticket = try #require(own.ticket)
                let stolen = Credential(
                    providerID: own.providerID, ticket: ticket.url.exposed, sessionID: SessionID.random().raw)
                #expect(try await code { try await client.signIn(with: stolen) } == .invalidCredential)
                #expect(try await fixture.accountCount() == 0)
                try await client.signIn(with: own)
            }
        }
    }
#endif
