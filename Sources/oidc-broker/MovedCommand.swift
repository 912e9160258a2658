// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The commands `oidc-broker demo` and `oidc-broker provider` of old, which say what to run instead.
struct MovedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Say that the demo and the provider are the program oidc-broker-demo.",
        shouldDisplay: false, aliases: ["provider"])

    @Argument(parsing: .captureForPassthrough, help: .hidden)
    var arguments: [String] = []

    func run() throws {
        StandardError.write(
            "oidc-broker: that is the program oidc-broker-demo now; in a clone: swift run oidc-broker-demo [provider]")
        throw ExitCode.failure
    }
}
