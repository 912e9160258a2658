// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// Connections of browsers that stand open after a start, as while people are at the provider.
final class IdleBrowsers {
    /// The memory of each in kilobytes; `nil` if the target's processes are not known.
    private(set) var kilobytesEach: Double?

    private let plan: LoadPlan
    private let process: BrowserProcess
    private let eventLoop: any EventLoop

    /// The number of starts at a time.
    private static let concurrency = 64

    /// - Parameters:
    ///   - plan: The plan of browsers, whose connections `process` makes.
    ///   - process: A process of its own, since connections stand open until it ends.
    ///   - eventLoop: The event loop of the starts.
    init(plan: LoadPlan, process: BrowserProcess, eventLoop: any EventLoop) {
        self.plan = plan
        self.process = process
        self.eventLoop = eventLoop
    }

    /// Opens connections, and measures the memory of each after the first tenth, which also warms the target up.
    func open(_ count: Int, tree: ProcessTree?) async throws {
        let first = count / 10
        try await open(first)
        let before = try await resident(tree)
        try await open(count - first)
        guard let before, let after = try await resident(tree), count > first else { return }
        kilobytesEach = (after - before) * 1024 / Double(count - first)
    }

    /// Returns how many of some connections were closed.
    func closedCount(of count: Int) async throws -> Int {
        let connections = plan
        let eventLoop = eventLoop
        let promise = eventLoop.makePromise(of: Int.self)
        let question = try await eventLoop.submit {
            let question = BrowserQuestion(plan: connections, promise: promise)
            question.ask(on: eventLoop)
            return NIOLoopBound(question, eventLoop: eventLoop)
        }.get()
        let open = try await promise.futureResult.get()
        try await eventLoop.submit { question.value.close() }.get()
        return max(0, count - open)
    }

    /// Closes all connections.
    func close() async { await process.stop() }

    private func open(_ count: Int) async throws {
        let single = SingleSignIn(plan: plan, eventLoop: eventLoop)
        var begun = 0
        try await withThrowingTaskGroup(of: SignInOutcome.self) { group in
            func begin() {
                guard begun < count else { return }
                begun += 1
                group.addTask { try await single.run(SignInOptions(extent: .start, holdsConnection: true)) }
            }
            for _ in 0..<Self.concurrency { begin() }
            for try await outcome in group {
                if case .failed(let kind, _) = outcome { throw LatencyToolError("an idle connection: \(kind)") }
                begin()
            }
        }
    }

    /// Returns the resident memory when the target has settled, in megabytes.
    private func resident(_ tree: ProcessTree?) async throws -> Double? {
        try await Task.sleep(for: .milliseconds(1500))
        return tree?.memory().resident
    }
}

@available(*, unavailable)
extension IdleBrowsers: Sendable {}
