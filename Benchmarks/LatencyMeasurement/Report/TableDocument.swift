// SPDX-License-Identifier: Apache-2.0

/// The table of the README: the measurements, the machine, the versions, and the command to repeat them.
package struct TableDocument: Sendable {
    private let file: ResultFile
    private let parts: [TablePart]
    private let table: PeerTable
    private let command: String
    private let notes: [String]

    /// - Parameters:
    ///   - file: The measurements.
    ///   - parts: The rows.
    ///   - ours: The targets that are compared with the others. The first is the default configuration.
    ///   - optimized: Those of them that are an optimized build.
    ///   - unvalidating: The targets that validate nothing and so are not peers.
    ///   - command: The command to repeat the measurement.
    ///   - notes: Remarks for the reader, such as what was left out.
    package init(
        _ file: ResultFile, parts: [TablePart], ours: [String], optimized: Set<String> = [],
        unvalidating: Set<String>, command: String, notes: [String]
    ) {
        self.file = file
        self.parts = parts
        self.command = command
        self.notes = notes
        // The default configuration of each build is assessed; the others only have columns.
        let defaults = [ours.first, ours.first { optimized.contains($0) }].compactMap(\.self)
        table = PeerTable(
            file.runs, ours: ours, assessed: defaults, optimized: optimized, unvalidating: unvalidating)
    }

    /// The complete document as Markdown.
    package var markdown: String {
        var lines: [String] = []
        for part in parts { lines += ["**\(part.title)**", "", table.markdown(part.rows), ""] }
        for fact in scores + facts + notes + [again] { lines.append("* " + fact) }
        return lines.joined(separator: "\n")
    }

    /// The most important rows as Markdown; empty if none of them was measured.
    package var summary: String {
        let rows = parts.flatMap(\.rows).filter(\.isInSummary)
        guard !rows.isEmpty else { return "" }
        var lines = [table.markdown(rows, showsGoals: false), ""]
        for fact in circumstances + failures { lines.append("* " + fact) }
        return lines.joined(separator: "\n")
    }

    private var scores: [String] {
        let rows = parts.flatMap(\.rows)
        return table.assessed.map { name in
            let score = table.score(of: name, rows)
            return "\(name) reaches \(score.reached) of \(score.goals) goals."
        }
    }

    private var facts: [String] {
        let machine = file.machine
        var facts = circumstances
        let versions = (table.ours + table.peers + table.floors).compactMap { name -> String? in
            guard let version = file.versions?[name] else { return nil }
            return "\(name): \(version)"
        }
        if !versions.isEmpty { facts.append("Versions: \(versions.joined(separator: "; ")).") }
        if !machine.targetProcessors.isEmpty {
            facts.append(
                "The target on processor \(machine.targetProcessors), the generator and the provider on "
                    + "\(machine.ownProcessors.isEmpty ? "any" : machine.ownProcessors)"
                    + (machine.isKeptAwake == true ? "; both were kept from idling." : "."))
        }
        let handshakes = Set(file.runs.flatMap { ($0.handshakes ?? [:]).keys }).sorted()
        if !handshakes.isEmpty {
            facts.append("Handshakes of browsers, the same at every target: \(handshakes.joined(separator: "; ")).")
        }
        return facts + failures
    }

    /// When, where and how often it was measured.
    private var circumstances: [String] {
        let machine = file.machine
        let rounds = Set(file.runs.map(\.round)).count
        let brackets = rounds < 4 ? "their smallest and largest" : "their range without the outer quarters"
        let verified = file.runs.reduce(UInt64(0)) { $0 + $1.verified }
        let errors = file.runs.reduce(UInt64(0)) { $0 + $1.errorCount }
        return [
            "Made \(file.runs.map(\.began).min().map { CivilTime.text($0) } ?? "-") on \(machine.processor), "
                + "\(Figure.rounded(machine.memory.rounded())) GB, \(machine.system); \(machine.compiler).",
            "Medians over \(rounds) interleaved \(rounds == 1 ? "round" : "rounds"); ratios are paired within a round, "
                + "in brackets \(brackets); \"-\" was not measured.",
            "\(Figure.grouped(verified)) verified sign-ins and starts, \(Figure.grouped(errors)) errors.",
        ]
    }

    /// What went wrong at each target.
    private var failures: [String] {
        var failures: [String] = []
        for (target, runs) in targets {
            if runs.contains(where: { !$0.accepted.isEmpty || $0.tookSpoiledToken }) {
                let what = Self.ordered(runs.flatMap(\.accepted)).joined(separator: ", ")
                let words = what.isEmpty ? "a broken signature" : what
                failures.append("**\(target) took what it must refuse**: \(words).")
            }
            var errors: [String: UInt64] = [:]
            for run in runs { errors.merge(run.errors, uniquingKeysWith: +) }
            guard !errors.isEmpty else { continue }
            let kinds = errors.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            let words = kinds.prefix(4).map { "\(Figure.grouped($0.value)) x \($0.key)" }.joined(separator: ", ")
            failures.append("Errors at \(target): \(words)\(kinds.count > 4 ? " and others" : "").")
        }
        return failures
    }

    private var again: String { "Again: `\(command)`" }

    private var targets: [(name: String, runs: [MeasuredRun])] {
        let byName = Dictionary(grouping: file.runs, by: \.target)
        return Self.ordered(file.runs.map(\.target)).map { (name: $0, runs: byName[$0] ?? []) }
    }

    private static func ordered(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}
