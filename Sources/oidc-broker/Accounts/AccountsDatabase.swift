// SPDX-License-Identifier: Apache-2.0

#if SQLite
    import Accounts
    import AccountsSQLite
    import ArgumentParser
    import NIOCore
    import NIOPosix
    import OpenIDRelyingParty

    /// The options that name a database of accounts.
    struct AccountsDatabase: ParsableArguments {
        @Option(help: ArgumentHelp("The database, as in auth.accounts.database.", valueName: "sqlite:/path"))
        var database: String

        @Option(help: "The ID of the project, as in auth.accounts.project-id.")
        var projectID: String

        private static let scheme = "sqlite:"

        func validate() throws {
            guard database.hasPrefix(Self.scheme + "/") else {
                throw ValidationError("database must be sqlite: and an absolute path")
            }
            guard AccountTokens.isProjectID(projectID) else {
                throw ValidationError("project-id must be 4 to 30 characters of a-z, 0-9 and -")
            }
        }

        /// The current time, in seconds since 1970.
        static var now: Int64 { SystemUnixClock().now() }

        static let unknown = ValidationError("There is no such account.")

        static func account(_ uid: String) throws -> AccountID {
            guard let id = AccountID(uid) else { throw unknown }
            return id
        }

        /// Runs a transaction.
        /// - Throws: Exit status 1, after printing what happened on standard error.
        func run<Result: Sendable>(
            _ mode: AccountTransactionMode, _ body: @escaping @Sendable (any AccountTransaction) throws -> Result
        ) async throws -> Result {
            let store = try open()
            let result: Result
            do {
                result = try await store.transact(mode, on: MultiThreadedEventLoopGroup.singleton.any(), body).get()
            } catch {
                try await store.shutdown()
                throw Self.exit(error)
            }
            try await store.shutdown()
            return result
        }

        /// Runs an operation on an account.
        func change(
            _ uid: String,
            _ body: @escaping @Sendable (AccountOperations, AccountID, any AccountTransaction) throws -> Void
        ) async throws {
            let id = try Self.account(uid)
            // The policy decides nothing here.
            let operations = AccountOperations(policy: AccountPolicy())
            try await run(.write) { try body(operations, id, $0) }
            print("Done.")
        }

        func backUp(to file: String) async throws {
            let store = try open()
            do {
                try store.backup(to: file)
            } catch {
                try await store.shutdown()
                throw Self.exit(error)
            }
            try await store.shutdown()
            print("Copied.")
        }

        private func open() throws -> SQLiteAccountStore {
            do {
                return try SQLiteAccountStore.open(
                    path: String(database.dropFirst(Self.scheme.count)), project: projectID)
            } catch {
                throw Self.exit(error)
            }
        }

        private static func exit(_ error: any Error) -> any Error {
            if error is ValidationError { return error }
            if let refusal = error as? AccountRefusal, refusal.code == .unknown { return unknown }
            StandardError.write("\(error)")
            return ExitCode.failure
        }
    }
#endif
