// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory that the process may use: the limit of its control group, or else the memory of the machine.
package enum AvailableMemory {
    /// The default size of a ``MemoryBudget``, in bytes: a quarter of the available memory, but 64 to 256 MiB.
    package static let share = min(max(bytes / 4, 64 << 20), 256 << 20)

    /// The available memory, in bytes.
    package static var bytes: Int {
        let limits = groupFiles(of: text(at: "/proc/self/cgroup")).compactMap {
            Int(text(at: $0).prefix { $0.isNumber })
        }
        return limits.reduce(machine, min)
    }

    private static var machine: Int {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return pages > 0 && size > 0 ? pages * size : 1 << 30
    }

    /// The files with the limits of a process's control groups and of the groups that contain them.
    /// - Parameter membership: The contents of `/proc/self/cgroup`. Each line has a number, controllers and a path,
    ///   separated by `:`.
    static func groupFiles(of membership: String) -> [String] {
        membership.split(separator: "\n").flatMap { line -> [String] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            let (root, file): (String, String)
            if fields[1].isEmpty {
                (root, file) = ("/sys/fs/cgroup", "memory.max")
            } else if fields[1].split(separator: ",").contains("memory") {
                (root, file) = ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            } else {
                return []
            }
            let names = fields[2].split(separator: "/")
            return (0...names.count).map {
                ([root] + names.prefix($0).map(String.init) + [file]).joined(separator: "/")
            }
        }
    }

    /// The first 4 KB of a file; empty if it cannot be read.
    private static func text(at path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
