// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore

/// A running `Benchmarks/browser`, which makes the connections of browsers to one target.
///
/// It runs where this tool does.
final class BrowserProcess {
    /// Where it listens.
    let address: SocketAddress
    private let process: LaunchedTarget

    private init(address: SocketAddress, process: LaunchedTarget) {
        self.address = address
        self.process = process
    }

    /// Its processes.
    var tree: ProcessTree { process.tree }

    /// Starts it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - target: The address of the target.
    ///   - workplace: The folders of the command.
    ///   - processors: Its processors; `nil` for any.
    ///   - log: The file for its output.
    ///   - group: Event loops.
    /// - Throws: ``LatencyToolError`` if it is not installed or does not listen.
    static func launch(
        for target: SocketAddress, workplace: Workplace, processors: ProcessorList?, log: String,
        on group: any EventLoopGroup
    ) async throws -> BrowserProcess {
        guard let host = target.ipAddress, let port = target.port, !host.contains(":") else {
            throw LatencyToolError("browsers reach a target over IPv4 only")
        }
        let program = workplace.browser
        guard SystemFile.exists(program) else {
            throw LatencyToolError("\(program) is missing: Benchmarks/peers/setup browser")
        }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: try await FreePort.find(on: group))
        let plan = LaunchPlan(
            command: [program, "-listen", "127.0.0.1:\(address.port ?? 0)", "-target", "\(host):\(port)"],
            requires: [program])
        let process = try LaunchedTarget(plan, processors: processors, controlGroup: nil, log: log)
        let end = MonotonicClock.now() + 10_000_000_000
        while await !FreePort.isTaken(address, on: group) {
            guard process.isRunning, MonotonicClock.now() < end else {
                let words = process.lastWords
                await process.stop()
                throw LatencyToolError("the process of the browsers does not listen:\n\(words)")
            }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return BrowserProcess(address: address, process: process)
    }

    /// Ends it, and closes all its connections.
    func stop() async { await process.stop() }
}

@available(*, unavailable)
extension BrowserProcess: Sendable {}
