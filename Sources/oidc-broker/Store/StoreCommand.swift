// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL
    import ArgumentParser
    import OIDCBrokerPostgreSQL

    /// The command `oidc-broker store`, by which an operator makes the tables of the stores that replicas share.
    struct StoreCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "store",
            abstract: "Create the tables of the shared store and the accounts in PostgreSQL.",
            discussion: """
                Requires a build with PostgreSQL.

                Example: oidc-broker store schema
                """,
            subcommands: subcommands)

        private static var subcommands: [any ParsableCommand.Type] {
            #if Server
                return [PrintStoreSchema.self, MigrateStore.self]
            #else
                return [PrintStoreSchema.self]
            #endif
        }
    }

    /// The command `oidc-broker store schema`.
    struct PrintStoreSchema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the SQL that creates the tables. It can be run again.",
            discussion: "Example: oidc-broker store schema")

        func run() {
            print(PostgreSQLSchema.sql, terminator: "")
        }
    }
#endif
