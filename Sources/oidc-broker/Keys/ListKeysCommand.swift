// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OIDCBrokerServer

/// The command `oidc-broker keys list`.
struct ListKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "One line a key: position, what it is for, algorithm, size, identifier. Nothing secret.",
        discussion: """
            The identifier of a key that signs is its kid in the key set and in tokens; that of a sealing key is in \
            what it sealed. Example:

              oidc-broker keys list /etc/oidc-broker/signing-keys.pem
            """)

    @OptionGroup var source: KeyFileArguments

    func run() throws {
        for line in try source.read().lines { print(line) }
    }
}
