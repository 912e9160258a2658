// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A control group of this run, which limits the memory of the target.
struct MemoryGroup: Sendable {
    /// The reason why there is no group.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: String
    private let folders: MemoryGroupFolders

    /// Makes a group.
    ///
    /// - Parameter mebibytes: The limit, in 2^20 bytes.
    /// - Throws: ``Missing`` if none can be made here.
    init(mebibytes: Int) throws {
        let isUnified = FileManager.default.fileExists(atPath: "/sys/fs/cgroup/cgroup.controllers")
        let membership = SystemFile.text("/proc/self/cgroup") ?? ""
        folders = MemoryGroupFolders(membership: membership, isUnified: isUnified)
        let name = "hostile-traffic-\(ProcessInfo.processInfo.processIdentifier)"
        let limit = String(mebibytes << 20)
        var made: String?
        for parent in folders.parents where made == nil {
            let folder = "\(parent)/\(name)"
            guard mkdir(folder, 0o755) == 0 else { continue }
            // Without the controller of memory, the group has no such file.
            if Self.write(limit, to: "\(folder)/\(folders.limit)") { made = folder } else { rmdir(folder) }
        }
        guard let made else {
            throw Missing(
                description: "no control group with a limit on memory can be made below \(folders.parents.last ?? "") "
                    + "(it takes root and a /sys/fs/cgroup that can be written), so this is not run")
        }
        folder = made
        for file in folders.furtherLimits { _ = Self.write(limit, to: "\(folder)/\(file)") }
        // Of the second version, swap is limited for itself.
        if isUnified { _ = Self.write("0", to: "\(folder)/memory.swap.max") }
    }

    /// The file into which a process writes its ID to enter the group.
    var processes: String { folder + "/cgroup.procs" }

    /// The most memory so far in megabytes of 2^20 bytes, the buffers of sockets included; `nil` if it cannot be read.
    ///
    /// Kernels that do not keep it (before Linux 5.19) tell what the group has at the moment.
    var peak: Double? {
        let all = folders.peaks.compactMap { bytes(in: $0) }
        guard let most = all.isEmpty ? bytes(in: "memory.current") : all.reduce(0, +) else { return nil }
        return most / 1_048_576
    }

    /// Removes the group, when its last process has ended.
    func remove() {
        for _ in 0..<100 where rmdir(folder) != 0 && errno == EBUSY { usleep(100_000) }
    }

    private func bytes(in file: String) -> Double? {
        SystemFile.text("\(folder)/\(file)").flatMap { Double($0.prefix { $0.isNumber }) }
    }

    /// Writes a file of the kernel, which may refuse it.
    private static func write(_ text: String, to path: String) -> Bool {
        guard let file = FileHandle(forWritingAtPath: path) else { return false }
        return (try? file.write(contentsOf: Data(text.utf8))) != nil
    }
}
