// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser

    /// The command `oidc-broker accounts`, by which an operator sees and changes accounts in the store itself, also while
    /// the server runs.
    struct AccountsCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "accounts",
            abstract: "See and change the accounts in a database, also while the server runs.",
            discussion: "Example: oidc-broker accounts list --config broker.yaml",
            subcommands: [
                ListAccounts.self, ShowAccount.self, DisableAccount.self, EnableAccount.self, EndSessionsOfAccount.self,
                DeleteAccount.self, BackUpAccounts.self, ImportAccounts.self, ExportAccounts.self,
                AccountIdentities.self,
            ])
    }

    struct ListAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "One line an account: identifier, state, e-mail, providers.",
            discussion: "Example: oidc-broker accounts list --limit 100 --config broker.yaml")

        @OptionGroup var database: AccountsDatabase

        // An identifier of another system may begin with a hyphen.
        @Option(parsing: .unconditional, help: "The identifier after which the list begins.")
        var after: String?

        @Option(help: "The maximum number of accounts, 1 to 100,000.")
        var limit = 1000

        func validate() throws {
            guard (1...100_000).contains(limit) else { throw ValidationError("limit must be from 1 to 100000") }
        }

        func run() async throws {
            let after = try after.map(AccountsDatabase.account)
            let limit = limit
            let lines = try await database.run(.list) { transaction in
                try transaction.accounts(after: after, limit: limit).map { account in
                    AccountText.line(account, try transaction.identities(of: account.id))
                }
            }
            for line in lines { print(line) }
        }
    }

    struct ShowAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Everything that is kept of an account.",
            discussion: "Example: oidc-broker accounts show 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws {
            let id = try AccountsDatabase.account(uid)
            let text = try await database.run(.read) { transaction in
                guard let account = try transaction.account(id) else { throw AccountsDatabase.unknown }
                return AccountText.page(
                    account, try transaction.identities(of: id), try transaction.sessions(of: id))
            }
            print(text, terminator: "")
        }
    }

    struct DisableAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Let nobody sign in to an account or refresh a session of it.",
            discussion: "Example: oidc-broker accounts disable 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws { try await database.change(uid) { try $0.setDisabled(true, $1, in: $2) } }
    }

    struct EnableAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Let the person sign in to a disabled account again.",
            discussion: "Example: oidc-broker accounts enable 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws { try await database.change(uid) { try $0.setDisabled(false, $1, in: $2) } }
    }

    struct EndSessionsOfAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "end-sessions",
            abstract: "End the sessions of an account, or one of them: the person must sign in again.",
            discussion: "Example: oidc-broker accounts end-sessions 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        // An identifier may begin with a hyphen.
        @Option(parsing: .unconditional, help: "The identifier of the only session that ends, as `show` prints it.")
        var session: String?

        func run() async throws {
            let now = AccountsDatabase.now
            guard let session else {
                return try await database.change(uid) { try $0.endSessions(of: $1, in: $2, now: now) }
            }
            guard let id = AccountText.session(session) else {
                throw ValidationError("session must be an identifier as `show` prints it")
            }
            try await database.change(uid) { try $0.endSession(id, of: $1, in: $2, now: now) }
        }
    }

    struct DeleteAccount: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete an account with its identities and sessions.",
            discussion: "Example: oidc-broker accounts delete 5sTQ0mGxXcaW --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account.") var uid: String

        func run() async throws { try await database.change(uid) { try $0.delete($1, in: $2) } }
    }

    struct BackUpAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Copy the database to a new file, as it is at one moment.",
            discussion: "Example: oidc-broker accounts backup accounts-copy.sqlite --config broker.yaml")

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The new file, which must not exist.", completion: .file()) var file: String

        func run() async throws { try await database.backUp(to: file) }
    }
#endif
