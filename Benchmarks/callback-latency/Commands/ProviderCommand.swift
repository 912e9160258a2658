// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import NIOPosix
import OIDCBrokerTesting

/// The command `callback-latency provider`, which runs only the provider of the measurements.
struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Serve the fast provider's documents until interrupted, to look at them.",
        discussion: """
            It has no sign-in page: users sign in inside the process that measures.

            Example: callback-latency provider --algorithm rs256 --port 9443
            """,
        shouldDisplay: false)

    @Option(help: "What it signs with: es256 or rs256.")
    var algorithm = SignatureAlgorithm.es256

    @Option(help: "The port; 0 for any.")
    var port = 0

    func run() async throws {
        let provider = try await FastProvider.start(
            FastProvider.Configuration(algorithm: algorithm, port: port),
            on: MultiThreadedEventLoopGroup(numberOfThreads: 1))
        print("Issuer: \(provider.issuers.joined(separator: ", "))")
        while !Task.isCancelled { try await Task.sleep(for: .seconds(3600)) }
        await provider.stop()
    }
}
