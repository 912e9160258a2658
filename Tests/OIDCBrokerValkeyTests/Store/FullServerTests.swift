// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// A real server whose memory is full.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct FullServerTests {
    @Test func `nothing new is stored, and what is known stays known`() async throws {
        try await RedisServer.withStore { server, store async throws in
            let attempt = SingleUseAttempt()
            #expect(try await store.claim(.test(1), attempt) == .won)
            #expect(try await store.put(.test(2), [2]) == .stored)
            #expect(try await server.ask(RESPCommand("CONFIG", "SET", "maxmemory", "1")) == .simple("OK"))
            #expect(try await store.put(.test(3), [3]) == .full)
            #expect(try await store.claim(.test(4)) == .full)
            #expect(try await store.claim(.test(1)) == .lost)
            #expect(try await store.claim(.test(1), attempt) == .won)
            #expect(try await store.isClaimed(.test(1)))
            #expect(try await store.read(.test(2)) == [2])
            #expect(try await store.take(.test(5)) == .absent)
            await #expect(throws: ValkeyStoreError.full) { try await store.take(.test(2), attempt) }
            #expect(try await server.ask(RESPCommand("CONFIG", "SET", "maxmemory", "0")) == .simple("OK"))
            #expect(try await store.take(.test(2), attempt) == .value([2]))
            #expect(try await store.claim(.test(4)) == .won)
        }
    }
}
