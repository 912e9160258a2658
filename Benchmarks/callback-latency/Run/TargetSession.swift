// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import OpenIDRelyingParty

/// A target that runs, with a provider and a folder of its own; measured as often as wanted, then ended. Several may run
/// at a time.
final class TargetSession {
    /// What the target is like; the rest of a load's shape may differ from one measurement to the next.
    struct Setting: Sendable {
        var algorithm: SignatureAlgorithm
        var isTLS = false
        var isHTTP2 = false
        var isProviderTLS = false
        /// Milliseconds.
        var providerLatency = 0.0
        var providers = 1
    }

    /// What was refused before the load.
    private(set) var findings = TargetChecks.Findings()

    private let file: TargetFile
    private let setting: Setting
    private let settings: MeasurementSettings
    private let provider: FastProvider
    private let plan: LoadPlan
    private let loops: MeasurementLoops
    private var launched: LaunchedTarget?
    private var tree: ProcessTree?
    private var firstSignIn: Double?
    private var idleMemory = ProcessTree.Memory()
    private var isWarm = false

    private init(
        file: TargetFile, setting: Setting, settings: MeasurementSettings, provider: FastProvider, plan: LoadPlan,
        loops: MeasurementLoops
    ) {
        self.file = file
        self.setting = setting
        self.settings = settings
        self.provider = provider
        self.plan = plan
        self.loops = loops
    }

    /// Starts the provider and the target, and waits for the first verified sign-in.
    static func open(
        _ file: TargetFile, setting: Setting, settings: MeasurementSettings, workplace: Workplace,
        loops: MeasurementLoops
    ) async throws -> TargetSession {
        let provider = try await FastProvider.start(
            FastProvider.Configuration(
                algorithm: setting.algorithm, issuerCount: setting.providers,
                latency: .nanoseconds(Int64(setting.providerLatency * 1_000_000)),
                certificate: setting.isProviderTLS ? workplace.certificate : nil),
            on: loops.provider)
        do {
            let folder = try workplace.makeFolder(of: file.name)
            var variables = workplace.variables(
                provider: provider, algorithm: setting.algorithm, isTLS: setting.isTLS,
                processors: settings.targetProcessors)
            variables[.scratch] = folder
            variables[.port] = String(try await FreePort.find(on: loops.provider))
            variables[.base] = try Template.expanded(file.base, fixed: variables.byName)
            let description = try TargetDescription(file, variables: variables, issuers: provider.issuers)
            let plan = try LoadPlan(
                target: description, isTLS: setting.isTLS, isHTTP2: setting.isHTTP2, signIns: provider.signIns,
                providerCount: provider.issuers.count)
            let launch = try LaunchPlan(
                file, variables: variables, issuers: provider.issuers, isTLS: setting.isTLS,
                isProviderTLS: setting.isProviderTLS)
            let session = TargetSession(
                file: file, setting: setting, settings: settings, provider: provider, plan: plan, loops: loops)
            do {
                try await session.launch(launch, log: folder + "/output.log")
            } catch {
                await session.launched?.stop()
                throw error
            }
            return session
        } catch {
            await provider.stop()
            throw error
        }
    }

    /// Ends the target and the provider.
    func close() async {
        await launched?.stop()
        await provider.stop()
    }

    /// Somebody who signs in once, on a connection of their own.
    var person: SingleSignIn { SingleSignIn(plan: plan, eventLoop: loops.users[0]) }

    /// The port that the target listens on; `nil` if its base names none.
    var port: Int? { LoadPlan.port(of: plan.target.base) }

    /// The target's process; `nil` if it is not known.
    var processID: Int? { tree?.root }

    /// Whether the target has the Swift runtime as shared libraries; `nil` if its processes are not known.
    var sharesSwiftRuntime: Bool? {
        tree.flatMap { SystemFile.text("/proc/\($0.root)/maps") }.map { $0.contains("libswiftCore") }
    }

    /// Drives a load and measures it.
    ///
    /// - Parameters:
    ///   - shape: What is driven; what the session's setting says wins.
    ///   - round: The number of the round.
    ///   - duration: Seconds; nil: what the session's settings say.
    ///   - warmUp: Seconds, at least; nil: what the session's settings say.
    func measure(
        _ shape: LoadShape, round: Int, duration: Double? = nil, warmUp leastWarmUp: Double? = nil
    ) async throws -> MeasuredRun {
        var shape = shape
        var settings = settings
        settings.duration = duration ?? settings.duration
        settings.warmUp = max(settings.warmUp, leastWarmUp ?? 0)
        shape.algorithm = setting.algorithm.rawValue
        shape.isTLS = setting.isTLS
        shape.isHTTP2 = setting.isHTTP2
        shape.isProviderTLS = setting.isProviderTLS
        shape.providerLatency = setting.providerLatency
        shape.providers = setting.providers
        if shape.extent == .redemption, plan.target.redeem == nil {
            throw LatencyToolError("\(file.name): its target file says nothing of redemptions")
        }
        if plan.target.redeem == nil || shape.extent == .start { shape.redeemed = 0 }
        // What a target needs until its compiler has settled it needs once.
        let isFirst = !isWarm
        let warmUp = isFirst ? max(settings.warmUp, file.warmUpSeconds ?? 0) : settings.warmUp
        isWarm = true
        let measurement = LoadMeasurement(
            shape: shape, warmUp: warmUp, settings: settings, plan: plan, provider: provider, tree: tree,
            eventLoops: loops.users)
        var run = try await measurement.run(target: file.name, round: round, idleMemory: idleMemory)
        // A launch has one.
        if isFirst { run.firstSignIn = firstSignIn }
        run.accepted = findings.accepted
        if let launched, !launched.isRunning {
            throw LatencyToolError("\(file.name) ended while it was measured:\n\(launched.lastWords)")
        }
        return run
    }

    private func launch(_ launch: LaunchPlan, log: String) async throws {
        if launch.command.isEmpty {
            tree = settings.processID.map { ProcessTree(root: $0) }
        } else {
            if let port = LoadPlan.port(of: plan.target.base), await FreePort.isTaken(port, on: loops.provider) {
                throw LatencyToolError("\(file.name): somebody listens on port \(port) already")
            }
            let target = try LaunchedTarget(launch, processors: settings.targetProcessors, log: log)
            launched = target
            tree = target.tree
        }
        try await waitForFirstSignIn()
        if settings.checks {
            findings = try await TargetChecks(plan: plan, eventLoop: loops.users[0]).run()
        }
        // Idle is when what the start left behind has been tidied.
        try await Task.sleep(for: .milliseconds(1500))
        if let tree { idleMemory = tree.memory() }
    }

    private func waitForFirstSignIn() async throws {
        let begin = MonotonicClock.now()
        var last = "nothing was tried"
        while MonotonicClock.now() - begin < 30_000_000_000 {
            if let launched, !launched.isRunning {
                throw LatencyToolError("\(file.name) ended at once:\n\(launched.lastWords)")
            }
            switch try await SingleSignIn(plan: plan, eventLoop: loops.users[0]).run() {
            case .verified(let sample, _):
                if let launched { firstSignIn = Double(sample.end - launched.launched) / 1_000_000 }
                return
            case .refused(let kind, _), .failed(let kind, _):
                last = kind
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        let words = launched.map { "\n" + $0.lastWords } ?? ""
        throw LatencyToolError("\(file.name): no verified sign-in in 30 s; the last one: \(last)\(words)")
    }
}

@available(*, unavailable)
extension TargetSession: Sendable {}
