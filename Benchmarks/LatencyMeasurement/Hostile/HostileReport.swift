// SPDX-License-Identifier: Apache-2.0

/// The output of `hostile-traffic`.
package enum HostileReport {
    /// Returns a table of the inputs and their results, the experience of the user, and the verdict.
    package static func text(
        _ inputs: [HostileInput], _ counts: [HostileInput: HostileCounts], _ verdict: HostileVerdict
    ) -> String {
        var table = TextTable([.left("input"), .right("connections"), .right("sent"), .left("responses")])
        for input in inputs {
            let count = counts[input] ?? HostileCounts()
            table.add([input.title, String(count.connections), String(count.sent), count.text])
        }
        var lines = [table.text, ""]
        lines.append("sign-ins: \(verdict.verified) verified, \(verdict.failed) failed")
        for (kind, count) in verdict.failures.sorted(by: { $0.value > $1.value }) {
            lines.append("  \(count) x \(kind)")
        }
        lines.append(
            "slowest callback: \(milliseconds(verdict.slowestCallback)) ms; "
                + "slowest start and callback: \(milliseconds(verdict.slowestSignIn)) ms")
        lines.append(
            "resident at most: \(Figure.rounded(verdict.residentPeak)) MB of "
                + "\(Figure.rounded(verdict.residentBound)) MB; "
                + "at the end: \(Figure.rounded(verdict.residentAtEnd)) MB")
        if let peak = verdict.groupPeak {
            lines.append("in the control group at most: \(Figure.rounded(peak)) MB")
        }
        lines += verdict.faults.map { "FAILED: \($0)" }
        if verdict.faults.isEmpty { lines.append("It held.") }
        return lines.joined(separator: "\n")
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        Figure.fixed(Double(nanoseconds) / 1_000_000, 1)
    }
}
