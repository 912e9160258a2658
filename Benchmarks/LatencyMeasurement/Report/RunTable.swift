// SPDX-License-Identifier: Apache-2.0

/// The terminal output for one measurement.
package enum RunTable {
    /// Returns the latencies by part, then the cost, then the errors.
    package static func text(_ run: MeasuredRun) -> String {
        var lines = ["\(run.target): \(run.shape.title), \(Figure.rounded(run.seconds)) s"]
        var table = TextTable([
            .left("part"), .right("p50 ms"), .right("p90 ms"), .right("p99 ms"), .right("p99.9 ms"),
            .right("max ms"), .right("count"),
        ])
        for part in SignInPart.allCases {
            guard let latency = run.latency(part) else { continue }
            table.add([
                part.rawValue, Figure.fixed(latency.p50, 3), Figure.fixed(latency.p90, 3),
                Figure.fixed(latency.p99, 3), Figure.fixed(latency.p999, 3), Figure.fixed(latency.maximum, 3),
                Figure.grouped(latency.count),
            ])
        }
        if !table.isEmpty { lines.append(table.text) }
        let what = run.shape.plural
        let counts =
            "\(Figure.grouped(run.verified)) \(what) verified, \(Figure.rounded(run.throughput.rounded())) a second"
        let isOfAccounts = run.shape.operation != nil
        lines.append(
            isOfAccounts ? counts : counts + "; \(Figure.grouped(run.redeemed)) redeemed for the right subject")
        if run.refusedSpoiled > 0 {
            lines.append("\(Figure.grouped(run.refusedSpoiled)) ID tokens with a broken signature sent, all refused")
        }
        if let usage = run.usage { lines.append(cost(usage, what: what)) }
        if let handshakes = handshakes(run) { lines.append(handshakes) }
        if let goal = AccountGoal(run.shape)?.text(run) { lines.append(goal) }
        if let firstSignIn = run.firstSignIn {
            lines.append("first verified sign-in \(Figure.rounded(firstSignIn.rounded())) ms after launch")
        }
        if run.tokenRequestsPerThousand > 0 {
            let connections = Figure.rounded(run.providerConnectionsPerThousand)
            lines.append("\(connections) new connections to the provider per 1,000 sign-ins")
        }
        if run.reconnects > 0 { lines.append("\(Figure.grouped(run.reconnects)) connections had to be opened again") }
        if !run.accepted.isEmpty { lines.append("ACCEPTED ALTHOUGH WRONG: \(run.accepted.joined(separator: ", "))") }
        for (kind, count) in run.errors.sorted(by: { $0.key < $1.key }) {
            lines.append("error: \(Figure.grouped(count)) x \(kind)")
        }
        return lines.joined(separator: "\n")
    }

    private static func cost(_ usage: TargetUsage, what: String) -> String {
        var parts = [
            "CPU \(Figure.fixed(usage.secondsPerThousand, 3)) s per 1,000 \(what) "
                + "(user \(Figure.fixed(usage.userSecondsPerThousand, 3)), "
                + "kernel \(Figure.fixed(usage.systemSecondsPerThousand, 3)))",
            "\(Figure.fixed(usage.processors, 2)) processors busy",
        ]
        if let foreign = usage.foreignProcessors { parts.append("\(Figure.fixed(foreign, 2)) taken by others") }
        parts.append("generator and provider \(Figure.fixed(usage.ownSecondsPerThousand, 3)) s per 1,000")
        let memory =
            "RSS \(Figure.fixed(usage.residentIdle, 1)) MB idle, \(Figure.fixed(usage.residentLoaded, 1)) under load, "
            + "\(Figure.fixed(usage.residentAfter, 1)) after (PSS \(Figure.fixed(usage.proportionalIdle, 1)) and "
            + "\(Figure.fixed(usage.proportionalAfter, 1))), \(usage.processes) "
            + (usage.processes == 1 ? "process" : "processes")
        let growth = usage.residentGrowth.map { ", grew by \(Figure.fixed($0, 1)) while it was measured" } ?? ""
        let each = usage.kilobytesPerConnection.map { "\n\(Figure.fixed($0, 1)) KB for each idle connection" } ?? ""
        return parts.joined(separator: ", ") + "\n" + memory + growth + each
    }

    private static func handshakes(_ run: MeasuredRun) -> String? {
        guard let rate = run.handshakesPerSecond, let handshakes = run.handshakes else { return nil }
        let kinds = handshakes.sorted { $0.key < $1.key }.map { "\(Figure.grouped($0.value)) x \($0.key)" }
        return "\(Figure.rounded(rate.rounded())) handshakes a second: \(kinds.joined(separator: "; "))"
    }
}
