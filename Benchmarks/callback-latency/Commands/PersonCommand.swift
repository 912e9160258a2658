// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import LatencyMeasurement

/// The command `callback-latency person`, which starts a target and its provider and signs in once a second, each time
/// on a new connection.
///
/// It is used by `hostile-traffic`, which loads the same target from another process, and prints lines of
/// ``PersonReport``.
struct PersonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "person", abstract: "Sign in once a second, whatever else happens; hostile-traffic uses it.",
        discussion: "Example: callback-latency person --target Benchmarks/targets/ours.json --duration 10",
        shouldDisplay: false)

    @OptionGroup var options: MeasurementOptions

    @Option(help: ArgumentHelp("The target file.", valueName: "file"))
    var target = "Benchmarks/targets/ours.json"

    @Option(help: "What the provider signs ID tokens with: es256 or rs256.")
    var algorithm = SignatureAlgorithm.es256

    func run() async throws {
        let workplace = try options.prepare()
        defer { workplace.remove() }
        let interruption = Interruption(workplace)
        defer { interruption.stop() }
        let file = try TargetFile(json: SystemFile.bytes(target))
        let loops = options.makeLoops()
        var settings = options.settings()
        settings.checks = false
        let session = try await TargetSession.open(
            file, setting: options.setting(algorithm), settings: settings, workplace: workplace, loops: loops)
        guard let port = session.port, let processID = session.processID else {
            await session.close()
            throw LatencyToolError("\(file.name): not started here, or its base names no port")
        }
        Self.write(.ready(port: port, processID: processID))
        do {
            try await Self.signIn(session.person, times: max(1, Int(options.duration)))
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        await loops.stop()
    }

    /// Begins a sign-in every second, whether or not the previous one has ended.
    private static func signIn(_ person: SingleSignIn, times: Int) async throws {
        let begin = MonotonicClock.now()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for second in 0..<times {
                let rest = begin + Int64(second) * 1_000_000_000 - MonotonicClock.now()
                if rest > 0 { try await Task.sleep(for: .nanoseconds(rest)) }
                group.addTask { write(report(try await person.run())) }
            }
            try await group.waitForAll()
        }
    }

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
