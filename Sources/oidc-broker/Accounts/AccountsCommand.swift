// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser
    import JOSE

    /// The command `oidc-broker accounts`, by which an operator sees and changes accounts in the store itself, also while
    /// the server runs.
    struct AccountsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accounts",
            abstract: "Show and change accounts in the database, also while the server runs.",
            discussion: "Example: oidc-broker accounts list --config broker.yaml",
            subcommands: [
                ListAccounts.self, FindAccounts.self, ShowAccount.self, DisableAccount.self, EnableAccount.self,
                EndSessionsOfAccount.self, DeleteAccount.self, BackUpAccounts.self, ImportAccounts.self,
                ExportAccounts.self, AccountIdentities.self, AccountEvents.self,
            ])
    }

    struct ListAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List accounts, one on each line: identifier, state, email, providers.",
            discussion: "Example: oidc-broker accounts list --limit 100 --config broker.yaml")

        @OptionGroup var database: AccountsDatabase

        // An identifier of another system may begin with a hyphen.
        @Option(parsing: .unconditional, help: "List the accounts after this identifier.")
        var after: String?

        @Option(help: "The maximum number of accounts, 1 to 100,000.")
        var limit = 1000

        func validate() throws {
            guard (1...100_000).contains(limit) else { throw ValidationError("--limit expects 1 to 100000") }
        }

        func run() async throws {
            let after = try after.map(AccountsDatabase.account)
            let limit = limit
            let accounts = try await database.run(.list) { transaction in
                try transaction.accounts(after: after, limit: limit).map { account in
                    (account, try transaction.identities(of: account.id))
                }
            }
            for (account, identities) in accounts {
                database.output(AccountText.line(account, identities), AccountText.json(account, identities))
            }
        }
    }

    struct ShowAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show everything that is stored about an account.",
            discussion: "Example: oidc-broker accounts show 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws {
            let id = try AccountsDatabase.account(uid)
            let (account, identities, sessions) = try await database.run(.read) { transaction in
                guard let account = try transaction.account(id) else { throw AccountsDatabase.unknown }
                return (account, try transaction.identities(of: id), try transaction.sessions(of: id))
            }
            // The page ends with a line break of its own.
            database.output(
                String(AccountText.page(account, identities, sessions).dropLast()),
                AccountText.json(account, identities, sessions))
        }
    }

    struct DisableAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable an account: no sign-in, and no refresh of a session.",
            discussion: "Example: oidc-broker accounts disable 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws { try await database.change(uid, "disabled") { try $0.setDisabled(true, $1, in: $2) } }
    }

    struct EnableAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a disabled account again.",
            discussion: "Example: oidc-broker accounts enable 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws { try await database.change(uid, "enabled") { try $0.setDisabled(false, $1, in: $2) } }
    }

    struct EndSessionsOfAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions",
            abstract: "End all sessions of an account, or one: the user must sign in again.",
            discussion: "Example: oidc-broker accounts end-sessions 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        // An identifier may begin with a hyphen.
        @Option(parsing: .unconditional, help: "End only this session, as `show` prints it.")
        var session: String?

        func run() async throws {
            let now = AccountsDatabase.now
            guard let session else {
                return try await database.change(uid, "all sessions ended") {
                    try $0.endSessions(of: $1, in: $2, now: now)
                }
            }
            guard let id = AccountText.session(session) else {
                throw ValidationError("--session expects an identifier as `show` prints it")
            }
            try await database.change(uid, "session ended") { try $0.endSession(id, of: $1, in: $2, now: now) }
        }
    }

    struct DeleteAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete an account with its identities and sessions.",
            discussion: """
                Asks first, unless --yes is set. Exit status 1: not deleted.

                Example: oidc-broker accounts delete 5sTQ0mGxXcaW --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String
        @Flag(help: "Delete without asking.") var yes = false

        func run() async throws {
            let id = try AccountsDatabase.account(uid)
            if !yes {
                let summary = try await database.run(.read) { try Self.summary(of: id, in: $0).text }
                StandardError.write("Delete the \(summary)? This cannot be undone. Type yes to delete:")
                guard Self.isYes(readLine()) else {
                    StandardError.write("Not deleted.")
                    throw ExitCode.failure
                }
            }
            let operations = AccountOperations(policy: AccountPolicy())
            let deleted = try await database.run(.write) { transaction in
                let summary = try Self.summary(of: id, in: transaction)
                try operations.delete(id, in: transaction)
                return summary
            }
            database.output("Deleted the \(deleted.text).", ["deleted": .object(deleted.json)])
        }

        /// Whether an answer says yes, and nothing else.
        static func isYes(_ answer: String?) -> Bool { answer == "yes" || answer == "y" }

        private static func summary(
            of id: AccountID, in transaction: any AccountTransaction
        ) throws -> (text: String, json: JSONObject) {
            guard let account = try transaction.account(id) else { throw AccountsDatabase.unknown }
            let (identities, sessions) = (try transaction.identities(of: id), try transaction.sessions(of: id))
            return (
                AccountText.summary(account, identities, sessions), AccountText.json(account, identities, sessions)
            )
        }
    }

    struct BackUpAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Copy the database to a new file: a consistent snapshot.",
            discussion: "Example: oidc-broker accounts backup accounts-copy.sqlite --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The new file, which must not exist.", completion: .file()) var file: String

        func run() async throws { try await database.backUp(to: file) }
    }
#endif
