// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import OpenIDRelyingParty

/// A measurement: users who sign in, a window that counts, and the target's resource usage in it.
struct LoadMeasurement: Sendable {
    let shape: LoadShape
    /// The warm-up in seconds.
    let warmUp: Double
    let settings: MeasurementSettings
    let plan: LoadPlan
    let provider: FastProvider
    let tree: ProcessTree?
    /// The processes that make the connections of browsers; `nil` if there are none.
    let browsers: ProcessTree?
    /// The event loops of the virtual users.
    let eventLoops: [any EventLoop]

    /// The time limit for sign-ins of an open loop after the window, in nanoseconds.
    private static let patience: Int64 = 15_000_000_000

    /// The usage and counts at a moment.
    private struct Snapshot: Sendable {
        var use: ResourceUse
        var tokens: UInt64
        var providerConnections: UInt64
        var userConnections: UInt64
    }

    /// Drives the load and measures it.
    func run(target: String, round: Int, idleMemory: ProcessTree.Memory) async throws -> MeasuredRun {
        var idle: IdleConnections?
        // Those of browsers are opened before.
        if shape.idleConnections > 0, shape.browser == nil {
            idle = try await IdleConnections.open(shape.idleConnections, plan: plan)
        }
        do {
            let run = try await run(target: target, round: round, idleMemory: idleMemory, idle: idle)
            await idle?.close()
            return run
        } catch {
            await idle?.close()
            throw error
        }
    }

    private func run(
        target: String, round: Int, idleMemory: ProcessTree.Memory, idle: IdleConnections?
    ) async throws -> MeasuredRun {
        let begin = MonotonicClock.now() + 20_000_000
        let windowBegin = begin + Int64(warmUp * 1_000_000_000)
        let window = MeasurementWindow(
            begin: windowBegin, end: windowBegin + Int64(settings.duration * 1_000_000_000))
        let generator = try await LoadGenerator(plan: plan, shares: shares(begin: begin, window), on: eventLoops)
        do {
            return try await follow(generator, window, target: target, round: round, idleMemory: idleMemory, idle: idle)
        } catch {
            // Otherwise the load would continue during the next measurement.
            _ = try? await generator.stop()
            throw error
        }
    }

    private func follow(
        _ generator: LoadGenerator, _ window: MeasurementWindow, target: String, round: Int,
        idleMemory: ProcessTree.Memory, idle: IdleConnections?
    ) async throws -> MeasuredRun {
        let began = SystemUnixClock().now()
        let progress = ProgressLines(title: "\(target): \(shape.title)", isShown: settings.showsProgress)
        try await generator.begin()
        try await progress.follow(generator, until: window.begin, phase: "warming up") {}
        let residentBegin = tree?.memory().resident
        let before = try await snapshot(generator)
        var residentLoaded = 0.0
        try await progress.follow(generator, until: window.end, phase: "measuring") {
            residentLoaded = max(residentLoaded, tree?.residentMegabytes() ?? 0)
        }
        let after = try await snapshot(generator)
        // Sampled before the users leave, because their connections also occupy memory at the beginning of the window.
        let residentEnd = tree?.memory().resident
        let end = MonotonicClock.now() + Self.patience
        while MonotonicClock.now() < end, try await !generator.isDrained() {
            try await Task.sleep(for: .milliseconds(20))
        }
        guard let recorder = try await generator.stop() else { throw LatencyToolError("there was no user") }
        // What was measured would be compared with something else.
        if let difference = BrowserWish.difference(in: recorder.errors.keys) {
            throw LatencyToolError("\(target): \(difference)")
        }
        var result = MeasuredRun(target: target, shape: shape, round: round, began: began, recorder: recorder)
        if let idle, idle.openCount < shape.idleConnections {
            result.errors["idle connections that were closed"] = UInt64(shape.idleConnections - idle.openCount)
        }
        result.reconnects = after.userConnections - before.userConnections
        let ended = Double(recorder.endedInWindow)
        if ended > 0 {
            result.tokenRequestsPerThousand = Double(after.tokens - before.tokens) / ended * 1000
            result.providerConnectionsPerThousand =
                Double(after.providerConnections - before.providerConnections) / ended * 1000
        }
        if let tree {
            result.usage = before.use.usage(
                until: after.use, window: window, ended: ended, idle: idleMemory, residentLoaded: residentLoaded,
                memory: tree.memory(), pinned: settings.targetProcessors)
        }
        if let residentBegin, let residentEnd { result.usage?.residentGrowth = residentEnd - residentBegin }
        progress.end()
        return result
    }

    /// Distributes the users over the event loops; the arrivals of an open loop take turns.
    private func shares(begin: Int64, _ window: MeasurementWindow) -> [LoadLoop.Share] {
        let count = max(1, min(eventLoops.count, shape.concurrency))
        return (0..<count).map { number in
            let users = shape.concurrency / count + (number < shape.concurrency % count ? 1 : 0)
            let schedule: any LoadSchedule
            switch shape.loop {
            case .closed:
                schedule = ClosedLoop(users: users, begin: begin, end: window.end)
            case .open:
                let rate = (shape.rate ?? 0) / Double(count)
                let offset = rate > 0 ? Int64(1_000_000_000 / rate / Double(count) * Double(number)) : 0
                schedule = OpenLoop(users: users, rate: rate, begin: begin + offset, end: window.end)
            }
            return LoadLoop.Share(
                schedule: schedule, window: window, basis: shape.loop == .closed ? .end : .intendedStart,
                users: users, extent: shape.extent, redeemed: shape.redeemed, spoilsEvery: settings.spoilsEvery,
                number: number)
        }
    }

    private func snapshot(_ generator: LoadGenerator) async throws -> Snapshot {
        Snapshot(
            use: .now(of: tree, browsers: browsers), tokens: provider.tokenCount,
            providerConnections: provider.connectionCount, userConnections: try await generator.connectionCount())
    }
}
