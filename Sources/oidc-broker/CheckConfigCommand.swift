// SPDX-License-Identifier: Apache-2.0

#if Server
    import ArgumentParser
    import NIOPosix
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerServer
    import OpenIDRelyingParty

    /// The command `oidc-broker check-config`, which reads and validates the configuration and the files that it names
    /// without serving anything.
    struct CheckConfigCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-config",
            abstract: "Check the configuration and list every error, without serving.",
            discussion: """
                With --live it also checks every provider: metadata, keys, clock, certificate, and whether the client \
                is accepted. For this it sends one or two token requests with random codes, which the provider may log as \
                failed. Nothing is used up or created there. The shared store and the database of accounts are checked \
                too, and nothing is stored in them. It is safe while the server runs.
                Exit status 0: valid. 69: a provider, the store or the database cannot be reached. 78: there are errors.

                Example: oidc-broker check-config --live --config broker.yaml
                """)

        @OptionGroup var arguments: ConfigurationArguments

        @Flag(
            help: ArgumentHelp(
                "Also fail for secrets in files that others can read or write, certificates and client secrets with "
                    + "fewer than 14 days left, providers without the scope email or with metadata over http, apps "
                    + "without a title, and apps whose code-binding is none."))
        var strict = false

        @Flag(help: "Also check every provider, the store and the server's certificate.")
        var live = false

        @Flag(help: "Print the checks of --live as one JSON object.")
        var json = false

        func validate() throws {
            if json, !live { throw ValidationError("--json needs --live.") }
        }

        func run() async throws {
            let configuration = try await arguments.load()
            for warning in configuration.warnings { StandardError.write("warning: \(warning)") }
            for finding in configuration.auditFindings { StandardError.write("warning: \(finding)") }
            for note in configuration.ungrantedScopes { StandardError.write("note: \(note)") }
            var findings =
                configuration.exposedSecretFiles
                + configuration.expiryFindings(now: SystemUnixClock().now())
            if strict { findings += configuration.advice }
            for finding in findings { StandardError.write(strict ? "\(finding)" : "warning: \(finding)") }
            if strict, !findings.isEmpty { throw ExitCode(LiveReport.wrong) }
            // One JSON object is all that is printed.
            if !json { print("The configuration is valid.") }
            guard live else { return }
            let report = LiveReport(
                checks: try await LiveChecks(configuration: configuration).run(
                    on: MultiThreadedEventLoopGroup.singleton))
            if json {
                print(String(decoding: report.json, as: UTF8.self))
            } else {
                for line in report.lines { print(line) }
            }
            if report.status != 0 { throw ExitCode(report.status) }
        }
    }
#endif
