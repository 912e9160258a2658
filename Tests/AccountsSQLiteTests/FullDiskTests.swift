// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import NIOCore
    import GRDB
    import OIDCBrokerTesting
    import StoreTesting
    import Testing

    @testable import AccountsSQLite

    /// A database that cannot grow any more.
    struct FullDiskTests {
        private static let now: Int64 = 1_790_000_000
        private let operations = AccountOperations(policy: AccountPolicy())

        private func signIn(_ number: Int, on temporary: TemporaryStore) async throws -> SignedInAccount {
            let operations = operations
            return try await temporary.write { transaction in
                try operations.signIn(
                    SignInRequest(
                        VerifiedIdentity(
                            IdentityKey(issuer: "https://p", subject: "person-\(number)"), providerID: "p",
                            displayName: String(repeating: "n", count: 250)), authTime: Self.now),
                    session: NewSession(
                        id: AccountStep.session(number), secretHash: AccountStep.secretHash(number)),
                    in: transaction, now: Self.now)
            }
        }

        private func limit(_ temporary: TemporaryStore, pages: Int) throws {
            try temporary.store.pool.writeWithoutTransaction { database in
                _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
            }
        }

        @Test func `a failure is temporary, no user is signed out, and it passes by itself`() async throws {
            let temporary = try TemporaryStore()
            let first = try await signIn(0, on: temporary)
            try limit(temporary, pages: 1)
            var number = 1
            var failure: AccountStoreError?
            while failure == nil, number < 2000 {
                do {
                    _ = try await signIn(number, on: temporary)
                    number += 1
                } catch let error as AccountStoreError {
                    failure = error
                }
            }
            #expect(failure?.code == .unavailable)
            let full = try await temporary.contents()
            #expect(full.accounts.count == number)
            #expect(full.violations(under: AccountPolicy()).isEmpty)

            // What needs no room goes on: a refresh of a session that was used today.
            let operations = operations
            let refreshed = try await temporary.write { transaction in
                try operations.refresh(
                    first.session.id, secretHash: first.session.secretHash, in: transaction, now: Self.now)
            }
            #expect(refreshed.account.id == first.account.id)

            try limit(temporary, pages: 1_000_000)
            _ = try await signIn(number, on: temporary)
            #expect(try await temporary.contents().accounts.count == number + 1)
        }

        @Test func `a write that does not fit does not fail the others of its group`() async throws {
            let temporary = try TemporaryStore()
            _ = try await signIn(0, on: temporary)
            try limit(temporary, pages: 1)
            let operations = operations
            let futures = (0..<300).map { number in
                temporary.store.transact(.write, on: temporary.eventLoop) { transaction -> Bool in
                    guard number % 2 == 0 else {
                        return try transaction.account(AccountID("nobody") ?? AccountID()) == nil
                    }
                    let identity = VerifiedIdentity(
                        IdentityKey(issuer: "https://q", subject: "person-\(number)"), providerID: "q",
                        displayName: String(repeating: "n", count: 250))
                    _ = try operations.signIn(
                        SignInRequest(identity, authTime: Self.now),
                        session: NewSession(RefreshToken(session: AccountSession.ID())),
                        in: transaction, now: Self.now)
                    return true
                }.flatMapErrorThrowing { error in
                    guard (error as? AccountStoreError)?.code == .unavailable else { throw error }
                    return false
                }
            }
            var succeeded: [Bool] = []
            for future in futures { succeeded.append(try await future.get()) }
            #expect(succeeded.contains(false))
            #expect(stride(from: 1, to: 300, by: 2).allSatisfy { succeeded[$0] })
            let count = succeeded.enumerated().count { $0.offset % 2 == 0 && $0.element }
            #expect(try await temporary.contents().accounts.count == count + 1)
        }
    }
#endif
