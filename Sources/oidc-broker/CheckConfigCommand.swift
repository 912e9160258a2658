// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import OIDCBroker
    import OIDCBrokerServer

    /// `oidc-broker check-config`: reads and judges the configuration, the files it names included, and serves nothing.
    struct CheckConfigCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-config",
            abstract: "Check the configuration without serving: exit status 0, or 78 with every mistake.")

        @OptionGroup var arguments: ConfigurationArguments

        func run() async throws {
            let configuration = try await arguments.load()
            for warning in configuration.broker.warnings { StandardError.write("warning: \(warning)") }
            print("The configuration is valid.")
        }
    }
#endif
