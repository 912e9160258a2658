// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The measurements of a table while they are made.
struct TableRun {
    let options: MeasurementOptions
    let workplace: Workplace
    let loops: MeasurementLoops
    let concurrency: Int
    /// The number of measurements of each target in a round.
    let turns: Int
    /// The maximum wait for a quiet machine, in seconds.
    let quiet: Int
    /// The targets that are measured under the loads without peers.
    let alone: [String]
    /// The targets that are this broker, in any configuration and build.
    let ours: [String]
    /// The executable of the optimized build; `nil` if it is not measured.
    let optimizedBroker: String?
    /// The sign-ins per second of the open loop.
    let openLoopRate: Int
    /// The number of abandoned logins.
    let abandoned: Int

    /// The results.
    private(set) var runs: [MeasuredRun] = []
    /// What was left out, and why.
    private(set) var notes: [String] = []
    /// The known versions of the targets.
    private(set) var versions: [String: String] = [:]
    /// The targets, each with an algorithm, whose refusals have been checked.
    private var checked: Set<String> = []

    /// The maximum duration of a measurement with idle connections in seconds, because servers close those after a
    /// minute.
    private static let longestWithConnections = 30.0
    /// The factor by which the measurement at a constant rate is longer than others: percentiles of the tail require
    /// many sign-ins.
    private static let rateDuration = 3.0
    /// The share of its capacity up to which a target is measured at a constant rate. Beyond it latencies only say how
    /// long the measurement was.
    private static let sustainable = 0.9
    /// The minimum time for collecting credentials to redeem, in seconds.
    private static let collecting = 1.5
    /// The maximum time for abandoning logins, in seconds.
    private static let longestAbandoning = 1800.0

    init(
        options: MeasurementOptions, workplace: Workplace, loops: MeasurementLoops, concurrency: Int, turns: Int,
        quiet: Int, ours: [String], alone: [String], optimizedBroker: String?, openLoopRate: Int, abandoned: Int
    ) {
        self.options = options
        self.workplace = workplace
        self.loops = loops
        self.concurrency = concurrency
        self.turns = turns
        self.quiet = quiet
        self.ours = ours
        self.alone = alone
        self.optimizedBroker = optimizedBroker
        self.openLoopRate = openLoopRate
        self.abandoned = abandoned
    }

    /// Whether a target is installed. If not, that is noted once.
    mutating func isInstalled(_ file: TargetFile) -> Bool {
        let isInstalled = workplace.isInstalled(file)
        if !isInstalled { note("\(file.name) is not installed: left out.") }
        return isInstalled
    }

    /// Measures targets under one load. All are launched and then take turns. Targets that cannot be measured are
    /// noted, and the others continue.
    ///
    /// - Parameter round: The number of the round. Each turn in it counts as a round of its own in the results.
    mutating func measure(
        _ load: TableLoad, _ files: [TargetFile], _ algorithm: SignatureAlgorithm, round: Int
    ) async {
        var launches: [Launch] = []
        for file in files { launches += await launch(load, file, algorithm, round: round) }
        var failed: Set<Int> = []
        for turn in 1...(load.isOnce ? 1 : turns) {
            StandardError.write("\nRound \(round), turn \(turn), \(load.rawValue), \(algorithm.rawValue)")
            for number in TurnOrder.order(of: launches.count, turn: turn) where !failed.contains(number) {
                let launch = launches[number]
                do {
                    for step in launch.steps {
                        try await measure(step, launch, algorithm, round: (round - 1) * turns + turn)
                    }
                } catch {
                    failed.insert(number)
                    note("\(launch.file.name), \(algorithm.rawValue), \(launch.title): \(firstLine("\(error)")).")
                }
            }
        }
        for launch in launches { await launch.session.close() }
    }

    /// A running target and its load.
    private struct Launch {
        let file: TargetFile
        let steps: [TableStep]
        let title: String
        let session: TargetSession
    }

    /// Launches a target as often as a load requires; returns none if it cannot be measured.
    private mutating func launch(
        _ load: TableLoad, _ file: TargetFile, _ algorithm: SignatureAlgorithm, round: Int
    ) async -> [Launch] {
        guard !load.isForOursAlone || alone.contains(file.name), file.takes(load) else { return [] }
        if load == .browser || load == .browserMemory, !SystemFile.exists(workplace.browser) {
            note("browser-connections is not installed: \(load.rawValue) is left out.")
            return []
        }
        guard file.supports(algorithm: algorithm.rawValue) else {
            note("\(file.name) does not verify \(algorithm.rawValue): left out there.")
            return []
        }
        // Only for targets with a code to redeem; a page that requires a session is not comparable.
        if load == .redeem, file.callback.codeParameter == nil || file.redeem == nil { return [] }
        let shapes = load.launches.compactMap(\.first).map { driven($0, algorithm) }
        if let hindrance = shapes.compactMap({ Self.hindrance(file, $0) }).first {
            note("\(file.name) \(hindrance): left out there.")
            return []
        }
        StandardError.write("\nRound \(round), \(load.rawValue), \(algorithm.rawValue): launching \(file.name)")
        var launches: [Launch] = []
        for (steps, shape) in zip(load.launches, shapes) {
            guard let session = await open(file, shape, algorithm) else { continue }
            launches.append(Launch(file: file, steps: steps, title: shape.title, session: session))
        }
        return launches
    }

