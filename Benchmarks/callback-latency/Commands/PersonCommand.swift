// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement
import NIOCore

/// The command `callback-latency person`, which starts a target and its provider and signs in again and again, each
/// time on a new connection.
///
/// It is used by `hostile-traffic`, which loads the same target from another process, and prints lines of
/// ``PersonReport``.
struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Sign in at a rate, whatever else happens; hostile-traffic uses it.",
        discussion: "Example: callback-latency person --target Benchmarks/targets/ours.json --duration 10",
        shouldDisplay: false)

    @OptionGroup var options: MeasurementOptions

    @Option(help: ArgumentHelp("The target file.", valueName: "file"))
    var target = "Benchmarks/targets/ours.json"

    @Option(help: "What the provider signs ID tokens with: es256 or rs256.")
    var algorithm = SignatureAlgorithm.es256

    @Option(help: "How many sign-ins begin each second.")
    var rate = 1

    @Option(help: "How many addresses they come from in turn: 127.0.1.1 and those behind it.")
    var addresses = 1

    @Flag(help: "Over IPv6, from addresses that have a route already.")
    var ipv6 = false

    @Flag(help: "Once a second, a new user gets an account with a native ID token and refreshes the session.")
    var accounts = false

    @Option(help: ArgumentHelp("Where the target writes its process ID to enter a control group.", valueName: "file"))
    var controlGroup: String?

    func validate() throws {
        guard (1...1000).contains(rate), (1...250).contains(addresses) else {
            throw ValidationError("rate is 1 to 1000, addresses 1 to 250")
        }
    }

    func run() async throws {
        let workplace = try options.prepare()
        defer { workplace.remove() }
        let interruption = Interruption(workplace)
        defer { interruption.stop() }
        let file = try TargetFile(json: SystemFile.bytes(target))
        guard !ipv6 || file.base.contains("${HOST}") else {
            throw LatencyToolError("\(file.name): its base has no ${HOST}, which IPv6 needs")
        }
        let loops = options.makeLoops()
        var settings = options.settings()
        settings.checks = false
        settings.controlGroup = controlGroup
        var setting = options.setting(algorithm)
        setting.addresses = clients
        // An RSA key, whose signatures others may have to wait for.
        if accounts { setting.accounts = try AccountsSetup(.rs256) }
        let session = try await TargetSession.open(
            file, setting: setting, settings: settings, workplace: workplace, loops: loops)
        guard let port = session.port, let processID = session.processID else {
            await session.close()
            throw LatencyToolError("\(file.name): not started here, or its base names no port")
        }
        Self.write(.ready(port: port, processID: processID))
        do {
            try await signIn(session.person, session.newcomers)
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        await loops.stop()
    }

    /// Begins sign-ins at the rate, whether or not the previous ones have ended.
    private func signIn(_ person: SingleSignIn, _ newcomers: Newcomers?) async throws {
        let people = try (0..<addresses).map { number in
            var person = person
            person.plan.source = try SocketAddress(ipAddress: clients.signIn(number), port: 0)
            return person
        }
        let times = max(1, Int(options.duration)) * rate
        let begin = MonotonicClock.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<times {
                let rest = begin + Int64(number) * 1_000_000_000 / Int64(rate) - MonotonicClock.now()
                if rest > 0 { try await Task.sleep(for: .nanoseconds(rest)) }
                let person = people[number % people.count]
                // One a second, since all clients together may make ten accounts a second.
                let newcomers = number % rate == 0 ? newcomers : nil
                group.addTask {
                    var report = Self.report(try await person.run())
                    if case .signedIn = report, let fault = try await newcomers?.fault(of: number + 1, as: person) {
                        report = .failed(fault)
                    }
                    Self.write(report)
                }
            }
            try await group.waitForAll()
        }
    }

    private var clients: ClientAddresses { ipv6 ? .ipv6 : .ipv4 }

    private static func report(_ outcome: SignInOutcome) -> PersonReport {
        switch outcome {
        case .verified(let sample, _):
            .signedIn(callback: sample.callback ?? 0, whole: sample.end - sample.intendedStart)
        case .refused(let kind, _), .failed(let kind, _):
            .failed(kind)
        }
    }

    /// Writes a line without buffering, because the reader waits for it.
    private static func write(_ report: PersonReport) {
        FileHandle.standardOutput.write(Data((report.line + "\n").utf8))
    }
}
