// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `callback-latency floor`: a server that does nothing of a sign-in but its requests.
///
/// What it costs is what SwiftNIO costs: no relying party on it can be cheaper. It is no peer, since it checks nothing.
struct FloorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Serve redirects and one upstream request a callback, and check nothing: the floor of the table.",
        shouldDisplay: false)

    @Option(help: "The port.")
    var port: Int

    @Option(help: "The provider's issuer, over plain HTTP on this machine.")
    var issuer: String

    func run() async throws {
        try await FloorServer(port: port, issuer: issuer).serve()
    }
}
