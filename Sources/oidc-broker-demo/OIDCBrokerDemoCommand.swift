// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command line tool that is not needed to run a server: a complete sign-in to try out, and a provider to try
/// against.
@main
struct OIDCBrokerDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oidc-broker-demo",
        abstract: "Try a complete sign-in on this machine, or run a development OpenID Provider.",
        discussion: "Example: oidc-broker-demo --check",
        subcommands: [DemoCommand.self, ProviderCommand.self],
        defaultSubcommand: DemoCommand.self)
}
