// SPDX-License-Identifier: Apache-2.0

/// What was measured, in nanoseconds.
struct LatencyReport: Sendable {
    /// One sign-in's parts.
    struct Sample: Sendable {
        var start: Int64
        var callback: Int64
        var redeem: Int64
    }

    let samples: [Sample]
    let failures: Int

    /// Rows for each part: p50, p90, p99 and maximum, in milliseconds.
    var table: String {
        var lines = ["part       p50 ms   p90 ms   p99 ms   max ms"]
        lines.append(row("start", samples.map(\.start)))
        lines.append(row("callback", samples.map(\.callback)))
        lines.append(row("redeem", samples.map(\.redeem)))
        lines.append("\(samples.count) sign-ins verified, \(failures) failed")
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, _ values: [Int64]) -> String {
        let sorted = values.sorted()
        let cells = [50.0, 90, 99, 100].map { percent in Self.milliseconds(Self.percentile(percent, of: sorted)) }
        return name.padded(to: 8, onTheLeft: false) + cells.map { $0.padded(to: 9, onTheLeft: true) }.joined()
    }

    private static func percentile(_ percent: Double, of sorted: [Int64]) -> Int64 {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let microseconds = nanoseconds / 1000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000)." + fraction.padded(to: 3, onTheLeft: true, with: "0")
    }
}

extension String {
    fileprivate func padded(to width: Int, onTheLeft: Bool, with character: Character = " ") -> String {
        let padding = String(repeating: character, count: max(0, width - count))
        return onTheLeft ? padding + self : self + padding
    }
}
