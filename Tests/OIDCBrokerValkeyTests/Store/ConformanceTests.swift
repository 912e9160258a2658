// SPDX-License-Identifier: Apache-2.0

import NIOPosix
import SingleUse
import StoreTesting
import Testing
import TestingSupport

@testable import OIDCBrokerValkey

/// A real server does what every store must.
@Suite(
    .onSockets, .enabled(if: RedisInstallation.isRequired, "needs redis-server and redis-sentinel"),
    .timeLimit(.minutes(10)))
struct ConformanceTests {
    @Test func `over several event loops and connections`() async throws {
        try await RedisServer.run { server async throws in
            let store = server.store()
            let failures = try await SingleUseStoreConformance.failures(
                { store }, on: MultiThreadedEventLoopGroup.singleton
            ) { try await Task.sleep(for: $0) }
            await store.shutdown()
            #expect(failures.isEmpty, "\(failures)")
        }
    }
}
