// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import Testing
    import TestingSupport

    @testable import OIDCBrokerPostgreSQL

    /// Fifty at once, on eight connections, as of four replicas.
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct AccountRaceTests {
        private func race(_ body: (AccountRaces) async throws -> Void) async throws {
            try await PostgreSQLServer.withAccounts(connections: 8) { _, caller async throws in
                try await body(AccountRaces(caller, rounds: 20))
            }
        }

        @Test func `one new identity makes one account, and all callers get its identifier`() async throws {
            try await race { try await $0.makeOneAccount() }
        }

        @Test func `one identity linked by fifty accounts belongs to one of them`() async throws {
            try await race { try await $0.linkOnce() }
        }

        @Test func `of the two identities of an account that are unlinked at once one remains`() async throws {
            try await race { try await $0.keepOneIdentity() }
        }

        @Test func `of two users with the same proved address one gets an account`() async throws {
            try await race { try await $0.giveAddressOnce() }
        }

        @Test func `fifty refreshes of one token of an app are one rotation, and too late they end the session`()
            async throws
        {
            try await race { try await $0.rotateOnce() }
        }

        @Test func `what may be used once works for one of fifty`() async throws {
            try await race { try await $0.useOnce() }
        }

        @Test func `no refresh succeeds that is asked for after the answer to disabling`() async throws {
            try await race { try await $0.refuseRefreshesOfDisabledAccount() }
        }

        @Test func `linking against deleting never leaves an identity without an account`() async throws {
            try await race { try await $0.linkOrDelete() }
        }

        @Test func `of more transactions than may wait the rest is refused, and the others run`() async throws {
            try await PostgreSQLServer.withAccounts(connections: 1) { _, caller async throws in
                let gate = Gate()
                let first = caller.store.transact(.write, on: caller.eventLoop) { _ in gate.wait() }
                gate.waitUntilEntered()
                // What was begun does not wait.
                let limit = PostgreSQLAccountStore.waitingLimit
                let futures = (0..<limit).map { _ in caller.store.transact(.read, on: caller.eventLoop) { _ in true } }
                #expect(caller.store.waiting.reads == limit)
                for mode in [AccountTransactionMode.read, .write] {
                    let error = await #expect(throws: AccountStoreError.self) {
                        try await caller.store.transact(mode, on: caller.eventLoop) { _ in }.get()
                    }
                    #expect(error?.code == .unavailable)
                }
                gate.open()
                try await first.get()
                for future in futures { #expect(try await future.get()) }
                #expect(caller.store.waiting.reads == 0)
            }
        }
    }
#endif
