// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerPages
@testable import OIDCBrokerValkey

/// A store that asks real sentinels for its primary.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct SentinelStoreTests {
    /// Claims one key after the other until the store answers. Where much else runs, sentinels may answer later than the
    /// store waits for them, and then it refuses.
    private func claim(_ numbers: ClosedRange<UInt8>, in store: StoreCaller) async throws -> SingleUseClaim? {
        var left = numbers.makeIterator()
        var claim: SingleUseClaim?
        try await RedisProcess.eventually(atMost: numbers.count) {
            guard let number = left.next() else { return false }
            claim = try await store.claim(.test(number))
            return true
        }
        return claim
    }

    @Test func `the primary is found`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            try await group.withStore { store async throws in
                #expect(try await store.claim(.test(1)) == .won)
                #expect(try await store.claim(.test(1)) == .lost)
                #expect(try await group.primary.has(RedisGroup.claimName(1)))
            }
        }
    }

    @Test func `two of three sentinels may be away`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            group.sentinels[0].suspend()
            await group.sentinels[1].stop()
            try await group.withStore { store async throws in #expect(try await store.claim(.test(1)) == .won) }
            group.sentinels[0].resume()
        }
    }

    @Test func `after a failover it goes on at the new primary, and a claim made before is lost`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            try await group.withStore { store async throws in
                #expect(try await store.claim(.test(0)) == .won)
                try await RedisProcess.eventually { try await group.standby.has(RedisGroup.claimName(0)) }
                try await RedisProcess.eventually {
                    try await group.sentinels[0].ask(
                        RESPCommand("SENTINEL", "FAILOVER", .text(RedisGroup.primaryName))) == .simple("OK")
                }
                // Who is the primary since before the claim got it from the store and from no other server.
                var number: UInt8 = 0
                try await RedisProcess.eventually {
                    guard try await group.standby.replication("role") == "master" else { return false }
                    number = number == .max ? 1 : number + 1
                    guard try await store.claim(.test(number)) == .won else { return false }
                    return try await group.standby.has(RedisGroup.claimName(number))
                }
                #expect(try await store.claim(.test(0)) == .lost)
            }
        }
    }

    @Test func `without standbys it goes on while most sentinels name the primary, and then no more`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                group.standby.suspend()
                #expect(try await claim(1...50, in: store) == .wonUnconfirmed)
                for sentinel in group.sentinels.prefix(2) { sentinel.suspend() }
                // The word of the sentinels counts for half a second.
                var error: ValkeyStoreError?
                for number: UInt8 in 51...150 where error == nil {
                    do {
                        let claim = try await store.claim(.test(number))
                        #expect(claim == .wonUnconfirmed)
                    } catch let failure as ValkeyStoreError {
                        error = failure
                    }
                }
                #expect(error == .notPrimary)
                for sentinel in group.sentinels { sentinel.resume() }
                group.standby.resume()
            }
        }
    }

    @Test func `a primary whose standby died is known as the primary, once sentinels would have noticed more`()
        async throws
    {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                group.standby.suspend()
                #expect(try await claim(1...50, in: store) == .wonUnconfirmed)
                let silence = store.now
                var begin = store.now
                var isKnown = false
                while !isKnown, store.now < silence + .seconds(60) {
                    begin = store.now
                    isKnown = try await store.isStillPrimary(silentSince: silence)
                    // The sentinels have 500 ms, and ask twice a second.
                    if isKnown { #expect(store.now >= silence + .seconds(1)) }
                }
                #expect(isKnown)
                #expect(begin > silence)
                group.standby.resume()
            }
        }
    }

    @Test func `a primary that most sentinels do not reach is not`() async throws {
        try await RedisGroup.run(sentinels: 3) { group async throws in
            try await group.withStore(standbysToWaitFor: 1) { store async throws in
                // No other server can take its place, so that it is named all the time.
                group.standby.suspend()
                #expect(try await claim(1...50, in: store) == .wonUnconfirmed)
                let silence = store.now
                try await RedisProcess.eventually { try await store.isStillPrimary(silentSince: silence) }
                // It answers no PING any more, and the broker sends none.
                let refusal = RESPCommand("ACL", "SETUSER", "default", "-ping")
                #expect(try await group.primary.ask(refusal) == .simple("OK"))
                try await RedisProcess.eventually { try await !store.isStillPrimary(silentSince: silence) }
                #expect(try await claim(51...100, in: store) == .wonUnconfirmed)
                #expect(try await !store.isStillPrimary(silentSince: silence))
                group.standby.resume()
            }
        }
    }

    @Test func `no sentinel knows the name`() async throws {
        try await RedisGroup.run(sentinels: 1) { group async throws in
            let servers = ValkeyServers.sentinels([group.sentinels[0].address], primaryName: "other")
            let store = ValkeySingleUseStore(
                ValkeyConfiguration(servers: servers), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            await #expect(throws: ValkeyStoreError.unexpectedAnswer) { try await StoreCaller(store).read(.test(1)) }
            await store.shutdown()
        }
    }
}
