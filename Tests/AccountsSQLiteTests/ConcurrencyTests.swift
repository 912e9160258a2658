// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import AccountsTestSupport
    import NIOCore
    import OIDCBrokerTesting
    import Testing

    /// Fifty at once, on SQLite.
    struct ConcurrencyTests {
        private static let now = AccountRaces.now
        private static let count = AccountRaces.count
        private static let rounds = 100

        private func race(_ body: (AccountRaces) async throws -> Void) async throws {
            let temporary = try TemporaryStore()
            try await body(AccountRaces(temporary, rounds: Self.rounds))
            // The folder goes with it.
            withExtendedLifetime(temporary) {}
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

        @Test func `no refresh succeeds after the account was disabled`() async throws {
            let temporary = try TemporaryStore()
            let races = AccountRaces(temporary, rounds: Self.rounds)
            for round in 0..<Self.rounds {
                let token = RefreshToken(session: AccountSession.ID())
                let person = try await temporary.write { transaction in
                    try races.operations.signIn(
                        SignInRequest(AccountRaces.person("ada-\(round)", at: "p"), authTime: Self.now),
                        session: NewSession(token),
                        in: transaction, now: Self.now)
                }
                // The order in which they wait is the order in which they happen.
                let (happened, refusals): ([Bool], [AccountRefusal.Code]) = try await races.all {
                    number, transaction in
                    if number == Self.count / 2 {
                        try races.operations.setDisabled(true, person.account.id, in: transaction)
                    } else {
                        _ = try races.operations.refresh(
                            token.sessionID, secretHash: token.secretHash, in: transaction, now: Self.now)
                    }
                    return true
                }
                #expect(happened.count == Self.count / 2 + 1)
                #expect(refusals == [AccountRefusal.Code](repeating: .disabled, count: Self.count / 2 - 1))
            }
        }

        @Test func `no refresh succeeds that is asked for after the answer to disabling`() async throws {
            try await race { try await $0.refuseRefreshesOfDisabledAccount() }
        }

        @Test func `linking against deleting never leaves an identity without an account`() async throws {
            try await race { try await $0.linkOrDelete() }
        }

        @Test func `of more writes than may wait the rest is refused, and the others are written`() async throws {
            let temporary = try TemporaryStore()
            let gate = Gate()
            let first = temporary.store.transact(.write, on: temporary.eventLoop) { _ in gate.wait() }
            gate.waitUntilEntered()
            let futures = (0...SQLiteAccountStore.waitingLimit).map { number in
                temporary.store.transact(.write, on: temporary.eventLoop) { transaction in
                    try transaction.consume(AccountStep.secretHash(number) + [UInt8(number >> 8)], expiry: Self.now)
                }
            }
            let error = await #expect(throws: AccountStoreError.self) {
                _ = try await futures[SQLiteAccountStore.waitingLimit].get()
            }
            #expect(error?.code == .unavailable)
            gate.open()
            try await first.get()
            for future in futures.dropLast() { #expect(try await future.get()) }
        }
    }
#endif
