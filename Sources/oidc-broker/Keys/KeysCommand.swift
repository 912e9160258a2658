// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `oidc-broker keys`, by which an operator makes keys, looks at them and changes them.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Make keys, look at them, and change them without a failed sign-in.",
        discussion: """
            Exit status 78: the file is not one that the configuration would accept. 75: what is asked for comes too \
            early, or another process is changing the file. 1: a file cannot be written.

            Example: oidc-broker keys new sealing --output sealing-keys
            """,
        subcommands: [NewKeyCommand.self, ListKeysCommand.self, PublicKeysCommand.self, RotateKeysCommand.self])
}
