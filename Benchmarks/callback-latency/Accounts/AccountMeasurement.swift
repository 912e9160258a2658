// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import OpenIDRelyingParty

/// A measurement of an operation on accounts: users with accounts, a window that counts, and what the server used in it.
///
/// The window ends early if the limits of the server allow no more. Everything is verified after it.
struct AccountMeasurement: Sendable {
    let operation: AccountOperation
    let shape: LoadShape
    let settings: MeasurementSettings
    let tokens: AccountTokenCheck
    let jobs: AccountJobs
    let plan: LoadPlan
    let tree: ProcessTree?
    let eventLoop: any EventLoop

    /// The largest share of all operations that the warm-up may use.
    private static let warmUpShare = 0.2
    /// The time limit for operations that are under way at the end of the window, in nanoseconds.
    private static let patience: Int64 = 15_000_000_000

    /// What happened in the window.
    private struct Measured: Sendable {
        var began: Int64
        var before: ResourceUse
        var after: ResourceUse
        var outcomes: [[AccountOutcome]]
        var connections: UInt64
        var residentLoaded: Double
        var residentGrowth: Double?
        var memory: ProcessTree.Memory?

        var window: MeasurementWindow { MeasurementWindow(begin: before.own.time, end: after.own.time) }
    }

    /// Prepares the load, drives it and measures it.
    func run(target: String, round: Int, idleMemory: ProcessTree.Memory) async throws -> MeasuredRun {
        let progress = ProgressLines(title: "\(target): \(shape.title)", isShown: settings.showsProgress)
        let rate = shape.rate ?? 0
        let driver = AccountDriver(plan: plan, eventLoop: eventLoop, users: shape.concurrency, tokens: tokens)
        let preparation = AccountPreparation(
            jobs: jobs, driver: driver,
            plan: AccountPlan(
                operation, seconds: settings.warmUp + settings.duration, rate: rate, algorithm: shape.algorithm),
            spoilsEvery: settings.spoilsEvery)
        let loads = try await preparation.loads(of: operation, concurrency: shape.concurrency, rate: rate)
        let lanes = try await AccountLanes(
            loads.warmUp.map { [$0] } ?? loads.measured, plan: plan, on: eventLoop)
        let measured: Measured
        do {
            if let warmUp = loads.warmUp {
                try await lanes.begin()
                try await AccountDriver.wait(for: lanes)
                _ = try await driver.completed(lanes.reload(loads.measured), warmUp.part)
            }
            measured = try await measure(lanes, isWarm: loads.warmUp != nil, progress)
        } catch {
            _ = try? await lanes.end()
            throw error
        }
        progress.end()
        return result(measured, loads, target: target, round: round, idleMemory: idleMemory)
    }

    private func measure(_ lanes: AccountLanes, isWarm: Bool, _ progress: ProgressLines) async throws -> Measured {
        let began = SystemUnixClock().now()
        if !isWarm {
            try await lanes.begin()
            let end = MonotonicClock.now() + Int64(settings.warmUp * 1_000_000_000)
            // An open loop uses what it has at a known rate.
            let share = operation == .mixed ? nil : Self.warmUpShare
            try await follow(lanes, until: end, share: share, progress, phase: "warming up") {}
        }
        let residentBegin = tree?.memory().resident
        let connections = try await lanes.connectionCount()
        let before = ResourceUse.now(of: tree)
        if isWarm { try await lanes.begin() }
        var residentLoaded = 0.0
        let end = before.own.time + Int64(settings.duration * 1_000_000_000)
        try await follow(lanes, until: end, share: nil, progress, phase: "measuring") {
            residentLoaded = max(residentLoaded, tree?.residentMegabytes() ?? 0)
        }
        let after = ResourceUse.now(of: tree)
        let newConnections = try await lanes.connectionCount() - connections
        let memory = tree?.memory()
        try await lanes.stop()
        let patience = MonotonicClock.now() + Self.patience
        while MonotonicClock.now() < patience, try await !lanes.state().isDone {
            try await Task.sleep(for: AccountDriver.step)
        }
        var growth: Double?
        if let memory, let residentBegin { growth = memory.resident - residentBegin }
        return Measured(
            began: began, before: before, after: after, outcomes: try await lanes.end(), connections: newConnections,
            residentLoaded: residentLoaded, residentGrowth: growth, memory: tree?.memory())
    }

    /// Waits until a time, or until the lanes are done or have used a share of their operations, and prints the events of
    /// each second.
    ///
    /// - Parameter each: A closure that is called once a second.
    private func follow(
        _ lanes: AccountLanes, until end: Int64, share: Double?, _ progress: ProgressLines, phase: String,
        each: () -> Void
    ) async throws {
        var last = MonotonicClock.now()
        while true {
            let now = MonotonicClock.now()
            let state = try await lanes.state()
            guard now < end, !state.isDone, share.map({ state.usedShare < $0 }) ?? true else { break }
            if now - last >= 1_000_000_000 {
                each()
                let interval = try await lanes.takeInterval()
                progress.show(interval, seconds: Double(now - last) / 1_000_000_000, phase: phase)
                last = now
            }
            try await Task.sleep(for: AccountDriver.step)
        }
    }

    private func result(
        _ measured: Measured, _ loads: AccountPreparation.Loads, target: String, round: Int,
        idleMemory: ProcessTree.Memory
    ) -> MeasuredRun {
        let window = measured.window
        var tally = AccountTally(window: window, tokens: tokens, accounts: loads.accounts)
        for (load, outcomes) in zip(loads.measured, measured.outcomes) {
            tally.add(outcomes, load.part, basis: load.basis)
        }
        var run = MeasuredRun(
            target: target, shape: shape, round: round, began: measured.began, recorder: tally.recorder)
        run.reconnects = measured.connections
        if let memory = measured.memory {
            run.usage = measured.before.usage(
                until: measured.after, window: window, ended: Double(tally.recorder.endedInWindow), idle: idleMemory,
                residentLoaded: measured.residentLoaded, memory: memory, pinned: settings.targetProcessors)
            run.usage?.residentGrowth = measured.residentGrowth
        }
        return run
    }
}
