// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import AccountsSQLite
    import AccountsTestSupport
    import Testing

    /// The same random sequences on the model and on SQLite.
    struct SideBySideTests {
        @Test(arguments: AccountSequence.policies.indices, Array<UInt64>(1...4))
        func `the same answers and records as the model`(policy: Int, seed: UInt64) async throws {
            let temporary = try TemporaryStore()
            try await AccountSequence.compare(
                temporary.store, on: temporary.eventLoop, under: AccountSequence.policies[policy], seed: seed)
            try await temporary.store.shutdown()
        }
    }
#endif
