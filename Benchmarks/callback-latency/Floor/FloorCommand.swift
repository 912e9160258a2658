// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `callback-latency floor`, a server that only handles the requests of a sign-in.
///
/// Its cost is that of SwiftNIO, below which no relying party on it can be. It is not a peer, since it checks nothing.
struct FloorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "floor",
        abstract: "Serve redirects and one upstream request a callback, and check nothing: the floor of the table.",
        discussion: "Example: callback-latency floor --port 8080 --issuer http://127.0.0.1:9443",
        shouldDisplay: false)

    @Option(help: "The port.")
    var port: Int

    @Option(help: "The provider's issuer, over plain HTTP on this machine.")
    var issuer: String

    func run() async throws {
        try await FloorServer(port: port, issuer: issuer).serve()
    }
}
