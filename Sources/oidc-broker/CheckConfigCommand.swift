// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import OIDCBroker
    import OIDCBrokerServer

    /// The command `oidc-broker check-config`, which reads and validates the configuration and the files that it names
    /// without serving anything.
    struct CheckConfigCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-config",
            abstract: "Check the configuration without serving: exit status 0, or 78 with every error.")

        @OptionGroup var arguments: ConfigurationArguments

        @Flag(help: "Files with secrets that others can read or write are errors, not warnings.")
        var strict = false

        func run() async throws {
            let configuration = try await arguments.load()
            for warning in configuration.warnings { StandardError.write("warning: \(warning)") }
            for file in configuration.exposedSecretFiles {
                StandardError.write(strict ? "\(file)" : "warning: \(file)")
            }
            if strict, !configuration.exposedSecretFiles.isEmpty { throw ExitCode(78) }
            print("The configuration is valid.")
        }
    }
#endif
