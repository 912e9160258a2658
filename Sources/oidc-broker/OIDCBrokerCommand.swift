// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command line tool.
@main
struct OIDCBrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oidc-broker",
        abstract: "The callback URL of your sign-in, on your own server.",
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        #if Server
            [ServeCommand.self, CheckConfigCommand.self, DemoCommand.self, ProviderCommand.self]
        #else
            [DemoCommand.self, ProviderCommand.self]
        #endif
    }
}
