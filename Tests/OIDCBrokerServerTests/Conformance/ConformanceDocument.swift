// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBrokerTesting
import OpenIDConnect

/// `CONFORMANCE.md`, as far as a run makes it: what stands between two marks. Around them people write.
struct ConformanceDocument: Sendable {
    private static let start = "<!-- The tables below are made by the tests. -->\n"
    private static let end = "<!-- The tables above are made by the tests. -->\n"

    /// A document without its marks.
    struct NoMarks: Error {}

    /// At the top of the repository.
    static let url = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "CONFORMANCE.md")

    /// The whole text.
    let text: String

    /// Reads the committed one.
    static func committed() throws -> ConformanceDocument {
        ConformanceDocument(text: String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }

    /// The same with other tables.
    func with(tables: String) throws -> ConformanceDocument {
        guard let start = text.firstRange(of: Self.start), let end = text.firstRange(of: Self.end),
            start.upperBound <= end.lowerBound
        else { throw NoMarks() }
        return ConformanceDocument(text: String(text[..<start.upperBound]) + tables + String(text[end.lowerBound...]))
    }

    /// Writes it in the committed one's place.
    func write() throws {
        try Data(text.utf8).write(to: Self.url, options: .atomic)
    }

    /// The tables of these verdicts.
    static func tables(_ verdicts: [ConformanceRow: ConformanceVerdict]) -> String {
        let plans = ConformancePlan.allCases.map { plan in
            let runs = ConformanceRun.all.filter { $0.plan == plan }
            let lines = runs.map { run in
                let cells = [
                    "`\(run.module.rawValue)`", "`\(run.module.misbehavior.rawValue)`",
                    run.module.expectation.rawValue, verdicts[.module(run)]?.text ?? "not run",
                ]
                return row(cells)
            }
            return """

                ### \(plan.rawValue)

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

    private static func row(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}
