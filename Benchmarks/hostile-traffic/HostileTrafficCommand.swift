// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement
import NIOCore
import NIOPosix

/// A command that sends the worst input of every kind to the executable while a user signs in once a second.
@main
struct HostileTrafficCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile-traffic",
        abstract: "Sends the worst input of every kind to a broker of its own while one more person signs in.",
        discussion: """
            Everything stays on this machine: connections come from 127.0.0.2 and the addresses behind it.

            Exit status 1: a sign-in failed, or the broker took more memory than it may. How long a callback took is \
            reported, and validated by hand.

            Example: hostile-traffic --duration 60 --max-rss-mb 512
            """)

    @Option(help: "How long, seconds.")
    var duration = 600

    @Option(help: ArgumentHelp("The target file: one that configures the broker as ours.json does.", valueName: "file"))
    var target = "Benchmarks/targets/ours.json"

    @Option(help: ArgumentHelp("What the broker may have in memory, megabytes.", valueName: "MB"))
    var maxRssMb = 256.0

    @Option(help: "From how many addresses.")
    var addresses = 20

    @Option(help: "How many connections from each at a time.")
    var connections = 4

    @Flag(inversion: .prefixedNo, help: "Over TLS, with HTTP/2; otherwise what needs HTTP/2 is left out.")
    var http2 = true

    @Option(parsing: .upToNextOption, help: ArgumentHelp("These kinds of input alone.", valueName: "kind"))
    var only: [HostileInput] = []

    @Option(help: ArgumentHelp("The broker; by default oidc-broker beside this tool.", valueName: "file"))
    var broker: String?

    @Option(help: ArgumentHelp("The tool that signs in; by default callback-latency beside this.", valueName: "file"))
    var tool: String?

    func validate() throws {
        guard (1...3600).contains(duration), (1...250).contains(addresses), (1...64).contains(connections) else {
            throw ValidationError("duration is 1 to 3600, addresses 1 to 250, connections 1 to 64")
        }
        guard maxRssMb > 0 else { throw ValidationError("max-rss-mb is above 0") }
        if !http2, only.contains(where: \.isHTTP2) { throw ValidationError("some of these need HTTP/2") }
    }

    func run() async throws {
        // The user continues after the attack, so that a refused connection is due to the target and not to the end of
        // the run.
        let signIns = duration + 2
        var arguments = ["--target", target, "--duration", String(signIns), "--no-progress"]
        if http2 { arguments.append("--http2") }
        if let broker { arguments += ["--broker", broker] }
        let person = try Person(tool: tool ?? Self.neighbour("callback-latency"), arguments: arguments)
        defer { person.stop() }
        var reports = person.reports.makeAsyncIterator()
        guard case .ready(let port, let processID) = await reports.next() else {
            throw ValidationError("no user could sign in: the target did not come up")
        }
        let inputs = (only.isEmpty ? HostileInput.allCases : only).filter { http2 || !$0.isHTTP2 }
        let attack = Attack(port: port, isTLS: http2, inputs: inputs, addresses: addresses, connections: connections)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // Memory is sampled with each report, of which there is one a second.
        let time = TimeAmount.seconds(Int64(duration))
        async let sent = attack.run(for: time, on: group)
        var verdict = HostileVerdict(expected: signIns, residentBound: maxRssMb)
        while let report = await reports.next() {
            verdict.add(report)
            if let peak = TargetMemory.peak(of: processID) { verdict.add(resident: peak) }
        }
        let counts = try await sent
        try await group.shutdownGracefully()
        verdict.unsent = inputs.filter { (counts[$0]?.sent ?? 0) == 0 && $0 != .silence }
        print(HostileReport.text(inputs, counts, verdict))
        if !verdict.faults.isEmpty { throw ExitCode.failure }
    }

    /// Returns the path of an executable next to this one.
    private static func neighbour(_ name: String) -> String {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let own = link ?? CommandLine.arguments[0]
        return URL(filePath: own).deletingLastPathComponent().appending(path: name).path
    }
}

extension HostileInput: ExpressibleByArgument {
    /// Parses the name of a case, since titles contain spaces.
    package init?(argument: String) {
        guard let input = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = input
    }

    package static var allValueStrings: [String] { allCases.map { "\($0)" } }
}
