// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import ArgumentParser
    import Foundation
    import NIOCore
    import NIOPosix
    import Testing

    @testable import oidc_broker

    /// The command line on a database that a server has open.
    struct AccountsCommandTests {
        /// The time of the machine, which the commands take.
        private static let now = AccountsDatabase.now
        private let loop = MultiThreadedEventLoopGroup.singleton.any()

        private func makeFolder() throws -> String {
            let folder = FileManager.default.temporaryDirectory.path + "/accounts-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return folder
        }

        private func makeStore() throws -> (path: String, store: SQLiteAccountStore) {
            let path = try makeFolder() + "/accounts.sqlite"
            return (path, try SQLiteAccountStore.open(path: path, project: "acme"))
        }

        private func signIn(_ token: RefreshToken, _ store: SQLiteAccountStore) async throws -> SignedInAccount {
            let operations = AccountOperations(policy: AccountPolicy())
            let identity = VerifiedIdentity(
                IdentityKey(issuer: "https://p", subject: "a\u{1B}[2Jda"), providerID: "p", displayName: "Ada")
            return try await store.transact(.write, on: loop) { transaction in
                try operations.signIn(
                    AccountOperations.SignIn(identity, authTime: Self.now, session: NewSession(token)),
                    in: transaction, now: Self.now)
            }.get()
        }

        private func run<Command: AsyncParsableCommand>(
            _: Command.Type, _ arguments: [String], on path: String, project: String = "acme"
        ) async throws {
            var command = try Command.parse(arguments + ["--database", "sqlite:" + path, "--project-id", project])
            try await command.run()
        }

        @Test func `an operator disables, enables, ends the sessions of and deletes an account`() async throws {
            let (path, store) = try makeStore()
            let token = RefreshToken(session: AccountSession.ID())
            let person = try await signIn(token, store)
            let uid = person.account.id.text
            let operations = AccountOperations(policy: AccountPolicy())
            @Sendable func refresh() async throws -> AccountRefusal.Code? {
                do {
                    _ = try await store.transact(.write, on: loop) {
                        try operations.refresh(token, in: $0, now: Self.now)
                    }.get()
                    return nil
                } catch let refusal as AccountRefusal {
                    return refusal.code
                }
            }
            try await run(ListAccounts.self, [], on: path)
            try await run(ShowAccount.self, [uid], on: path)
            try await run(DisableAccount.self, [uid], on: path)
            #expect(try await refresh() == .disabled)
            try await run(EnableAccount.self, [uid], on: path)
            #expect(try await refresh() == nil)
            let session = AccountText.text(of: token.sessionID)
            try await run(EndSessionsOfAccount.self, [uid, "--session", session], on: path)
            #expect(try await refresh() == .sessionEnded)
            try await run(EndSessionsOfAccount.self, [uid], on: path)
            #expect(try await refresh() == .sessionEnded)
            try await run(BackUpAccounts.self, [path + ".copy"], on: path)
            try await run(DeleteAccount.self, [uid], on: path)
            #expect(try await store.transact(.read, on: loop) { try $0.account(person.account.id) }.get() == nil)
            try await run(ShowAccount.self, [uid], on: path + ".copy")
            try await store.shutdown()
        }

        @Test func `an account that is not there, another project and a file that exists are errors`() async throws {
            let (path, store) = try makeStore()
            await #expect(throws: ValidationError.self) { try await run(DisableAccount.self, ["nobody"], on: path) }
            await #expect(throws: ValidationError.self) { try await run(DeleteAccount.self, ["nobody"], on: path) }
            await #expect(throws: ValidationError.self) { try await run(ShowAccount.self, ["no body"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(ListAccounts.self, [], on: path, project: "other") }
            await #expect(throws: ExitCode.failure) { try await run(BackUpAccounts.self, [path], on: path) }
            #expect(throws: (any Error).self) {
                try ListAccounts.parse(["--database", "accounts.sqlite", "--project-id", "acme"])
            }
            #expect(throws: (any Error).self) {
                try ListAccounts.parse(["--database", "sqlite:/a", "--project-id", "Acme!"])
            }
            try await store.shutdown()
        }

        @Test func `no command makes a database or a file beside it, for it may be mistyped`() async throws {
            let path = try makeFolder() + "/accounts.sqlite"
            await #expect(throws: ExitCode.failure) { try await run(ListAccounts.self, [], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(ShowAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(DisableAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(EnableAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(EndSessionsOfAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(DeleteAccount.self, ["uid"], on: path) }
            await #expect(throws: ExitCode.failure) { try await run(BackUpAccounts.self, [path + ".copy"], on: path) }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }

        @Test(arguments: [[0xF8, 0x00], [0xFB, 0xEF]] as [[UInt8]])
        func `the identifier of a session may begin with a hyphen`(beginning: [UInt8]) async throws {
            let (path, store) = try makeStore()
            let rest = [UInt8](repeating: 0, count: AccountSession.ID.byteCount - beginning.count)
            let id = try #require(AccountSession.ID(bytes: beginning + rest))
            let text = AccountText.text(of: id)
            #expect(text.hasPrefix("-"))
            let person = try await signIn(RefreshToken(session: id), store)
            try await run(EndSessionsOfAccount.self, [person.account.id.text, "--session", text], on: path)
            let session = try await store.transact(.read, on: loop) { try $0.session(id) }.get()
            #expect(session?.expiry == 0)
            try await store.shutdown()
        }

        @Test func `the identifier after which the list begins may begin with a hyphen`() throws {
            let command = try ListAccounts.parse(
                ["--after", "-a", "--database", "sqlite:/a", "--project-id", "acme"])
            #expect(command.after == "-a")
        }

        @Test func `a session that the account does not have is said in a sentence, with status 64`() async throws {
            let (path, store) = try makeStore()
            let uid = try await signIn(RefreshToken(session: AccountSession.ID()), store).account.id.text
            let session = AccountText.text(of: AccountSession.ID())
            let error = await #expect(throws: ValidationError.self) {
                try await run(EndSessionsOfAccount.self, [uid, "--session", session], on: path)
            }
            #expect(error?.message == "The account has no such session.")
            #expect(error.map { EndSessionsOfAccount.exitCode(for: $0) } == .validationFailure)
            try await store.shutdown()
        }

        @Test func `an error of the closing makes no failure of what is done, and hides no other error`() async throws {
            let value = try await AccountsDatabase.perform {
                1
            } thenClosing: {
                throw NotClosed()
            }
            #expect(value == 1)
            let error = await #expect(throws: ValidationError.self) {
                _ = try await AccountsDatabase.perform { () async throws -> Int in
                    throw AccountsDatabase.unknown
                } thenClosing: {
                    throw NotClosed()
                }
            }
            #expect(error?.message == AccountsDatabase.unknown.message)
        }

        @Test func `what a provider wrote reaches no terminal as it is`() async throws {
            let (_, store) = try makeStore()
            let person = try await signIn(RefreshToken(session: AccountSession.ID()), store)
            let page = AccountText.page(person.account, [person.identity], [person.session])
            #expect(!page.utf8.contains(0x1B))
            #expect(page.contains("name: Ada\n"))
            try await store.shutdown()
        }
    }

    private struct NotClosed: Error {}
#endif
