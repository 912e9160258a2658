// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import Testing

@testable import AccountsClient

/// The ID token, which refreshes itself.
struct RefreshTests {
    @Test func `five minutes before it expires, and not before that`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        stubbed.clock.advance(by: 3299)
        #expect(try await stubbed.client.idToken() == "id-token-1")
        #expect(await stubbed.exchange.requests(.token).isEmpty)
        stubbed.clock.advance(by: 1)
        await stubbed.exchange.answer(.token, .refreshed())
        #expect(try await stubbed.client.idToken() == "id-token-2")
        stubbed.clock.advance(by: 3299)
        #expect(try await stubbed.client.idToken() == "id-token-2")
        let requests = await stubbed.exchange.requests(.token)
        #expect(
            requests.map(\.body) == [
                ["grantType": .string("refresh_token"), "refreshToken": .string("refresh-token-1")]
            ])
    }

    @Test func `when it is forced, and when the clock was set back`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        await stubbed.exchange.answer(.token, .refreshed(), .refreshed(idToken: "id-token-3"))
        #expect(try await stubbed.client.idToken(forcingRefresh: true) == "id-token-2")
        stubbed.clock.step(by: -1)
        #expect(try await stubbed.client.idToken() == "id-token-3")
        #expect(try await stubbed.client.idToken() == "id-token-3")
    }

    @Test func `before any other request that needs it`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        stubbed.clock.advance(by: 10_000)
        await stubbed.exchange.answer(.token, .refreshed())
        await stubbed.exchange.answer(.lookup, .account())
        try await stubbed.client.reload()
        let requests = await stubbed.exchange.requests(.lookup)
        #expect(requests.last?.body["idToken"] == .string("id-token-2"))
    }

    @Test func `one request for all who ask at a time`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        stubbed.clock.advance(by: 3600)
        await exchange.answer(.token, .refreshed(), .refreshed(idToken: "id-token-3"))
        await exchange.hold()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await client.idToken() } }
            while await exchange.requests(.token).isEmpty { await Task.yield() }
            // Those who are still to come find a refresh under way, or done.
            for _ in 0..<200 { await Task.yield() }
            await exchange.release()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: "id-token-2", count: 20))
        #expect(await exchange.requests(.token).count == 1)
    }

    @Test func `a forced refresh does not share one that began before it`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.token, .refreshed(), .refreshed(idToken: "id-token-3"))
        await exchange.hold(.token)
        let first = Task { try await client.idToken(forcingRefresh: true) }
        while await exchange.requests(.token).isEmpty { await Task.yield() }
        let second = Task { try await client.idToken(forcingRefresh: true) }
        // It finds the first under way, or over.
        for _ in 0..<200 { await Task.yield() }
        await exchange.release()
        // The second may be done before the first has looked.
        let token = try await first.value
        #expect(["id-token-2", "id-token-3"].contains(token))
        #expect(try await second.value == "id-token-3")
        #expect(await exchange.requests(.token).count == 2)
    }

    /// Refreshes a token that has expired, while the response is under way for some seconds.
    private static func refresh(_ stubbed: StubbedClient, under way: Int64) async throws -> String {
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        stubbed.clock.advance(by: 3600)
        await exchange.answer(.token, .refreshed(), .refreshed(idToken: "id-token-3"))
        await exchange.hold(.token)
        let token = Task { try await client.idToken() }
        while await exchange.requests(.token).isEmpty { await Task.yield() }
        stubbed.clock.advance(by: way)
        await exchange.release()
        return try await token.value
    }

    @Test func `its lifetime runs while the response is under way`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let token = try await Self.refresh(stubbed, under: 1000)
        #expect(token == "id-token-2")
        stubbed.clock.advance(by: 2299)
        #expect(try await stubbed.client.idToken() == "id-token-2")
        stubbed.clock.advance(by: 1)
        #expect(try await stubbed.client.idToken() == "id-token-3")
    }

    @Test func `a token that has expired before it arrives is refreshed once more`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let token = try await Self.refresh(stubbed, under: 3600)
        #expect(token == "id-token-3")
        #expect(await stubbed.exchange.requests(.token).count == 2)
    }

    enum Entering: Sendable, CaseIterable {
        case signIn, link, reauthentication
    }

    @Test(arguments: Entering.allCases)
    func `so does that of the first token of a session`(entering: Entering) async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.signIn, .signedIn(idToken: "id-token-5"))
        await exchange.answer(.token, .refreshed())
        await exchange.hold(.signIn)
        let credential = StubbedClient.credential
        let task = Task { () async throws -> SignInResult in
            switch entering {
            case .signIn: return try await client.signIn(with: credential)
            case .link: return try await client.link(with: credential)
            case .reauthentication: return try await client.reauthenticate(with: credential)
            }
        }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        stubbed.clock.advance(by: 1000)
        await exchange.release()
        _ = try await task.value
        stubbed.clock.advance(by: 2299)
        #expect(try await client.idToken() == "id-token-5")
        stubbed.clock.advance(by: 1)
        #expect(try await client.idToken() == "id-token-2")
    }

    @Test func `a refresh that fails is tried again by the next who asks`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        stubbed.clock.advance(by: 3600)
        await stubbed.exchange.answer(.token, .empty(503), .refreshed())
        #expect(try await code { _ = try await stubbed.client.idToken() } == .networkUnavailable)
        #expect(try await stubbed.client.idToken() == "id-token-2")
    }

    @Test func `who signs in during a refresh keeps the new session`() async throws {
        let stubbed = try await StubbedClient.signedIn()
        let (client, exchange) = (stubbed.client, stubbed.exchange)
        await exchange.answer(.token, .error("USER_DISABLED"))
        await exchange.hold()
        let refresh = Task { try await client.idToken(forcingRefresh: true) }
        while await exchange.requests(.token).isEmpty { await Task.yield() }
        let signIn = Task { try await client.signIn(with: StubbedClient.credential) }
        while await exchange.requests(.signIn).count < 2 { await Task.yield() }
        await exchange.answer(.signIn, .signedIn(uid: "u2", idToken: "id-token-9", refreshToken: "refresh-token-9"))
        await exchange.answer(.lookup, .account(uid: "u2"))
        await exchange.release()
        _ = try await signIn.value
        _ = await refresh.result
        // In either order: the refusal concerns the session that was refreshed.
        #expect(try await stubbed.uid() == "u2")
        #expect(try await client.idToken() == "id-token-9")
    }

    @Test func `no user is signed in`() async throws {
        let stubbed = try StubbedClient()
        let client = stubbed.client
        #expect(try await code { _ = try await client.idToken() } == .notSignedIn)
        #expect(try await code { try await client.reload() } == .notSignedIn)
        #expect(try await code { try await client.delete() } == .notSignedIn)
        #expect(try await code { try await client.link(with: StubbedClient.credential) } == .notSignedIn)
        #expect(try await code { try await client.reauthenticate(with: StubbedClient.credential) } == .notSignedIn)
        #expect(try await code { try await client.signOut() } == nil)
        #expect(await stubbed.exchange.received.isEmpty)
    }
}
