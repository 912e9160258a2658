// SPDX-License-Identifier: Apache-2.0

import Logging
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// A real server that comes and goes.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct LostServerTests {
    @Test func `operations fail while it is away, and work again afterwards`() async throws {
        try await RedisServer.withStore { server, store async throws in
            #expect(try await store.claim(.test(1)) == .won)
            await server.stop()
            var error: ValkeyStoreError?
            // The end of the connection may be noticed only by an operation.
            for _ in 0..<100 where error != .unreachable {
                do {
                    _ = try await store.claim(.test(2))
                    Issue.record("there is no server")
                } catch let failure as ValkeyStoreError {
                    #expect([.unreachable, .closed, .timeout].contains(failure))
                    error = failure
                }
            }
            #expect(error == .unreachable)
            await #expect(throws: ValkeyStoreError.unreachable) { try await store.read(.test(2)) }
            try await server.start()
            #expect(try await store.claim(.test(2)) == .won)
            #expect(try await store.claim(.test(2)) == .lost)
        }
    }

    @Test func `operations at the same time wait for one connection`() async throws {
        try await RedisServer.withStore { server, store async throws in
            let claims = try await withThrowingTaskGroup(of: SingleUseClaim.self) { tasks in
                for number: UInt8 in 0..<32 { tasks.addTask { try await store.claim(.test(number)) } }
                var claims: [SingleUseClaim] = []
                for try await claim in tasks { claims.append(claim) }
                return claims
            }
            #expect(claims.count { $0 == .won } == 32)
            guard case .bulk(let list) = try await server.ask(RESPCommand("CLIENT", "LIST")) else {
                Issue.record("no list")
                return
            }
            // One for the store, and one that asks this.
            let names = String(decoding: list, as: UTF8.self).split(separator: " ").count { $0 == "name=oidc-broker" }
            #expect(names == 2)
        }
    }

    @Test func `there is no listener`() async throws {
        let addresses: [ValkeyAddress] = [.socket(path: "/tmp/no-redis/s"), .host("127.0.0.1", port: 1)]
        for address in addresses {
            let store = ValkeySingleUseStore(ValkeyConfiguration(address: address), logger: .recording { _ in })
            await #expect(throws: ValkeyStoreError.unreachable) { try await StoreCaller(store).read(.test(1)) }
            await store.shutdown()
        }
    }

    @Test func `after the shutdown every operation fails`() async throws {
        try await RedisServer.run { server async throws in
            let store = server.store()
            let caller = StoreCaller(store)
            #expect(try await caller.claim(.test(1)) == .won)
            await store.shutdown()
            await #expect(throws: ValkeyStoreError.closed) { try await caller.claim(.test(2)) }
            await store.shutdown()
        }
    }
}
