// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import SingleUse
    import OpenIDRelyingParty
    import Synchronization
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// The time of a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct ServerTimeTests {
        @Test func `it is told at each connection`() async throws {
            try await PostgreSQLServer.run { server async throws in
                let store = try server.store(connections: 1)
                let told = Mutex<[Int64]>([])
                let clock = SystemUnixClock()
                store.serverTime.observe { seconds, _ in told.withLock { $0.append(seconds - clock.now()) } }
                #expect(try await StoreCaller(store).claim(.test(1)) == .won)
                await store.shutdown()
                let differences = told.withLock { $0 }
                // One machine has one clock; on a busy one the answer takes a while.
                #expect(!differences.isEmpty)
                #expect(differences.allSatisfy { (-5...1).contains($0) }, "\(differences)")
            }
        }
    }
#endif
