// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// Claims on a real server.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct ClaimTests {
    @Test func `the first attempt wins, and wins again`() async throws {
        try await RedisServer.withStore { _, store async throws in
            let attempt = SingleUseAttempt()
            #expect(try await !store.isClaimed(.test(1)))
            #expect(try await store.claim(.test(1), attempt) == .won)
            #expect(try await store.claim(.test(1)) == .lost)
            #expect(try await store.claim(.test(1), attempt) == .won)
            #expect(try await store.isClaimed(.test(1)))
            #expect(try await store.claim(.test(2)) == .won)
        }
    }

    @Test func `of 64 at once on several event loops one wins`() async throws {
        try await RedisServer.run { server async throws in
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 4)
            let store = server.store()
            let claims = try await withThrowingTaskGroup(of: SingleUseClaim.self) { tasks in
                for _ in 0..<64 {
                    let caller = StoreCaller(store, on: group.next())
                    tasks.addTask { try await caller.claim(.test(1)) }
                }
                var claims: [SingleUseClaim] = []
                for try await claim in tasks { claims.append(claim) }
                return claims
            }
            #expect(claims.count { $0 == .won } == 1)
            #expect(claims.count { $0 == .lost } == 63)
            // One connection for each event loop, and one that asks this.
            guard case .bulk(let list) = try await server.ask(RESPCommand("CLIENT", "LIST")) else {
                Issue.record("no list")
                return
            }
            let names = String(decoding: list, as: UTF8.self).split(separator: " ").count { $0 == "name=oidc-broker" }
            #expect(names == 5)
            await store.shutdown()
            try await group.shutdownGracefully()
        }
    }

    @Test func `a claim and a value end with their lifetimes`() async throws {
        try await RedisServer.withStore { _, store async throws in
            #expect(try await store.claim(.test(1), lifetime: .milliseconds(100)) == .won)
            #expect(try await store.put(.test(1), [1], lifetime: .milliseconds(100)) == .stored)
            #expect(try await store.claim(.test(2)) == .won)
            #expect(try await store.put(.test(2), [2]) == .stored)
            try await Task.sleep(for: .milliseconds(300))
            #expect(try await !store.isClaimed(.test(1)))
            #expect(try await store.claim(.test(1)) == .won)
            #expect(try await store.read(.test(1)) == nil)
            #expect(try await store.claim(.test(2)) == .lost)
            #expect(try await store.read(.test(2)) == [2])
        }
    }

    @Test func `lifetimes of any length are taken`() async throws {
        try await RedisServer.withStore { _, store async throws in
            #expect(try await store.claim(.test(1), lifetime: .seconds(Int64.max)) == .won)
            #expect(try await store.put(.test(2), [2], lifetime: .seconds(Int64.max)) == .stored)
            #expect(try await store.take(.test(2), claimLifetime: .seconds(Int64.max)).value == [2])
            #expect(try await store.claim(.test(3), lifetime: .nanoseconds(1)) == .won)
        }
    }
}
