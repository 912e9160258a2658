// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command line tool.
@main
struct OIDCBrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oidc-broker",
        abstract: "A self-hosted sign-in broker for OpenID Connect, with optional user accounts.",
        discussion: "Example: oidc-broker serve --config broker.yaml",
        version: Version.text,
        subcommands: subcommands)

    private static var subcommands: [any ParsableCommand.Type] {
        var commands: [any ParsableCommand.Type] = [
            KeysCommand.self, AppleSecretCommand.self, MovedCommand.self,
        ]
        #if SQLite || PostgreSQL
            commands.insert(AccountsCommand.self, at: 0)
        #endif
        #if PostgreSQL
            commands.append(StoreCommand.self)
        #else
            commands.append(MissingStoreCommand.self)
        #endif
        #if Server
            commands.insert(
                contentsOf: [ServeCommand.self, CheckConfigCommand.self, HealthCheckCommand.self, ExplainCommand.self],
                at: 0)
        #endif
        return commands
    }
}
