// SPDX-License-Identifier: Apache-2.0

#if SQLite || PostgreSQL
    import Accounts
    import ArgumentParser

    struct AccountIdentities: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "identities", abstract: "Change the identities of accounts.",
            discussion: """
                Example: oidc-broker accounts identities move 5sTQ0mGxXcaW google.com ada-of-firebase --config broker.yaml
                """,
            subcommands: [MoveIdentity.self, ReplaceIdentity.self])
    }

    struct MoveIdentity: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move an identity to another account, for example to an imported one without a way to sign in.",
            discussion: """
                The sessions that began with it end. The account that had it stays: `accounts delete` removes it.

                Example: oidc-broker accounts identities move 5sTQ0mGxXcaW google.com ada-of-firebase --config broker.yaml
                """)

        @OptionGroup var database: AccountsDatabase
        @Argument(help: "The identifier of the account that has the identity.") var uid: String
        @Argument(help: "The ID of the provider of the identity, as `show` prints it.") var provider: String
        @Argument(help: "The identifier of the account that gets it.") var destination: String

        func run() async throws {
            let (provider, destination) = (provider, try AccountsDatabase.account(destination))
            try await database.change(uid, "identity moved to \(destination)") { operations, uid, transaction in
                try operations.moveIdentity(at: provider, from: uid, to: destination, in: transaction)
            }
        }
    }
#endif
