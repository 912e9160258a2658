// SPDX-License-Identifier: Apache-2.0

import Logging
import SingleUse
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// Real servers that are not used.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct RefusedServerTests {
    @Test func `one that evicts`() async throws {
        try await RedisServer.withStore(["--maxmemory-policy", "allkeys-lru"]) { _, store async throws in
            await #expect(throws: ValkeyStoreError.evicts) { try await store.claim(.test(1)) }
            await #expect(throws: ValkeyStoreError.evicts) { try await store.read(.test(1)) }
        }
    }

    @Test func `a replica, from the beginning and later`() async throws {
        try await RedisServer.withStore(["--replicaof", "127.0.0.1", "1"]) { _, store async throws in
            await #expect(throws: ValkeyStoreError.notPrimary) { try await store.claim(.test(1)) }
        }
        try await RedisServer.withStore { server, store async throws in
            #expect(try await store.claim(.test(1)) == .won)
            #expect(try await server.ask(RESPCommand("REPLICAOF", "127.0.0.1", "1")) == .simple("OK"))
            await #expect(throws: ValkeyStoreError.readOnly) { try await store.claim(.test(2)) }
            await #expect(throws: ValkeyStoreError.notPrimary) { try await store.claim(.test(2)) }
        }
    }

    @Test func `one with another password`() async throws {
        try await RedisServer.run(["--requirepass", "right"]) { server async throws in
            let wrong: [(username: String?, password: String?)] = [
                (nil, nil), (nil, "wrong"), ("default", "wrong"), ("nobody", "right"),
            ]
            for (username, password) in wrong {
                let store = server.store(username: username, password: password)
                await #expect(throws: ValkeyStoreError.wrongPassword) { try await StoreCaller(store).read(.test(1)) }
                await store.shutdown()
            }
            for username in [nil, "default"] {
                let store = server.store(username: username, password: "right")
                #expect(try await StoreCaller(store).read(.test(1)) == nil)
                await store.shutdown()
            }
        }
    }

    @Test func `one without a password`() async throws {
        try await RedisServer.run { server async throws in
            let store = server.store(password: "right")
            await #expect(throws: ValkeyStoreError.wrongPassword) { try await StoreCaller(store).read(.test(1)) }
            await store.shutdown()
        }
    }

    @Test func `it is logged once`() async throws {
        try await RedisServer.run(["--requirepass", "right"]) { server async throws in
            let lines = LoggedLines()
            let configuration = server.configuration(password: "wrong")
            let store = ValkeySingleUseStore(
                configuration, logger: .recording { event in lines.append(event.level, "\(event.metadata ?? [:])") })
            for _ in 0..<3 {
                await #expect(throws: ValkeyStoreError.wrongPassword) { try await StoreCaller(store).read(.test(1)) }
            }
            await store.shutdown()
            let logged = lines.all
            #expect(logged.count == 1)
            #expect(logged.first?.level == .error)
            #expect(logged.first?.metadata.contains("wrongPassword") == true)
        }
    }
}

/// Lines of a log.
private final class LoggedLines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let metadata: String
    }

    private let lines = Mutex<[Line]>([])

    var all: [Line] { lines.withLock { $0 } }

    func append(_ level: Logger.Level, _ metadata: String) {
        lines.withLock { $0.append(Line(level: level, metadata: metadata)) }
    }
}
