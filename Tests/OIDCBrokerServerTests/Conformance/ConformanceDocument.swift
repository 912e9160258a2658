// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import OpenIDConnect
import Synchronization

/// `Documentation/Reports/Conformance.md`, as far as a run makes it: what stands between two marks. Around them users
/// write.
struct ConformanceDocument: Sendable {
    private static let start = "<!-- The tables below are made by the tests. -->\n"
    private static let end = "<!-- The tables above are made by the tests. -->\n"

    /// One change of the file at a time: several tests make parts of it.
    private static let writing = Mutex(())

    /// A document without its marks.
    struct NoMarks: Error {}

    /// The folder of the repository.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where the committed one is.
    static let url = repository.appending(path: "Documentation/Reports/Conformance.md")

    /// The whole text.
    let text: String

    /// Reads the committed one.
    static func committed() throws -> ConformanceDocument {
        ConformanceDocument(text: String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }

    /// The same with other tables of modules.
    func with(tables: String) throws -> ConformanceDocument {
        try with(tables, between: Self.start, and: Self.end)
    }

    /// The same with another text between two marks.
    func with(_ tables: String, between start: String, and end: String) throws -> ConformanceDocument {
        guard let start = text.firstRange(of: start), let end = text.firstRange(of: end),
            start.upperBound <= end.lowerBound
        else { throw NoMarks() }
        return ConformanceDocument(text: String(text[..<start.upperBound]) + tables + String(text[end.lowerBound...]))
    }

    /// The lines in which the committed one differs from what a test found. With `UPDATE_CONFORMANCE=1` what it found
    /// is written in the committed one's place, and none differ.
    static func changes(
        _ found: (ConformanceDocument) throws -> ConformanceDocument
    ) throws -> [String] {
        try writing.withLock { _ in
            let committed = try ConformanceDocument.committed()
            let found = try found(committed)
            guard ProcessInfo.processInfo.environment["UPDATE_CONFORMANCE"] == "1" else {
                let old = committed.text.split(separator: "\n")
                return found.text.split(separator: "\n").difference(from: old).map { "\($0)" }
            }
            try Data(found.text.utf8).write(to: url, options: .atomic)
            return []
        }
    }

    /// The tables of these verdicts.
    static func tables(_ verdicts: [ConformanceRow: ConformanceVerdict]) -> String {
        let plans = ConformancePlan.all.map { plan in
            let runs = ConformanceRun.all.filter { $0.plan == plan }
            let lines = runs.map { run in
                let cells = [
                    "`\(run.module.name)`", "`\(run.module.misbehavior.rawValue)`",
                    run.module.expectation.rawValue, verdicts[.module(run)]?.text ?? "not run",
                ]
                return row(cells)
            }
            return """

                ### \(plan.name)

                Response type `\(plan.responseType.name)`, response mode `\(plan.responseMode.name)`.

                | module | the provider | must be | verdict |
                | --- | --- | --- | --- |
                \(lines.joined(separator: "\n"))

                """
        }
        return plans.joined() + variants(verdicts) + notApplicable()
    }

    private static func variants(_ verdicts: [ConformanceRow: ConformanceVerdict]) -> String {
        let lines = VariantRun.all.map { run in
            row([kind(of: run), run.title, verdicts[.variant(run)]?.text ?? "not run"])
        }
        return """

            ### Variants of `oidcc-client-test`

            | what is varied | how | verdict |
            | --- | --- | --- |
            \(lines.joined(separator: "\n"))

            """
    }

    private static func kind(of run: VariantRun) -> String {
        switch run.variant {
        case .authentication: "client authentication"
        case .encryption: "encrypted ID token"
        case .pushed: "pushed authorization request"
        }
    }

    private static func notApplicable() -> String {
        let lines = ConformanceModule.notApplicable.map { row(["`\($0.name)`", $0.reason]) }
        return """

            ### Not run

            | module | why |
            | --- | --- |
            \(lines.joined(separator: "\n"))


            """
    }

    /// A line of a table.
    static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}
