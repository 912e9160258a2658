// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement
import NIOCore
import NIOPosix

/// A command that sends the worst input of every kind to the executable while others sign in.
@main
struct HostileTrafficCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hostile-traffic",
        abstract: "Sends the worst input of every kind to a broker of its own while one more user signs in.",
        discussion: """
            Everything stays on this machine: connections come from 127.0.0.2 and the addresses behind it, sign-ins \
            from 127.0.1.1 and those behind it. With --ipv6 they come from two /48s of 2001:db8::/32, to which this \
            adds a route while it runs.

            Exit status 1: a sign-in failed, the broker took more memory than it may, a limit granted too much, or no \
            control group or route could be made for it. How long a callback took is reported, and validated by hand.

            Example: hostile-traffic --duration 60 --memory-limit-mib 512 --max-rss-mb 256 --max-group-mb 400
            """)

    @Option(help: "How long, seconds.")
    var duration = 600

    @Option(help: ArgumentHelp("The target file: one that configures the broker as ours.json does.", valueName: "file"))
    var target = "Benchmarks/targets/ours.json"

    @Option(help: ArgumentHelp("What the broker may have in memory, megabytes.", valueName: "MB"))
    var maxRssMb = 256.0

    @Option(help: ArgumentHelp("Runs the broker in a control group with this limit.", valueName: "MiB"))
    var memoryLimitMib: Int?

    @Option(help: ArgumentHelp("What that group may have at most, sockets included, megabytes.", valueName: "MB"))
    var maxGroupMb: Double?

    @Option(help: "From how many addresses.")
    var addresses = 20

    @Option(help: "How many connections from each at a time; 0: no hostile traffic.")
    var connections = 4

    @Flag(help: "Over IPv6; takes root, and a target file with ${ADDRESS} and ${HOST}.")
    var ipv6 = false

    @Option(help: "How many begin to sign in each second.")
    var signInsPerSecond = 1

    @Option(help: "From how many addresses they sign in, in turn.")
    var signInAddresses = 1

    @Option(help: "How long they go on after the last hostile connection, seconds.")
    var afterwards = 2

    @Flag(inversion: .prefixedNo, help: "Over TLS, with HTTP/2; otherwise what needs either is left out.")
    var http2 = true

    @Flag(
        help:
            "With accounts, which the target file must have; without, inputs that sign in are left out, and no session is refreshed."
    )
    var accounts = false

    @Option(parsing: .upToNextOption, help: ArgumentHelp("These kinds of input alone.", valueName: "kind"))
    var only: [HostileInput] = []

    @Option(help: ArgumentHelp("The broker; by default oidc-broker beside this tool.", valueName: "file"))
    var broker: String?

    @Option(help: ArgumentHelp("The tool that signs in; by default callback-latency beside this.", valueName: "file"))
    var tool: String?

    func validate() throws {
        guard (1...3000).contains(duration), (1...250).contains(addresses), (0...256).contains(connections) else {
            throw ValidationError("duration is 1 to 3000, addresses 1 to 250, connections 0 to 256")
        }
        guard (1...1000).contains(signInsPerSecond), (1...250).contains(signInAddresses), (2...600).contains(afterwards)
        else {
            throw ValidationError("sign-ins-per-second is 1 to 1000, sign-in-addresses 1 to 250, afterwards 2 to 600")
        }
        guard maxRssMb > 0, maxGroupMb ?? 1 > 0 else { throw ValidationError("max-rss-mb, max-group-mb are above 0") }
        guard (16...1 << 20).contains(memoryLimitMib ?? 16) else {
            throw ValidationError("memory-limit-mib is 16 to 1048576")
        }
        if maxGroupMb != nil, memoryLimitMib == nil { throw ValidationError("max-group-mb needs memory-limit-mib") }
        if !http2, only.contains(where: \.needsTLS) { throw ValidationError("some of these need TLS or HTTP/2") }
        if !accounts, only.contains(where: \.signsIn) { throw ValidationError("some of these inputs need --accounts") }
    }

    func run() async throws {
        let memoryGroup = try memoryLimitMib.map { try MemoryGroup(mebibytes: $0) }
        // After the user has stopped the target.
        defer { memoryGroup?.remove() }
        let route = try ipv6 ? ClientRoute() : nil
        defer { route?.remove() }
        // The user continues after the attack, so that a refused connection is due to the target and not to the end of
        // the run.
        let seconds = duration + afterwards
        var arguments = ["--target", target, "--duration", String(seconds), "--no-progress"]
        arguments += ["--rate", String(signInsPerSecond), "--addresses", String(signInAddresses)]
        if http2 { arguments.append("--http2") }
        if ipv6 { arguments.append("--ipv6") }
        if accounts { arguments.append("--accounts") }
        if let broker { arguments += ["--broker", broker] }
        if let memoryGroup { arguments += ["--control-group", memoryGroup.processes] }
        let person = try Person(tool: tool ?? Self.neighbour("callback-latency"), arguments: arguments) {
            route?.remove()
            memoryGroup?.remove()
        }
        defer { person.stop() }
        var reports = person.reports.makeAsyncIterator()
        guard case .ready(let port, let processID) = await reports.next() else {
            throw ValidationError("no user could sign in: the target did not come up")
        }
        let kinds: [HostileInput] = connections == 0 ? [] : only.isEmpty ? HostileInput.allCases : only
        let inputs = kinds.filter { (http2 || !$0.needsTLS) && (accounts || !$0.signsIn) }
        let clients: ClientAddresses = ipv6 ? .ipv6 : .ipv4
        let attack = Attack(
            port: port, isTLS: http2, inputs: inputs, clients: clients, addresses: addresses, connections: connections)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // Memory is sampled with each report, at least once a second.
        let time = TimeAmount.seconds(Int64(duration))
        async let sent = attack.run(for: time, on: group)
        var verdict = HostileVerdict(
            expected: seconds * signInsPerSecond, residentBound: maxRssMb, groupBound: maxGroupMb)
        while let report = await reports.next() {
            verdict.add(report)
            if let memory = SystemFile.text("/proc/\(processID)/status").flatMap({ ResidentMemory($0) }) {
                verdict.add(resident: memory.peakMegabytes)
                verdict.residentAtEnd = memory.nowMegabytes
            }
            if let peak = memoryGroup?.peak { verdict.add(group: peak) }
        }
        let counts = try await sent
        try await group.shutdownGracefully()
        verdict.check(
            counts, of: inputs, seconds: duration, networks: clients.accountNetworks(of: addresses),
            connections: connections * clients.accountClients(of: addresses))
        verdict.unsent = inputs.filter { (counts[$0]?.sent ?? 0) == 0 && !$0.isConnectionAlone }
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
