// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import Synchronization

/// A target that this tool starts and stops.
///
/// It runs on its given processors, and its output goes to a file.
final class LaunchedTarget {
    /// The time of the start, in nanoseconds of the monotonic clock.
    let launched: Int64
    /// The processes of the target.
    let tree: ProcessTree
    private let process: Process
    private let log: String

    /// Starts the target.
    ///
    /// - Parameters:
    ///   - plan: The command.
    ///   - processors: The processors; `nil` for any.
    ///   - controlGroup: The file of a control group that takes process IDs; `nil` to stay in this process's.
    ///   - log: The file for its output.
    init(_ plan: LaunchPlan, processors: ProcessorList?, controlGroup: String?, log: String) throws {
        for path in plan.requires where !SystemFile.exists(path) {
            throw LatencyToolError("not installed: \(path) is missing")
        }
        // The shell enters the control group, raises the limit on open files, and is then replaced by the target, so
        // that this is the target's process, and all its memory counts in the group.
        var script = "ulimit -n \"$(ulimit -H -n)\" 2>/dev/null; exec \"$@\""
        if controlGroup != nil { script = "echo $$ >\"$1\" || exit 1; shift; " + script }
        var arguments = ["sh", "-c", script, "sh"]
        if let controlGroup { arguments.append(controlGroup) }
        if let processors { arguments += ["taskset", "-c", processors.description] }
        arguments += plan.command
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(plan.environment, uniquingKeysWith: { $1 })
        if let directory = plan.directory { process.currentDirectoryURL = URL(filePath: directory) }
        process.standardInput = FileHandle.nullDevice
        try SystemFile.write([], to: log)
        guard let output = FileHandle(forWritingAtPath: log) else {
            throw LatencyToolError("\(log) cannot be written")
        }
        process.standardOutput = output
        process.standardError = output
        self.log = log
        launched = MonotonicClock.now()
        try process.run()
        let identifier = process.processIdentifier
        tree = ProcessTree(root: Int(identifier))
        Self.running.withLock { _ = $0.insert(identifier) }
    }

    /// The processes that were launched and not stopped.
    private static let running = Mutex<Set<pid_t>>([])

    /// Stops all running targets at once.
    static func endAll() {
        for root in running.withLock({ $0 }) {
            endAll(ProcessTree(root: Int(root)).members().map { pid_t($0.processID) })
        }
    }

    /// Whether the target still runs.
    var isRunning: Bool { process.isRunning }

    /// The last lines of its output.
    var lastWords: String {
        let text = SystemFile.text(log) ?? ""
        return text.split(separator: "\n").suffix(8).joined(separator: "\n")
    }

    /// Asks the target to end, waits, and kills what is left of it.
    func stop() async {
        let members = tree.members().map { pid_t($0.processID) }
        let identifier = process.processIdentifier
        defer { Self.running.withLock { _ = $0.remove(identifier) } }
        guard process.isRunning else { return Self.endAll(members) }
        process.terminate()
        let end = MonotonicClock.now() + 5_000_000_000
        while process.isRunning, MonotonicClock.now() < end { try? await Task.sleep(for: .milliseconds(10)) }
        Self.endAll(members)
        while process.isRunning { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Kills only processes of the tree that was started here. Process IDs of ended ones are not reused this soon.
    private static func endAll(_ processes: [pid_t]) {
        for process in processes where SystemFile.exists("/proc/\(process)") { kill(process, SIGKILL) }
    }
}

@available(*, unavailable)
extension LaunchedTarget: Sendable {}
