// SPDX-License-Identifier: Apache-2.0

/// The table of the README: what was measured, where, with what, and how to do it again.
package struct TableDocument: Sendable {
    /// A table with its heading.
    package struct Part: Sendable {
        /// The heading.
        package let title: String
        /// What stands in it.
        package let columns: [PeerTable.Column]

        /// A table.
        package init(title: String, columns: [PeerTable.Column]) {
            self.title = title
            self.columns = columns
        }
    }

    private let file: ResultFile
    private let parts: [Part]
    private let ours: String
    private let unjudging: Set<String>
    private let command: String
    private let notes: [String]

    /// - Parameters:
    ///   - file: The measurements.
    ///   - parts: The tables.
    ///   - ours: The target that is set beside the others.
    ///   - unjudging: Targets that judge nothing, and are no peers.
    ///   - command: How to do it again.
    ///   - notes: What a reader must know, such as what was left out.
    package init(
        _ file: ResultFile, parts: [Part], ours: String, unjudging: Set<String>, command: String, notes: [String]
    ) {
        self.file = file
        self.parts = parts
        self.ours = ours
        self.unjudging = unjudging
        self.command = command
        self.notes = notes
    }

    /// As Markdown.
    package var markdown: String {
        let table = PeerTable(file.runs)
        var lines: [String] = []
        for part in parts {
            lines += ["**\(part.title)**", "", table.markdown(part.columns, ours: ours, unjudging: unjudging), ""]
        }
        lines += facts.map { "* " + $0 }
        return lines.joined(separator: "\n")
    }

    private var facts: [String] {
        let machine = file.machine
        let rounds = Set(file.runs.map(\.round)).count
        let verified = file.runs.reduce(UInt64(0)) { $0 + $1.verified }
        let errors = file.runs.reduce(UInt64(0)) { $0 + $1.errorCount }
        var facts = [
            "Made \(file.runs.map(\.began).min().map { CivilTime.text($0) } ?? "-") on \(machine.processor), "
                + "\(Figure.rounded(machine.memory.rounded())) GB, \(machine.system); \(machine.compiler).",
            "Medians over \(rounds) interleaved \(rounds == 1 ? "round" : "rounds"); ratios are paired within a round. "
                + "\(Figure.grouped(verified)) verified sign-ins and starts, \(Figure.grouped(errors)) errors.",
        ]
        if !machine.targetProcessors.isEmpty {
            facts.append(
                "The target on processor \(machine.targetProcessors), the generator and the provider on "
                    + "\(machine.ownProcessors.isEmpty ? "any" : machine.ownProcessors).")
        }
        for target in ordered(file.runs.filter { !$0.accepted.isEmpty || $0.tookSpoiledToken }.map(\.target)) {
            let accepted = file.runs.filter { $0.target == target }.flatMap(\.accepted)
            let what = ordered(accepted).joined(separator: ", ")
            facts.append("**\(target) took what it must refuse**: \(what.isEmpty ? "a broken signature" : what).")
        }
        facts += notes
        facts.append("Again: `\(command)`")
        return facts
    }

    private func ordered(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}
