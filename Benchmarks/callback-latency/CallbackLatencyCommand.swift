// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import NIOPosix

/// Measures what a person waits for: start, return and redemption of complete sign-ins, over real sockets.
///
/// Every sign-in goes through the shipped code path: authorize, the provider's answer, the code exchange, the verified
/// ID token, the hand-off and its redemption. Only sign-ins whose code redeems count.
@main
struct CallbackLatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callback-latency",
        abstract: "Drives complete sign-ins against this broker and prints how long each part took.",
        discussion: "Build it with -c release: a debug build says nothing about speed.")

    @Option(help: "How many sign-ins are measured.")
    var signIns = 1000

    @Option(help: "How many run before, unmeasured.")
    var warmUp = 100

    @Option(help: "How many run at a time.")
    var concurrency = 1

    @Option(help: "What the provider signs ID tokens with: es256 or rs256.")
    var algorithm = "es256"

    func validate() throws {
        guard signIns > 0, warmUp >= 0, (1...1024).contains(concurrency) else {
            throw ValidationError("sign-ins must be positive, warm-up not negative, concurrency 1 to 1024")
        }
        guard ["es256", "rs256"].contains(algorithm) else {
            throw ValidationError("algorithm must be es256 or rs256")
        }
    }

    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let target = try await MeasuredBroker.start(algorithm: algorithm, on: group)
        do {
            _ = try await SignInLoad(target: target, count: warmUp, concurrency: concurrency).run()
            let report = try await SignInLoad(target: target, count: signIns, concurrency: concurrency).run()
            print(report.table)
        } catch {
            try? await target.stop()
            throw error
        }
        try await target.stop()
    }
}
