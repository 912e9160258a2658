// SPDX-License-Identifier: Apache-2.0

#if PostgreSQL && Server
    import ArgumentParser
    import OIDCBrokerPostgreSQL
    import OIDCBrokerServer

    /// The command `oidc-broker store migrate`.
    struct MigrateStore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Create or update the tables in PostgreSQL, also while servers use them.",
            discussion: """
                Exit status 78: invalid configuration. 1: the server cannot be reached, or its tables are of another \
                version.

                Example: oidc-broker store migrate --config broker.yaml
                """)

        @OptionGroup var arguments: ConfigurationArguments

        func run() async throws {
            let store = try await arguments.load().store
            guard let server = store.postgreSQLServer else {
                StandardError.write(
                    "There is nothing to migrate: neither auth.store.kind nor auth.accounts.database is postgresql.")
                throw ExitCode(78)
            }
            do {
                try await PostgreSQLSchema.migrate(server.connection)
            } catch {
                StandardError.write("oidc-broker: \(error)")
                throw ExitCode.failure
            }
            print("Done.")
        }
    }
#endif
