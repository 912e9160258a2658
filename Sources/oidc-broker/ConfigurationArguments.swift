// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerServer

    /// The arguments that locate the configuration, which `serve` and `check-config` share.
    struct ConfigurationArguments: ParsableArguments {
        @Option(
            help: ArgumentHelp("The configuration file: .yaml, .yml or .json.", valueName: "file"),
            completion: .file(extensions: ["yaml", "yml", "json"]))
        var config: String?

        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp(
                "Single values, as --auth-<key> and --server-<key>. Secrets are not accepted here.",
                valueName: "overrides"),
            // Some that are set here. With none, zsh would complete no option of a command that takes them.
            completion: .list([
                "--auth-public-url", "--server-host", "--server-port", "--server-log-level", "--server-log-format",
            ]))
        var overrides: [String] = []

        /// Anything that is not an override is an error of usage, not of configuration.
        func validate() throws {
            var mayBeValue = false
            for argument in overrides {
                if argument.hasPrefix("--auth-") || argument.hasPrefix("--server-") {
                    mayBeValue = !argument.contains("=")
                } else if argument.hasPrefix("-") {
                    // Only up to the value, which may be a secret.
                    throw ValidationError(
                        "Unknown option '\(argument.prefix { $0 != "=" })'; single settings are written as --auth-<key> "
                            + "or --server-<key>")
                } else if !mayBeValue {
                    // The argument is not repeated, because it may be a value that was meant to be secret.
                    throw ValidationError(
                        "Unexpected argument: it is not the value of an option; name the configuration file with "
                            + "--config")
                }
            }
        }

        /// Where the configuration is.
        var location: ConfigurationLocation { ConfigurationLocation(arguments: overrides, configurationFile: config) }

        /// Reads and validates the configuration.
        ///
        /// - Throws: Exit status 78 (`EX_CONFIG`), after printing each error as a line on standard error.
        func load() async throws -> LoadedConfiguration {
            let location = location
            guard
                config != nil || !overrides.isEmpty
                    || location.environment.keys.contains(where: { $0.hasPrefix("AUTH_") })
            else {
                StandardError.write(
                    "There is no configuration: name its file with --config FILE, or set AUTH_PUBLIC_URL and the others."
                )
                throw ExitCode(78)
            }
            do throws(BrokerConfigurationError) {
                return try await location.load()
            } catch {
                for error in error.errors { StandardError.write("\(error)") }
                throw ExitCode(78)
            }
        }
    }
#endif
