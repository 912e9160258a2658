// SPDX-License-Identifier: Apache-2.0

#if !PostgreSQL
    import ArgumentParser

    /// The command `oidc-broker store` where it was not built, which says how to build it.
    struct MissingStoreCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "store", abstract: "Not available in this build: needs PostgreSQL.", shouldDisplay: false)

        @Argument(parsing: .captureForPassthrough, help: .hidden)
        var arguments: [String] = []

        /// The line for the operator.
        static let line =
            "oidc-broker: this program was built without PostgreSQL; build it with "
            + "'swift build -c release --product oidc-broker --traits Server,SQLite,PostgreSQL'"

        func run() throws {
            StandardError.write(Self.line)
            throw ExitCode.failure
        }
    }
#endif
