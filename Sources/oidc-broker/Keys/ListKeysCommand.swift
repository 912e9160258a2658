// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer

/// The command `oidc-broker keys list`.
struct ListKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List keys, one on each line: position, purpose, algorithm, size, identifier. No secrets.",
        discussion: """
            The identifier of a signing key is its kid in the key set and in tokens. That of a sealing key is part of \
            everything it has sealed. Example:

              oidc-broker keys list /etc/oidc-broker/signing-keys.pem
            """)

    @OptionGroup var source: KeyFileArguments

    func run() throws {
        for line in try source.read().lines { print(line) }
    }
}
