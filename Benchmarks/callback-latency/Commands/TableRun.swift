// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

/// The measurements of a table as they are made.
struct TableRun {
    let options: MeasurementOptions
    let workplace: Workplace
    let loops: MeasurementLoops
    let concurrency: Int
    /// How often each target is measured in a round.
    let turns: Int
    /// Seconds that are waited for a quiet machine at most.
    let quiet: Int
    /// The targets that are set beside the others.
    let ours: [String]
    /// How many logins are abandoned.
    let abandoned: Int

    /// What was measured.
    private(set) var runs: [MeasuredRun] = []
    /// What was left out, and why.
    private(set) var notes: [String] = []
    /// What is known of the targets' versions.
    private(set) var versions: [String: String] = [:]
    /// Targets, each with an algorithm, of which was seen what they refuse.
    private var checked: Set<String> = []

    /// The longest measurement beside connections that stand open: servers close those after a minute, ours among them.
    private static let longestWithConnections = 30.0
    /// How much longer than others the half load is measured.
    private static let halfDuration = 3.0
    /// How long credentials are collected for at least that are redeemed then, seconds.
    private static let collecting = 1.5
    /// The longest time that logins are abandoned for, seconds.
    private static let longestAbandoning = 1800.0

    init(
        options: MeasurementOptions, workplace: Workplace, loops: MeasurementLoops, concurrency: Int, turns: Int,
        quiet: Int, ours: [String], abandoned: Int
    ) {
        self.options = options
        self.workplace = workplace
        self.loops = loops
        self.concurrency = concurrency
        self.turns = turns
        self.quiet = quiet
        self.ours = ours
        self.abandoned = abandoned
    }

    /// Whether a target is there; what is not is noted, once.
    mutating func isInstalled(_ file: TargetFile) -> Bool {
        let isInstalled = workplace.isInstalled(file)
        if !isInstalled { note("\(file.name) is not installed: left out.") }
        return isInstalled
    }

    /// Measures targets under one load: all are launched, then they take turns. What cannot be measured is noted, and the
    /// others go on.
    ///
    /// - Parameter round: The number of the round; each turn in it counts as a round of its own in what is measured.
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

    /// A target that runs, and what it is driven with.
    private struct Launch {
        let file: TargetFile
        let steps: [TableStep]
        let title: String
        let session: TargetSession
    }

    /// Launches a target as often as a load needs it; none where it cannot be measured so.
    private mutating func launch(
        _ load: TableLoad, _ file: TargetFile, _ algorithm: SignatureAlgorithm, round: Int
    ) async -> [Launch] {
        guard !load.isForOursAlone || ours.contains(file.name) else { return [] }
        guard file.supports(algorithm: algorithm.rawValue) else {
            note("\(file.name) does not verify \(algorithm.rawValue): left out there.")
            return []
        }
        // Only where there is a code to redeem; a page that needs a session is another thing.
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

    /// Launches a target; nil, and noted, where it does not run.
    private mutating func open(
        _ file: TargetFile, _ shape: LoadShape, _ algorithm: SignatureAlgorithm
    ) async -> TargetSession? {
        await QuietMachine.wait(seconds: quiet)
        let kind = "\(file.name), \(algorithm.rawValue)"
        var settings = options.settings()
        // What a target refuses does not change from one launch to the next.
        settings.checks = settings.checks && !checked.contains(kind)
        do {
            let session = try await TargetSession.open(
                file, setting: TargetSession.Setting(shape, algorithm), settings: settings, workplace: workplace,
                loops: loops)
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
        if step == .half {
            guard let rate = halfOfCapacity(file.name, algorithm, round: round) else { return }
            shape.rate = rate
            // Of half of a slow target's sign-ins there are few in a second, and a tail needs some.
            duration *= Self.halfDuration
        }
        if step == .abandoned {
            // How fast they are abandoned says how long it takes; and the target has settled by then.
            let trial = try await session.measure(shape, round: round)
            guard trial.verified > 0 else { throw LatencyToolError("no start was verified") }
            // Much more, since the machine may slow down: 1.3 times as long once gave 996,585 for a million.
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

    /// Half of the sign-ins that the target's processors can do by what one of them cost just before.
    private func halfOfCapacity(_ target: String, _ algorithm: SignatureAlgorithm, round: Int) -> Double? {
        let closed = runs.last {
            $0.target == target && $0.round == round && $0.step == .capacity
                && $0.shape.algorithm == algorithm.rawValue
        }
        guard let cost = closed?.usage?.secondsPerThousand, cost > 0 else { return nil }
        let processors = Double(options.settings().targetProcessors?.numbers.count ?? 1)
        return (500 / cost * processors).rounded()
    }

    /// What a target says of itself, and for ours how the Swift runtime is linked: that makes a difference.
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

    /// Without where things lie on this machine: notes stand in documents.
    private func firstLine(_ text: String) -> String {
        String(text.prefix { !$0.isNewline })
            .replacing(workplace.scratch, with: "the run's folder")
            .replacing(workplace.work, with: options.work)
            .replacing(workplace.benchmarks, with: options.benchmarks)
    }

    /// Why a target cannot be driven so.
    private static func hindrance(_ file: TargetFile, _ shape: LoadShape) -> String? {
        if shape.isTLS, file.tls == nil { return "does not do TLS here" }
        if shape.isHTTP2, file.http2 != true { return "does not do HTTP/2" }
        if shape.isProviderTLS, file.providerTLS == nil { return "is not set up for an HTTPS provider" }
        if shape.providers > 1, file.eachProvider == nil { return "has one provider" }
        return nil
    }
}

extension TargetSession.Setting {
    /// What a shape says of the target.
    init(_ shape: LoadShape, _ algorithm: SignatureAlgorithm) {
        self.init(
            algorithm: algorithm, isTLS: shape.isTLS, isHTTP2: shape.isHTTP2, isProviderTLS: shape.isProviderTLS,
            providerLatency: shape.providerLatency, providers: shape.providers)
    }
}
