// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser

    /// The command `oidc-broker accounts find`. All accounts are read: several may have the same email.
    struct FindAccounts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "List the accounts with an email, as `list` does.",
            discussion: """
                Upper and lower case are the same. Exit status 64: no account has this email.

                Example: oidc-broker accounts find ada@example.com --config broker.yaml
                """)

        /// The number of accounts that are read at once.
        private static let page = 1000

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The email.") var email: String

        func run() async throws {
            guard let email = EmailAddress(email) else { throw ValidationError("This is not an email.") }
            let found = try await database.run(.list) { transaction in
                var found: [(Account, [AccountIdentity])] = []
                var last: AccountID?
                while true {
                    let accounts = try transaction.accounts(after: last, limit: Self.page)
                    for account in accounts where account.email == email {
                        found.append((account, try transaction.identities(of: account.id)))
                    }
                    guard accounts.count == Self.page, let next = accounts.last?.id else { return found }
                    last = next
                }
            }
            guard !found.isEmpty else { throw ValidationError("No account has this email.") }
            for (account, identities) in found {
                database.output(AccountText.line(account, identities), AccountText.json(account, identities))
            }
        }
    }
#endif
