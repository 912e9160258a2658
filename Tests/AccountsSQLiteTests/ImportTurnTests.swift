// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsTestSupport
    import GRDB
    import NIOCore
    import StoreTesting
    import Synchronization
    import Testing

    @testable import AccountsSQLite

    /// A command that imports users beside the server, each with connections of its own to the file.
    struct ImportTurnTests {
        private static let operations = AccountOperations(policy: AccountPolicy())

        private static func users(_ numbers: Range<Int>) throws -> [ImportedUser] {
            try numbers.map { number in
                let id = try #require(AccountID("user-\(number)"))
                return ImportedUser(Account(id: id, createdAt: AccountRaces.now, validSince: 0), identities: [])
            }
        }

        @Test func `a sign-in that waits for a batch of an import succeeds before the next batch`() async throws {
            let (batch, pause, pauses) = (Gate(), Gate(), Pauses())
            let command = try TemporaryStore()
            let server = try SQLiteAccountStore.open(
                path: command.path, project: "test",
                busyMode: SQLiteAccountStore.busyMode { if pauses.isFirst() { pause.wait() } }, now: { .distantPast })
            let most = AccountLimits.importsInTransaction
            let (first, second) = (try Self.users(0..<most), try Self.users(most..<2 * most))
            // The lock is held until the server has found it, and the server tries again once the batch is there.
            let writing = command.store.transact(.write, on: command.eventLoop) { transaction in
                let outcomes = try Self.operations.take(first, ImportChoices(), in: transaction)
                batch.wait()
                return outcomes
            }
            batch.waitUntilEntered()
            let token = RefreshToken(session: AccountSession.ID())
            let signIn = server.transact(.write, on: command.eventLoop) { transaction in
                try Self.operations.signIn(
                    SignInRequest(AccountRaces.person("ada", at: "p"), authTime: AccountRaces.now),
                    session: NewSession(token), in: transaction, now: AccountRaces.now)
            }
            pause.waitUntilEntered()
            batch.open()
            #expect(try await writing.get().allSatisfy { $0 == .added })
            pause.open()
            let person = try await signIn.get()
            #expect(person.isNew && pauses.number == 1)
            let outcomes = try await command.write { try Self.operations.take(second, ImportChoices(), in: $0) }
            #expect(outcomes.allSatisfy { $0 == .added })
            let contents = try await command.contents()
            #expect(contents.accounts.count == 2 * most + 1)
            #expect(contents.sessions.map(\.account) == [person.account.id])
            try await server.shutdown()
        }

        @Test func `a store tries again every two milliseconds, for five seconds`() async throws {
            let path = try TemporaryStore.makeFolder() + "/accounts.sqlite"
            let store = try SQLiteAccountStore.open(path: path, project: "test")
            // SQLite's own waiting tries ever less often, and would miss the pauses of an import.
            guard case .callback = store.pool.configuration.busyMode else {
                Issue.record("the store waits as SQLite does")
                return
            }
            try await store.shutdown()
            let pauses = Pauses()
            guard case .callback(let goesOn) = SQLiteAccountStore.busyMode(pause: { _ = pauses.isFirst() }) else {
                Issue.record("the store waits as SQLite does")
                return
            }
            #expect(SQLiteAccountStore.busyInterval == 2000)
            #expect((0..<2500).allSatisfy { goesOn($0) })
            #expect(!goesOn(2500))
            #expect(pauses.number == 2501)
        }
    }

    /// Counts the pauses between two tries.
    private final class Pauses: Sendable {
        private let count = Atomic(0)

        var number: Int { count.load(ordering: .sequentiallyConsistent) }

        /// Counts one.
        func isFirst() -> Bool {
            count.add(1, ordering: .sequentiallyConsistent).newValue == 1
        }
    }
#endif
