// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// Values on a real server.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct ValueTests {
    @Test func `a value is taken once`() async throws {
        try await RedisServer.withStore { _, store async throws in
            let attempt = SingleUseAttempt()
            #expect(try await store.take(.test(1), attempt) == .absent)
            #expect(try await !store.isClaimed(.test(1)))
            #expect(try await store.put(.test(1), [1, 2, 3]) == .stored)
            #expect(try await store.read(.test(1)) == [1, 2, 3])
            #expect(try await store.take(.test(1), attempt) == .value([1, 2, 3]))
            #expect(try await store.take(.test(1)) == .taken)
            #expect(try await store.take(.test(1), attempt) == .taken)
            #expect(try await store.isClaimed(.test(1)))
            #expect(try await store.read(.test(1)) == nil)
        }
    }

    @Test func `who asks again gets the value again, as long as it is not removed`() async throws {
        try await RedisServer.withStore { server, store async throws in
            let attempt = SingleUseAttempt()
            let commands = ValkeyCommands(prefix: "oidc-broker")
            #expect(try await store.put(.test(1), [7]) == .stored)
            // As if the answer was lost.
            let lost = try await server.ask(commands.take(.test(1), attempt: attempt, claimLifetime: .seconds(60)))
            #expect(try ValkeyAnswers.take(lost) == .value([7]))
            #expect(try await store.take(.test(1)) == .taken)
            #expect(try await store.take(.test(1), attempt) == .value([7]))
            #expect(try await store.take(.test(1), attempt) == .taken)
        }
    }

    @Test func `the claim lives no shorter than the value would have`() async throws {
        try await RedisServer.withStore { server, store async throws in
            let name = "oidc-broker:c:" + String(repeating: "01", count: 32)
            #expect(try await store.put(.test(1), [7], lifetime: .seconds(1000)) == .stored)
            #expect(try await store.take(.test(1), claimLifetime: .milliseconds(1)).value == [7])
            guard case .integer(let rest) = try await server.ask(RESPCommand("PTTL", .text(name))) else {
                Issue.record("no lifetime")
                return
            }
            #expect((900_000...1_000_000).contains(rest))
        }
    }

    @Test func `values have up to 64 KB`() async throws {
        try await RedisServer.withStore { _, store async throws in
            let value = (0..<SingleUseKey.longestValue).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            #expect(try await store.put(.test(1), value) == .stored)
            #expect(try await store.read(.test(1)) == value)
            #expect(try await store.put(.test(2), value + [0]) == .full)
            #expect(try await store.read(.test(2)) == nil)
            #expect(try await store.take(.test(1)) == .value(value))
            #expect(try await store.put(.test(3), []) == .stored)
            #expect(try await store.take(.test(3)) == .value([]))
        }
    }

    @Test func `only the given value is removed`() async throws {
        try await RedisServer.withStore { _, store async throws in
            #expect(try await store.put(.test(1), [1]) == .stored)
            #expect(try await store.put(.test(1), [2]) == .stored)
            try await store.remove(.test(1), ifEqual: [1])
            #expect(try await store.read(.test(1)) == [2])
            try await store.remove(.test(1), ifEqual: [2])
            #expect(try await store.read(.test(1)) == nil)
            try await store.remove(.test(1), ifEqual: [2])
            #expect(try await store.take(.test(1)) == .absent)
        }
    }
}
