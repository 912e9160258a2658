// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import NIOCore
    import NIOPosix
    import OIDCBrokerTesting
    import StoreTesting
    import Testing

    /// The requirements of every store of accounts.
    struct ConformanceTests {
        @Test func `every requirement of a store is met`() async throws {
            let keeper = Keeper()
            let failures = try await AccountStoreConformance.failures({ try keeper.make() }, on: keeper.eventLoop)
            #expect(failures.isEmpty)
        }
    }

    /// Keeps the folders of the stores that a suite makes.
    private final class Keeper {
        private var stores: [TemporaryStore] = []
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()

        func make() throws -> any AccountStore {
            let temporary = try TemporaryStore()
            stores.append(temporary)
            return temporary.store
        }
    }
#endif
