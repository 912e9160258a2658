// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The commands `oidc-broker demo` and `oidc-broker provider` of old, which say what to run instead.
struct MovedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Moved to the program oidc-broker-demo.",
        shouldDisplay: false, aliases: ["provider"])

    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws {
        StandardError.write(
            "oidc-broker: this is now the program oidc-broker-demo; in a clone: swift run oidc-broker-demo [provider]")
        throw ExitCode.failure
    }
}
