// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement
import Synchronization

/// A target that this tool has started, and ends again.
///
/// It runs in the processors it is given; what it writes goes to a file.
final class LaunchedTarget {
    /// When it was started; nanoseconds of the monotonic clock.
    let launched: Int64
    /// Its processes.
    let tree: ProcessTree
    private let process: Process
    private let log: String

    /// Starts it.
    ///
    /// - Parameters:
    ///   - plan: What is started, and how.
    ///   - processors: Where; nil: anywhere.
    ///   - log: The file for what it writes.
    init(_ plan: LaunchPlan, processors: ProcessorList?, log: String) throws {
        for path in plan.requires where !SystemFile.exists(path) {
            throw LatencyToolError("not installed: \(path) is missing")
        }
        // As many open files as there may be, then the target in place of the shell: its process is the one started here.
        var arguments = ["sh", "-c", "ulimit -n \"$(ulimit -H -n)\" 2>/dev/null; exec \"$@\"", "sh"]
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

    /// Ends all that run, at once.
    static func endAll() {
        for root in running.withLock({ $0 }) {
            endAll(ProcessTree(root: Int(root)).members().map { pid_t($0.processID) })
        }
    }

    /// Whether it still runs.
    var isRunning: Bool { process.isRunning }

    /// The last lines it wrote.
    var lastWords: String {
        let text = SystemFile.text(log) ?? ""
        return text.split(separator: "\n").suffix(8).joined(separator: "\n")
    }

    /// Asks it to end, waits, and ends what is left of it.
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

    /// Only processes of the tree that was started here; those that have ended are gone, and no number comes back so soon.
    private static func endAll(_ processes: [pid_t]) {
        for process in processes where SystemFile.exists("/proc/\(process)") { kill(process, SIGKILL) }
    }
}

@available(*, unavailable)
extension LaunchedTarget: Sendable {}
