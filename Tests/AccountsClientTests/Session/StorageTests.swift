// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The session in its storage.
struct StorageTests {
    @Test func `a client that starts again has the session`() async throws {
        let first = try await StubbedClient.signedIn()
        let second = try StubbedClient(storage: first.storage, clock: first.clock)
        let known = try await first.client.currentUser
        let user = try #require(try await second.client.currentUser)
        #expect(user == known)
        #expect(user.creationDate == Date(timeIntervalSince1970: 1_799_999_999))
        #expect(user.lastSignInDate == Date(timeIntervalSince1970: 1_800_000_000.5))
        #expect(try await second.client.idToken() == "id-token-1")
        #expect(await second.exchange.received.isEmpty)
    }

    @Test func `a change is stored, and a sign-out`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.token, .refreshed())
        await stubbed.exchange.answer(
            .update, .json(200, #"{"localId":"u1","displayName":"Grace","providerUserInfo":[]}"#))
        _ = try await stubbed.client.idToken(forcingRefresh: true)
        try await stubbed.client.updateProfile(displayName: .set("Grace"))
        let again = try StubbedClient(storage: stubbed.storage, clock: stubbed.clock)
        let user = try await again.client.currentUser
        #expect(user?.displayName == "Grace" && user?.creationDate != nil)
        #expect(try await again.client.idToken() == "id-token-2")
        try await stubbed.client.signOut()
        #expect(try await stubbed.storage.load() == nil)
        #expect(try await stubbed.uid() == nil)
    }

    @Test(arguments: ["", "{}", "not JSON", #"{"version":2,"tokens":{},"user":{}}"#])
    func `what another wrote is no user, and stays until a user signs in`(stored: String) async throws {
        let stubbed = try StubbedClient(storage: FaultyStorage(Data(stored.utf8)))
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == Data(stored.utf8))
    }

    @Test func `a storage that cannot be read now does not mean signed out`() async throws {
        let first = try await StubbedClient.signedIn()
        let second = try StubbedClient(storage: first.storage, clock: first.clock)
        await second.storage.fail(.load)
        #expect(try await code { _ = try await second.client.currentUser } == .storageFailed)
        #expect(try await code { _ = try await second.client.idToken() } == .storageFailed)
        #expect(try await code { try await second.client.signIn(with: StubbedClient.credential) } == .storageFailed)
        #expect(try await code { try await second.client.signOut() } == .storageFailed)
        // The credential was not sent, so it still works.
        #expect(await second.exchange.received.isEmpty)
        await second.storage.fail()
        #expect(try await second.uid() == "u1")
    }

    @Test func `a session that cannot be stored is none, and the one before stays`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.storage.fail(.save)
        await stubbed.exchange.answer(.signIn, .signedIn(uid: "u2", idToken: "id-token-9"))
        await stubbed.exchange.answer(.lookup, .account(uid: "u2"))
        let client = stubbed.client
        #expect(try await code { try await client.signIn(with: StubbedClient.credential) } == .storageFailed)
        #expect(try await stubbed.uid() == "u1")
        #expect(try await client.idToken() == "id-token-1")
    }

    @Test func `a sign-out that cannot be stored is none`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.storage.fail(.clear)
        #expect(try await code { try await stubbed.client.signOut() } == .storageFailed)
        #expect(try await stubbed.uid() == "u1")
    }

    /// A client with a user, whose sign-in as another one waits for the storage.
    private static func signingIn() async throws -> (StubbedClient, Task<SignInResult, any Error>) {
        let stubbed = try await StubbedClient.signedIn()
        let (client, storage) = (stubbed.client, stubbed.storage)
        await stubbed.exchange.answer(.signIn, .signedIn(uid: "u2", idToken: "id-token-9"))
        await stubbed.exchange.answer(.lookup, .account(uid: "u2"))
        await storage.hold()
        let signIn = Task { try await client.signIn(with: StubbedClient.credential) }
        while await storage.waitingCount == 0 { await Task.yield() }
        return (stubbed, signIn)
    }

    /// The user whose session is stored.
    private static func storedUID(_ stubbed: StubbedClient) async throws -> String? {
        try await stubbed.storage.load().flatMap { StoredSession(data: $0) }?.user.uid
    }

    @Test func `a session that cannot be stored is not published`() async throws {
        let (stubbed, signIn) = try await Self.signingIn()
        var users = stubbed.client.users.makeAsyncIterator()
        let meanwhile = await users.next()
        #expect(meanwhile??.uid == "u1")
        await stubbed.storage.fail(.save)
        await stubbed.storage.release()
        #expect(try await code { _ = try await signIn.value } == .storageFailed)
        #expect(try await stubbed.uid() == "u1")
        try await stubbed.client.signOut()
        let atLast = await users.next()
        #expect(atLast == .some(nil))
    }

    @Test func `where a sign-in and a sign-out cannot be stored, the session before both is back`() async throws {
        let (stubbed, signIn) = try await Self.signingIn()
        let client = stubbed.client
        let signOut = Task { try await client.signOut() }
        while try await stubbed.uid() != nil { await Task.yield() }
        await stubbed.storage.fail(.save, .clear)
        await stubbed.storage.release()
        #expect(try await code { _ = try await signIn.value } == .storageFailed)
        #expect(try await code { try await signOut.value } == .storageFailed)
        #expect(try await stubbed.uid() == "u1")
        #expect(try await Self.storedUID(stubbed) == "u1")
    }

    @Test func `a change of a session that could not be stored is not stored after it`() async throws {
        let (stubbed, signIn) = try await Self.signingIn()
        let (client, storage) = (stubbed.client, stubbed.storage)
        await stubbed.exchange.answer(.lookup, .account(uid: "u2", name: "Grace"))
        let reload = Task { try await client.reload() }
        while try await client.currentUser?.displayName != "Grace" { await Task.yield() }
        await storage.fail(.save)
        await storage.step()
        #expect(try await code { _ = try await signIn.value } == .storageFailed)
        await storage.fail()
        await storage.release()
        _ = await reload.result
        _ = await client.lastWrite?.result
        #expect(try await stubbed.uid() == "u1")
        #expect(try await Self.storedUID(stubbed) == "u1")
    }

    @Test func `a refresh and a change that cannot be stored count all the same`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.storage.fail(.save)
        await stubbed.exchange.answer(.token, .refreshed())
        await stubbed.exchange.answer(.lookup, .account(name: "Grace"))
        #expect(try await stubbed.client.idToken(forcingRefresh: true) == "id-token-2")
        #expect(try await stubbed.client.reload().displayName == "Grace")
        #expect(try await stubbed.uid() == "u1")
    }

    @Test func `a dead session is over even if it cannot be removed`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.storage.fail(.clear)
        await stubbed.exchange.answer(.lookup, .error("USER_DISABLED"))
        #expect(try await code { try await stubbed.client.reload() } == .userDisabled)
        #expect(try await stubbed.uid() == nil)
    }

    @Test func `memory forgets what is cleared`() async {
        let storage = InMemorySessionStorage()
        #expect(await storage.load() == nil)
        await storage.save(Data([1]))
        #expect(await storage.load() == Data([1]))
        await storage.clear()
        #expect(await storage.load() == nil)
    }
}
