// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing

@testable import AccountsClient

/// Calls that are made while others are under way.
struct SimultaneousCallTests {
    private static let other = Credential.openID(providerID: "oidc.acme", idToken: "a.b.c")

    /// A client with a user, and what a sign-in as another one is answered.
    private static func signedIn(
        next uid: String, idToken: String = "id-token-9"
    ) async throws -> (StubbedClient, AccountClient, StubExchange) {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(
            .signIn, .signedIn(uid: uid, idToken: idToken, refreshToken: "refresh-token-9", providerID: "oidc.acme"))
        await stubbed.exchange.answer(.lookup, .account(uid: uid))
        return (stubbed, stubbed.client, stubbed.exchange)
    }

    // MARK: Another user

    @Test func `what began as one user does not go on as another`() async throws {
        let (stubbed, client, exchange) = try await Self.signedIn(next: "u2")
        stubbed.clock.advance(by: 3600)
        await exchange.answer(.token, .refreshed())
        await exchange.hold(.token)
        let revocation = Task { try await client.revokeToken(withAuthorizationCode: "code") }
        while await exchange.requests(.token).isEmpty { await Task.yield() }
        try await client.signIn(with: Self.other)
        await exchange.release()
        #expect(try await code { try await revocation.value } == .userMismatch)
        #expect(await exchange.requests(.revokeToken).isEmpty)
        #expect(try await stubbed.uid() == "u2")
    }

    @Test func `a deletion that waits its turn deletes no other user`() async throws {
        let (stubbed, client, exchange) = try await Self.signedIn(next: "u2")
        await exchange.hold(.signIn)
        let signIn = Task { try await client.signIn(with: Self.other) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        let deletion = Task { try await client.delete() }
        while await client.turns.count == 0 { await Task.yield() }
        await exchange.release()
        _ = try await signIn.value
        #expect(try await code { try await deletion.value } == .userMismatch)
        #expect(await exchange.requests(.delete).isEmpty)
        #expect(try await stubbed.uid() == "u2")
    }

    @Test(arguments: [true, false])
    func `a refusal of the session before is believed of neither the new one nor another user`(
        isSame: Bool
    ) async throws {
        let uid = isSame ? "u1" : "u2"
        let (stubbed, client, exchange) = try await Self.signedIn(next: uid)
        await exchange.answer(.revokeToken, .error("TOKEN_EXPIRED"), .json(200, "{}"))
        await exchange.hold(.revokeToken)
        let revocation = Task { try await client.revokeToken(withAuthorizationCode: "code") }
        while await exchange.requests(.revokeToken).isEmpty { await Task.yield() }
        try await client.signIn(with: Self.other)
        await exchange.release()
        let expected: AccountsError.Code? = isSame ? nil : .userMismatch
        #expect(try await code { try await revocation.value } == expected)
        let asked = await exchange.requests(.revokeToken).map { $0.body["idToken"] }
        let tokens: [JSONValue?] = [.string("id-token-1"), .string("id-token-9")]
        #expect(asked == Array(tokens.prefix(isSame ? 2 : 1)))
        #expect(await exchange.requests(.token).isEmpty)
        #expect(try await stubbed.uid() == uid)
    }

    // MARK: The line

    @Test func `an unlinking beside a link asks with the session that the link made`() async throws {
        let (stubbed, client, exchange) = try await Self.signedIn(next: "u1")
        await exchange.answer(.update, .json(200, #"{"localId":"u1"}"#))
        await exchange.hold(.signIn)
        let link = Task { try await client.link(with: Self.other) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        let unlinking = Task { try await client.unlink(providerID: "apple.com") }
        while await client.turns.count == 0 { await Task.yield() }
        #expect(await exchange.requests(.update).isEmpty)
        await exchange.release()
        _ = try await link.value
        _ = try await unlinking.value
        #expect(await exchange.requests(.update).map { $0.body["idToken"] } == [.string("id-token-9")])
        #expect(try await stubbed.uid() == "u1")
    }

    @Test func `a canceled caller leaves the queue, and holds up no other`() async throws {
        let (_, client, exchange) = try await Self.signedIn(next: "u1")
        await exchange.answer(.update, .json(200, #"{"localId":"u1"}"#))
        await exchange.hold(.signIn)
        let link = Task { try await client.link(with: Self.other) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        let canceled = Task { try await client.unlink(providerID: "apple.com") }
        while await client.turns.count == 0 { await Task.yield() }
        let change = Task { try await client.updateProfile(displayName: .set("Grace")) }
        while await client.turns.count == 1 { await Task.yield() }
        canceled.cancel()
        await #expect(throws: CancellationError.self) { try await canceled.value }
        #expect(await exchange.requests(.update).isEmpty)
        await exchange.release()
        _ = try await link.value
        _ = try await change.value
        #expect(await exchange.requests(.update).map { $0.body["displayName"] } == [.string("Grace")])
        #expect(await client.turns.count == 0)
    }

    @Test func `a sign-in that waits during a sign-out does not send its credential`() async throws {
        let (stubbed, client, exchange) = try await Self.signedIn(next: "u1")
        await exchange.hold(.signIn)
        let link = Task { try await client.link(with: Self.other) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        let signIn = Task { try await client.signIn(with: StubbedClient.credential) }
        while await client.turns.count == 0 { await Task.yield() }
        // It waits for neither.
        try await client.signOut()
        await exchange.release()
        #expect(try await code { _ = try await link.value } == .notSignedIn)
        #expect(try await code { _ = try await signIn.value } == .notSignedIn)
        #expect(await exchange.requests(.signIn).count == 2)
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
        // The next one is another matter.
        await exchange.answer(.signIn, .signedIn(uid: "u3"))
        try await client.signIn(with: StubbedClient.credential)
        #expect(try await stubbed.uid() == "u3")
    }

    // MARK: Answers that are overtaken

    @Test func `a reload that is overtaken by a change does not undo it`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.lookup, .account(name: "Ada"))
        await exchange.answer(.update, .json(200, #"{"localId":"u1","displayName":"Grace"}"#))
        await exchange.hold(.lookup)
        let reload = Task { try await client.reload() }
        while await exchange.requests(.lookup).count < 2 { await Task.yield() }
        try await client.updateProfile(displayName: .set("Grace"))
        await exchange.release()
        let user = try await reload.value
        #expect(user.displayName == "Grace")
        #expect(try await client.currentUser == user)
    }
}
