// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import OpenIDRelyingParty

/// A running target with its own provider and folder, which can be measured several times. Several sessions may run at
/// a time.
final class TargetSession {
    /// The setting of a target. The rest of a load's shape may differ between measurements.
    struct Setting: Sendable {
        var algorithm: SignatureAlgorithm
        var isTLS = false
        var isHTTP2 = false
        var isProviderTLS = false
        /// The provider's latency in milliseconds.
        var providerLatency = 0.0
        var providers = 1
        /// The accounts that the target keeps; `nil` for none.
        var accounts: AccountsSetup?
        /// Where the target listens, if its file leaves that open.
        var addresses = ClientAddresses.ipv4
    }

    /// The results of the checks before the load.
    private(set) var findings = TargetChecks.Findings()

    let file: TargetFile
    let setting: Setting
    let settings: MeasurementSettings
    let provider: FastProvider
    let plan: LoadPlan
    let loops: MeasurementLoops
    private(set) var launched: LaunchedTarget?
    private(set) var tree: ProcessTree?
    /// The time from launch to the first verified sign-in in milliseconds; `nil` if the target was not launched.
    private(set) var firstSignIn: Double?
    private(set) var idleMemory = ProcessTree.Memory()
    /// The process that makes the connections of browsers, once there are some.
    var browsers: BrowserProcess?
    let workplace: Workplace
    /// The folder of the launch.
    let folder: String
    private var isWarm = false

    private init(
        file: TargetFile, setting: Setting, settings: MeasurementSettings, provider: FastProvider, plan: LoadPlan,
        loops: MeasurementLoops, workplace: Workplace, folder: String
    ) {
        self.file = file
        self.setting = setting
        self.settings = settings
        self.provider = provider
        self.plan = plan
        self.loops = loops
        self.workplace = workplace
        self.folder = folder
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
            variables[.address] = setting.addresses.target
            variables[.host] = setting.addresses.targetHost
            variables[.port] = String(try await FreePort.find(at: setting.addresses.target, on: loops.provider))
            variables[.base] = try Template.expanded(file.base, fixed: variables.byName)
            setting.accounts?.add(to: &variables)
            let description = try TargetDescription(file, variables: variables, issuers: provider.issuers)
            let plan = try LoadPlan(
                target: description, isTLS: setting.isTLS, isHTTP2: setting.isHTTP2, signIns: provider.signIns,
                providerCount: provider.issuers.count)
            let launch = try LaunchPlan(
                file, variables: variables, issuers: provider.issuers, isTLS: setting.isTLS,
                isProviderTLS: setting.isProviderTLS, hasAccounts: setting.accounts != nil)
            let session = TargetSession(
                file: file, setting: setting, settings: settings, provider: provider, plan: plan, loops: loops,
                workplace: workplace, folder: folder)
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

    /// Stops the target and the provider.
    func close() async {
        await browsers?.stop()
        await launched?.stop()
        await provider.stop()
    }

    /// A single sign-in on a new connection.
    var person: SingleSignIn { SingleSignIn(plan: plan, eventLoop: loops.users[0]) }

    /// The port of the target; `nil` if its base contains none.
    var port: Int? { LoadPlan.port(of: plan.target.base) }

    /// The process ID of the target; `nil` if it is not known.
    var processID: Int? { tree?.root }

    /// Whether the target uses the Swift runtime as shared libraries; `nil` if its processes are not known.
    var sharesSwiftRuntime: Bool? {
        tree.flatMap { SystemFile.text("/proc/\($0.root)/maps") }.map { $0.contains("libswiftCore") }
    }

    /// Drives a load and measures it.
    ///
    /// - Parameters:
    ///   - shape: The load. The session's setting takes precedence.
    ///   - round: The number of the round.
    ///   - duration: The duration in seconds; `nil` for that of the session's settings.
    ///   - warmUp: The minimum warm-up in seconds; `nil` for that of the session's settings.
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
        if shape.browser != nil, !setting.isHTTP2 { throw LatencyToolError("browsers need TLS and HTTP/2") }
        if plan.target.redeem == nil || shape.extent == .start { shape.redeemed = 0 }
        // The time until a target's compiler has settled is needed only once.
        let isFirst = !isWarm
        let warmUp = isFirst ? max(settings.warmUp, file.warmUpSeconds ?? 0) : settings.warmUp
        isWarm = true
        let plan = try await plan(of: shape)
        let measurement = LoadMeasurement(
            shape: shape, warmUp: warmUp, settings: settings, plan: plan, provider: provider, tree: tree,
            browsers: browsers?.tree, eventLoops: loops.users)
        let idle = try await openIdleBrowsers(of: shape)
        var run: MeasuredRun
        do {
            run = try await measurement.run(target: file.name, round: round, idleMemory: idleMemory)
            if let idle {
                run.usage?.kilobytesPerConnection = idle.kilobytesEach
                let closed = try await idle.closedCount(of: shape.idleConnections)
                if closed > 0 { run.errors["idle connections that were closed"] = UInt64(closed) }
            }
        } catch {
            await idle?.close()
            throw error
        }
        await idle?.close()
        // Only the first measurement of a launch has it.
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
            if let port = plan.address.port, await FreePort.isTaken(plan.address, on: loops.provider) {
                throw LatencyToolError("\(file.name): another process already listens on port \(port)")
            }
            let target = try LaunchedTarget(
                launch, processors: settings.targetProcessors, controlGroup: settings.controlGroup, log: log)
            launched = target
            tree = target.tree
        }
        try await waitForFirstSignIn()
        if settings.checks {
            findings = try await checked()
        }
        // The target is idle only after it has cleaned up what the start left behind.
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