    /// Launches a target; `nil`, and noted, if it does not run.
    private mutating func open(
        _ file: TargetFile, _ shape: LoadShape, _ algorithm: SignatureAlgorithm
    ) async -> TargetSession? {
        await QuietMachine.wait(seconds: quiet)
        let kind = "\(file.name), \(algorithm.rawValue)"
        var settings = options.settings()
        // What a target refuses does not differ between launches.
        settings.checks = settings.checks && !checked.contains(kind)
        do {
            let session = try await TargetSession.open(
                file, setting: TargetSession.Setting(shape, algorithm), settings: settings,
                workplace: workplace(for: file), loops: loops)
            checked.insert(kind)
            if versions[file.name] == nil { versions[file.name] = version(of: file, session) }
            return session
        } catch {
            note("\(kind), \(shape.title): left out, \(firstLine("\(error)")).")
            return nil
        }
    }

    private mutating func measure(
        _ step: TableStep, _ launch: Launch, _ algorithm: SignatureAlgorithm, round: Int
    ) async throws {
        let (file, session) = (launch.file, launch.session)
        var shape = driven(step, algorithm)
        var duration = options.duration
        if shape.idleConnections > 0 { duration = min(duration, Self.longestWithConnections) }
        if step == .rate {
            guard let capacity = capacity(of: file.name, algorithm, round: round) else { return }
            guard Double(openLoopRate) <= capacity * Self.sustainable else {
                note("\(file.name) cannot sustain \(openLoopRate) sign-ins a second: left out there.")
                return
            }
            shape.rate = Double(openLoopRate)
            duration *= Self.rateDuration
        }
        if step == .abandoned {
            // A trial determines how long it takes, and lets the target settle.
            let trial = try await session.measure(shape, round: round)
            guard trial.verified > 0 else { throw LatencyToolError("no start was verified") }
            // Twice the estimated time, since the machine may slow down.
            duration = min(max(Double(abandoned) / trial.throughput * 2, 1), Self.longestAbandoning)
        }
        var run = try await session.measure(
            shape, round: round, duration: duration, warmUp: step == .redemption ? Self.collecting : nil)
        run.step = step
        runs.append(run)
        StandardError.write("\n" + RunTable.text(run) + "\n")
        if run.verified == 0 { note("\(file.name): nothing was verified: \(shape.title).") }
    }

    private func driven(_ step: TableStep, _ algorithm: SignatureAlgorithm) -> LoadShape {
        step.shape(
            from: options.shape(
                .closed, .signIn, concurrency: concurrency, redeemed: TableStep.sample, algorithm: algorithm))
    }

    /// The sign-ins per second that the target's processors allow, by the cost of one that was measured just before.
    private func capacity(of target: String, _ algorithm: SignatureAlgorithm, round: Int) -> Double? {
        let closed = runs.last {
            $0.target == target && $0.round == round && $0.step == .capacity
                && $0.shape.algorithm == algorithm.rawValue
        }
        guard let cost = closed?.usage?.secondsPerThousand, cost > 0 else { return nil }
        let processors = Double(options.settings().targetProcessors?.numbers.count ?? 1)
        return 1000 / cost * processors
    }

    /// The workplace with the executable of the target's build.
    private func workplace(for file: TargetFile) -> Workplace {
        guard let optimizedBroker, file.name.hasSuffix(TableCommand.optimizedSuffix) else { return workplace }
        return workplace.with(broker: optimizedBroker)
    }

    /// Returns the version that a target prints, and for ours how the Swift runtime is linked, which affects the
    /// figures.
    private func version(of file: TargetFile, _ session: TargetSession) -> String? {
        var parts: [String] = []
        if let version = workplace.version(of: file) { parts.append(version) }
        if ours.contains(file.name), let isShared = session.sharesSwiftRuntime {
            parts.append(isShared ? "Swift runtime as shared libraries" : "Swift runtime inside")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private mutating func note(_ text: String) {
        guard !notes.contains(text) else { return }
        notes.append(text)
        StandardError.write(text)
    }

    /// Returns the first line without paths of this machine, since notes are published.
    private func firstLine(_ text: String) -> String {
        String(text.prefix { !$0.isNewline })
            .replacing(workplace.scratch, with: "the run's folder")
            .replacing(workplace.work, with: options.work)
            .replacing(workplace.benchmarks, with: options.benchmarks)
    }

    /// Returns the reason why a target does not support a load.
    private static func hindrance(_ file: TargetFile, _ shape: LoadShape) -> String? {
        if shape.isTLS, file.tls == nil { return "does not do TLS here" }
        if shape.isHTTP2, file.http2 != true { return "does not do HTTP/2" }
        if shape.isProviderTLS, file.providerTLS == nil { return "is not set up for an HTTPS provider" }
        if shape.providers > 1, file.eachProvider == nil { return "has one provider" }
        return nil
    }
}

extension TargetSession.Setting {
    /// Creates a setting from a shape.
    init(_ shape: LoadShape, _ algorithm: SignatureAlgorithm) {
        self.init(
            algorithm: algorithm, isTLS: shape.isTLS, isHTTP2: shape.isHTTP2, isProviderTLS: shape.isProviderTLS,
            providerLatency: shape.providerLatency, providers: shape.providers)
    }
}
