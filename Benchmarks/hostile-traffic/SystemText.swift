// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The memory of the target, as the kernel counts it.
enum TargetMemory {
    /// Returns the largest resident memory so far in megabytes of 2^20 bytes; `nil` if the process has ended.
    static func peak(of processID: Int) -> Double? {
        ResidentMemory(text("/proc/\(processID)/status")).map { Double($0.peakKilobytes) / 1024 }
    }

    /// Reads a file of `/proc` by plain reads, since its size is reported as zero.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = chunk.withUnsafeMutableBytes { buffer in read(descriptor, buffer.baseAddress, buffer.count) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
