// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

extension MachineDescription {
    /// Describes this machine by `/proc` and the compiler.
    static func here(
        targetProcessors: ProcessorList?, ownProcessors: ProcessorList?, isKeptAwake: Bool
    ) -> MachineDescription {
        let processors = (SystemFile.text("/proc/cpuinfo") ?? "").split(separator: "\n")
        let name = processors.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map { String($0) }
        let count = processors.count { $0.hasPrefix("processor") }
        let memory = (SystemFile.text("/proc/meminfo") ?? "").split(separator: "\n").first { $0.hasPrefix("MemTotal") }
        let kilobytes = memory?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
        let release = (SystemFile.text("/proc/sys/kernel/osrelease") ?? "").split(separator: "\n").first ?? ""
        let load = (SystemFile.text("/proc/loadavg") ?? "").split(separator: " ").prefix(3).joined(separator: " ")
        return MachineDescription(
            processor: "\(count) x \(trimmed(name ?? "unknown"))",
            memory: kilobytes / 1_048_576,
            system: "\(distribution), Linux \(release)",
            compiler: "Swift \(swiftVersion), \(isOptimized ? "release" : "DEBUG: these figures mean nothing")",
            targetProcessors: targetProcessors?.description ?? "",
            ownProcessors: ownProcessors?.description ?? "",
            loadAverage: load, isKeptAwake: isKeptAwake)
    }

    private static var distribution: String {
        let lines = (SystemFile.text("/etc/os-release") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("PRETTY_NAME=") }) else { return "unknown system" }
        return String(line.dropFirst(12)).filter { $0 != "\"" }
    }

    private static var swiftVersion: String {
        #if compiler(>=6.4)
            return "6.4 or later"
        #elseif compiler(>=6.3)
            return "6.3"
        #else
            return "6.2"
        #endif
    }

    /// Whether this tool is a release build.
    static var isOptimized: Bool { !_isDebugAssertConfiguration() }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
