// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import OIDCBrokerTesting
    import StoreTesting
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// The requirements of every store of accounts, and the model, on a real server.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct AccountConformanceTests {
        @Test func `every requirement of a store of accounts is met`() async throws {
            try await PostgreSQLServer.withAccounts(connections: 8) { server, caller async throws in
                let failures = try await AccountStoreConformance.failures(
                    {
                        try server.empty()
                        return caller.store
                    }, on: caller.eventLoop)
                #expect(failures == [])
            }
        }

        @Test func `the same answers and records as the model`() async throws {
            try await PostgreSQLServer.withAccounts { server, caller async throws in
                for policy in AccountSequence.policies {
                    for seed: UInt64 in 1...2 {
                        try server.empty()
                        try await AccountSequence.compare(
                            caller.store, on: caller.eventLoop, under: policy, seed: seed)
                    }
                }
            }
        }

        @Test func `texts that no text of the server can hold, and longer ones than an index permits`() async throws {
            try await PostgreSQLServer.withAccounts { _, caller async throws in
                // Random, so that nothing of it can be compressed.
                let long = (0..<300).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
                for (number, text) in ["a\0b", "\0", long].enumerated() {
                    let account = Account(id: AccountID("account-\(number)") ?? AccountID(), createdAt: 0)
                    let identity = AccountIdentity(
                        VerifiedIdentity(IdentityKey(issuer: text, subject: text), providerID: text), of: account.id,
                        at: 0)
                    try await caller.write { transaction in
                        try transaction.insert(account)
                        try transaction.insert(identity)
                    }
                    let found = try await caller.read { try $0.identity(identity.key) }
                    #expect(found == identity)
                    #expect(try await caller.read { try $0.identities(of: account.id) } == [identity])
                }
            }
        }
    }
#endif
