// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The usual metrics of a process, read from `/proc` at each scrape. Systems without it have none.
enum ProcessMetrics {
    /// The values of this moment.
    static func samples() -> [MetricSample] {
        let statistics =
            ProcessFile.contents("/proc/self/stat").map { ProcessStatistics(stat: $0) } ?? ProcessStatistics()
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let page = Double(max(1, sysconf(Int32(_SC_PAGESIZE))))
        let maximumFiles = ProcessFile.contents("/proc/self/limits").flatMap {
            ProcessStatistics.maximumOpenFiles(limits: $0)
        }
        let start = statistics.startTicks.flatMap { start in bootTime.map { Double($0) + Double(start) / ticks } }
        let values: [(String, Double?, isCounter: Bool)] = [
            ("process_cpu_seconds", statistics.ticks.map { Double($0) / ticks }, true),
            ("process_threads", statistics.threads.map { Double($0) }, false),
            ("process_virtual_memory_bytes", statistics.virtualBytes.map { Double($0) }, false),
            ("process_resident_memory_bytes", statistics.residentPages.map { Double($0) * page }, false),
            ("process_start_time_seconds", start, false),
            ("process_open_fds", openFiles().map { Double($0) }, false),
            ("process_max_fds", maximumFiles.map { Double($0) }, false),
        ]
        return values.compactMap { name, value, isCounter in
            value.map { MetricSample(name, [], $0, isCounter: isCounter) }
        }
    }

    /// The start of the system. It is read once, since Linux derives it from the wall clock anew each time, and the start
    /// of a process must not change.
    private static let bootTime = ProcessFile.contents("/proc/stat").flatMap { ProcessStatistics.bootTime(stat: $0) }

    /// The number of open files, without the one that counting opens.
    private static func openFiles() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // `.`, `..` and the directory itself.
        return max(0, count - 3)
    }
}
