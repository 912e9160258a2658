// SPDX-License-Identifier: Apache-2.0

/// What Linux tells about a process, read from the texts of `/proc` (proc(5)). What cannot be read is `nil`.
struct ProcessStatistics: Sendable, Equatable {
    /// The time of the processor, in clock ticks.
    var ticks: UInt64?
    /// The number of threads.
    var threads: UInt64?
    /// The start, in clock ticks after the start of the system.
    var startTicks: UInt64?
    /// The address space, in bytes.
    var virtualBytes: UInt64?
    /// The memory in RAM, in pages.
    var residentPages: UInt64?

    /// Creates empty statistics.
    init() {}

    /// Reads `/proc/self/stat`. The name of the program, which stands in parentheses, may hold any byte: the last `)` ends
    /// it.
    init(stat: [UInt8]) {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return }
        let fields = stat[(end + 1)...].split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
        // The first field here is the third one of the documentation.
        func field(_ number: Int) -> UInt64? {
            fields.indices.contains(number - 3) ? Self.number(fields[number - 3]) : nil
        }
        if let user = field(14), let system = field(15) { ticks = user &+ system }
        threads = field(20)
        startTicks = field(22)
        virtualBytes = field(23)
        residentPages = field(24)
    }

    /// The soft limit on open files in `/proc/self/limits`; `nil` if there is none.
    static func maximumOpenFiles(limits: [UInt8]) -> UInt64? {
        let name = Array("Max open files".utf8)
        let line = limits.split(separator: 0x0A).first { $0.starts(with: name) }
        return line?.dropFirst(name.count).split(separator: 0x20).first.flatMap { number($0) }
    }

    /// The start of the system in `/proc/stat`, in seconds since 1970.
    static func bootTime(stat: [UInt8]) -> UInt64? {
        let name = Array("btime ".utf8)
        let line = stat.split(separator: 0x0A).first { $0.starts(with: name) }
        return line.flatMap { number($0.dropFirst(name.count)) }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard !digits.isEmpty else { return nil }
        var value: UInt64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt64(digit - 0x30))
            guard !isTooLarge, !overflows else { return nil }
            value = sum
        }
        return value
    }
}
