// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `oidc-broker keys`, by which an operator makes keys, looks at them and changes them.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Create, list and rotate keys, without a failed sign-in.",
        discussion: """
            Exit status 78: invalid key file. 75: too early for this step, or another process is changing the file. 1: \
            a file cannot be written.

            Example: oidc-broker keys new sealing --output sealing-keys
            """,
        subcommands: [NewKeyCommand.self, ListKeysCommand.self, PublicKeysCommand.self, RotateKeysCommand.self])
}
