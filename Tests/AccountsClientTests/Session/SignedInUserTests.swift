// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// Who is signed in, and who is told.
struct SignedInUserTests {
    @Test func `a follower learns who is signed in, and each change`() async throws {
        let stubbed = try StubbedClient()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        var users = client.users.makeAsyncIterator()
        let atFirst = await users.next()
        #expect(atFirst == .some(nil))
        await exchange.answer(.signIn, .signedIn())
        await exchange.answer(.lookup, .account(), .account(name: "Grace"))
        try await client.signIn(with: StubbedClient.credential)
        let signedIn = await users.next()
        #expect(signedIn??.displayName == "Ada")
        try await client.reload()
        let changed = await users.next()
        #expect(changed??.displayName == "Grace")
        var late = client.users.makeAsyncIterator()
        let lateAtFirst = await late.next()
        #expect(lateAtFirst??.displayName == "Grace")
        try await client.signOut()
        let atLast = await users.next()
        let lateAtLast = await late.next()
        #expect(atLast == .some(nil) && lateAtLast == .some(nil))
    }

    @Test func `a follower of a dead session learns that`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let client = stubbed.client
        var users = client.users.makeAsyncIterator()
        let atFirst = await users.next()
        #expect(atFirst??.uid == "u1")
        await stubbed.exchange.answer(.lookup, .error("USER_DISABLED"))
        #expect(try await code { try await client.reload() } == .userDisabled)
        let atLast = await users.next()
        #expect(atLast == .some(nil))
    }

    @Test func `the sequence ends with the client`() async throws {
        var stubbed: StubbedClient? = try StubbedClient()
        var users = try #require(stubbed?.client.users).makeAsyncIterator()
        let atFirst = await users.next()
        #expect(atFirst == .some(nil))
        stubbed = nil
        let atLast = await users.next()
        #expect(atLast == nil)
    }

    @Test func `the same again is no change`() async throws {
        var subscribers = UserSubscribers()
        let (first, firstContinuation) = AsyncStream.makeStream(of: User?.self)
        let (second, secondContinuation) = AsyncStream.makeStream(of: User?.self)
        subscribers.add(firstContinuation, UUID())
        let removed = UUID()
        subscribers.add(secondContinuation, removed)
        let user = try SignInResponseTests.enteredWithLeast().user
        for published in [nil, nil, user, user, nil] { subscribers.publish(published) }
        subscribers.remove(removed)
        subscribers.publish(user)
        subscribers.finish()
        secondContinuation.finish()
        let all = await Self.all(of: first)
        let untilRemoved = await Self.all(of: second)
        #expect(all == [nil, user, nil, user])
        #expect(untilRemoved == [nil, user, nil])
    }

    private static func all(of users: AsyncStream<User?>) async -> [User?] {
        var all: [User?] = []
        for await user in users { all.append(user) }
        return all
    }

    @Test func `a sign-in whose account cannot be asked for is one`() async throws {
        let stubbed = try StubbedClient()
        await stubbed.exchange.answer(.signIn, .signedIn())
        await stubbed.exchange.answer(.lookup, .empty(503), .account())
        let result = try await stubbed.client.signIn(with: StubbedClient.credential)
        #expect(result.user.uid == "u1" && result.user.displayName == "Ada" && result.user.creationDate == nil)
        #expect(result.user.providerData.map(\.uid) == ["subject"])
        #expect(result.additionalUserInfo.isNewUser)
        #expect(result.additionalUserInfo.profile["real_user_status"] == .integer(2))
        #expect(try await stubbed.client.reload().creationDate != nil)
    }

    @Test func `a link whose account cannot be asked for keeps what was known`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.signIn, .signedIn(idToken: "id-token-2", providerID: "oidc.acme"))
        await stubbed.exchange.answer(.lookup, .noConnection)
        let result = try await stubbed.client.link(
            with: .openID(providerID: "oidc.acme", idToken: "a.b.c"))
        #expect(result.user.providerData.map(\.providerID) == ["apple.com", "oidc.acme"])
        #expect(result.user.creationDate != nil)
        #expect(try await stubbed.client.idToken() == "id-token-2")
    }

    @Test func `a sign-in whose account is gone by then is none`() async throws {
        let stubbed = try StubbedClient()
        await stubbed.exchange.answer(.signIn, .signedIn())
        await stubbed.exchange.answer(.lookup, .error("USER_DISABLED"))
        let client = stubbed.client
        #expect(try await code { try await client.signIn(with: StubbedClient.credential) } == .userDisabled)
        #expect(try await stubbed.uid() == nil)
    }

    @Test func `a link that ends after a sign-out brings no user back`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.signIn, .signedIn(idToken: "id-token-2", providerID: "oidc.acme"))
        await exchange.hold()
        let link = Task { try await client.link(with: .openID(providerID: "oidc.acme", idToken: "a.b.c")) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        try await client.signOut()
        await exchange.release()
        #expect(try await code { _ = try await link.value } == .notSignedIn)
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
    }

    @Test(arguments: [true, false])
    func `a sign-in or link whose account is being read when the app signs out brings no user back`(
        links: Bool
    ) async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.signIn, .signedIn(idToken: "id-token-2", providerID: "oidc.acme"))
        await exchange.hold(.lookup)
        let known = await exchange.requests(.lookup).count
        let credential = Credential.openID(providerID: "oidc.acme", idToken: "a.b.c")
        let task = Task { try await links ? client.link(with: credential) : client.signIn(with: credential) }
        while await exchange.requests(.lookup).count == known { await Task.yield() }
        try await client.signOut()
        await exchange.release()
        #expect(try await code { _ = try await task.value } == .notSignedIn)
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
    }

    @Test func `a change of the profile says what stays, goes and comes`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        let account = StubExchange.Answer.json(200, #"{"localId":"u1"}"#)
        await exchange.answer(.update, account, account, account)
        let photo = try #require(URL(string: "https://photos.example/ada"))
        try await client.updateProfile(displayName: .set("Grace"))
        try await client.updateProfile(displayName: .clear, photoURL: .set(photo))
        try await client.unlink(providerID: "oidc.acme")
        let bodies = await exchange.requests(.update).map(\.body)
        #expect(bodies.map { $0["displayName"] } == [.string("Grace"), .string(""), nil])
        #expect(bodies.map { $0["photoUrl"] } == [nil, .string("https://photos.example/ada"), nil])
        #expect(bodies.map { $0["deleteProvider"] } == [nil, nil, .array([.string("oidc.acme")])])
    }

    @Test func `a deletion names the account, and signs out`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.delete, .json(200, #"{"kind":"identitytoolkit#DeleteAccountResponse"}"#))
        try await stubbed.client.delete()
        let requests = await stubbed.exchange.requests(.delete)
        #expect(requests.map(\.body) == [["idToken": .string("id-token-1"), "localId": .string("u1")]])
        #expect(try await stubbed.uid() == nil)
        #expect(try await stubbed.storage.load() == nil)
    }
}
