// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatencyMeasurement

/// The command `callback-latency run`, which measures one target under one load.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measure one relying party: latencies, throughput, processor time, memory, first sign-in.",
        discussion: """
            Closed loop by default: --concurrency users, each beginning anew when it is done. With --rate sign-ins \
            arrive at a constant rate, and latency is counted from when each was meant to begin.

            --part accounts measures the wire of accounts instead, for each --operation with a server and a database of \
            its own. What --algorithm says is then also the kind of the key that signs the ID tokens of accounts.

            --browser measures what a real browser costs, whose connections are new or resumed. Latencies have the \
            handshake in them. A handshake with another group, cipher suite or kind of certificate than was asked for, \
            or one that is not resumed, ends the measurement. --idle-connections are then connections of browsers after \
            a start, and the memory of each is reported.

            Exit status 1: no sign-in was verified, or the target took what it must refuse; with --strict also where one \
            went wrong.

            Example: callback-latency run --target Benchmarks/targets/ours.json --rate 2000 --json result.json
            """)

    @OptionGroup var options: MeasurementOptions

    @OptionGroup var browsers: BrowserOptions

    @Option(help: ArgumentHelp("The target file.", valueName: "file"))
    var target = "Benchmarks/targets/ours.json"

    @Option(help: "What the provider signs ID tokens with: es256 or rs256.")
    var algorithm = SignatureAlgorithm.es256

    @Option(help: "How many sign-ins run at a time; with --rate at most.")
    var concurrency = 64

    @Option(
        help: ArgumentHelp(
            "Sign-ins a second, as an open loop; of the operation mixed those beside the lookups, 200 by default.",
            valueName: "per second"))
    var rate: Double?

    @Option(
        help: """
            What one sign-in consists of: sign-in; start; redemption, of what the warm-up signed in for; accounts, the \
            operations of people who have accounts.
            """)
    var part = LoadShape.Extent.signIn

    @Option(help: "Of the part accounts only this operation; all of them by default, one after another.")
    var operation: AccountOperation?

    @Option(help: ArgumentHelp("The share of sign-ins whose credential is redeemed, 0 to 1.", valueName: "share"))
    var redeem = 1.0

    @Option(help: "How many providers the target is configured with, 1 to 1000.")
    var providers = 1

    @Option(help: "How many further connections stand open meanwhile.")
    var idleConnections = 0

    @Option(help: "How often it is measured; compare takes its noise from repetitions.")
    var rounds = 1

    @Option(help: ArgumentHelp("The process of a target that runs already.", valueName: "pid"))
    var pid: Int?

    @Flag(help: "One sign-in that went wrong is a failure.")
    var strict = false

    @Option(help: ArgumentHelp("Write the result here, for compare.", valueName: "file"))
    var json: String?

    @Option(help: ArgumentHelp("Write a report here: one page, no network needed.", valueName: "file"))
    var html: String?

    func validate() throws {
        guard (1...20_000).contains(concurrency), (1...1000).contains(providers), (1...100).contains(rounds) else {
            throw ValidationError("concurrency is 1 to 20000, providers 1 to 1000, rounds 1 to 100")
        }
        guard (0...1).contains(redeem), (0...60_000).contains(idleConnections) else {
            throw ValidationError("redeem is 0 to 1, idle-connections 0 to 60000")
        }
        if part == .redemption, rate != nil { throw ValidationError("redemptions alone are a closed loop") }
        if let rate, !(rate > 0 && rate <= 1_000_000) { throw ValidationError("rate is above 0, up to 1000000") }
        if browsers.browser, part == .accounts || part == .redemption {
            throw ValidationError("browsers make sign-ins and starts")
        }
        try validateAccounts()
    }

    private func validateAccounts() throws {
        guard part == .accounts else {
            if operation != nil { throw ValidationError("operation is of the part accounts") }
            return
        }
        guard providers == 1, idleConnections == 0, options.threads == 1, pid == nil else {
            throw ValidationError("of accounts there is one provider and one thread; no idle-connections and no pid")
        }
        // No longer than the tokens are taken that were signed before the load.
        guard options.duration + options.warmUp <= 600, concurrency <= 1024 else {
            throw ValidationError("of accounts duration and warm-up are up to 600 s, concurrency up to 1024")
        }
        if let rate, rate > AccountPlan.mostSignInsPerSecond || (operation ?? .mixed) != .mixed {
            throw ValidationError("of accounts rate is that of the operation mixed, up to 200")
        }
    }

    func run() async throws {
        let workplace = try options.prepare()
        defer { workplace.remove() }
        let interruption = Interruption(workplace)
        defer { interruption.stop() }
        let machine = options.machine
        let file = try TargetFile(json: SystemFile.bytes(target))
        let awake = try options.keepAwake(workplace)
        defer { awake.stop() }
        let loops = options.makeLoops()
        if part == .accounts {
            var accounts = AccountRun(
                options: options, workplace: workplace, loops: loops, file: file, algorithm: algorithm,
                concurrency: concurrency, rate: rate ?? AccountPlan.mostSignInsPerSecond,
                operations: operation.map { [$0] } ?? AccountOperation.allCases, rounds: rounds)
            try await accounts.measure()
            await loops.stop()
            return try finish(accounts.runs, refused: accounts.refused, machine: machine)
        }
        var shape = options.shape(
            rate == nil ? .closed : .open, part, concurrency: concurrency, rate: rate, redeemed: redeem,
            algorithm: algorithm, providers: providers, idleConnections: idleConnections)
        if let connections = browsers.connections {
            shape.browser = connections
            shape.isTLS = true
            shape.isHTTP2 = true
        }
        let session = try await TargetSession.open(
            file, setting: TargetSession.Setting(shape, algorithm),
            settings: options.settings(processID: pid), workplace: workplace, loops: loops)
        var runs: [MeasuredRun] = []
        do {
            for round in 1...rounds {
                let run = try await session.measure(shape, round: round)
                runs.append(run)
                print((round > 1 ? "\n" : "") + RunTable.text(run))
            }
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        await loops.stop()
        try finish(runs, refused: session.findings.refused, machine: machine)
    }

    /// Writes the results, and fails if they must not be relied on.
    private func finish(_ runs: [MeasuredRun], refused: [String], machine: MachineDescription) throws {
        if options.checks, !refused.isEmpty {
            print("refused, as it must be: \(refused.joined(separator: ", "))")
        }
        try ResultOutput(json: json, html: html).write(ResultFile(machine: machine, runs: runs))
        let isBroken = runs.contains { run in
            run.verified == 0 || !run.accepted.isEmpty || run.tookSpoiledToken || strict && run.errorCount > 0
        }
        if isBroken { throw ExitCode.failure }
    }
}

extension LoadShape.Extent: ExpressibleByArgument {}
