// SPDX-License-Identifier: Apache-2.0

import TestingSupport

extension ConformanceDocument {
    private static let attacksStart = "<!-- The tables of attacks below are made by the tests. -->\n"
    private static let attacksEnd = "<!-- The tables of attacks above are made by the tests. -->\n"

    /// The same with other tables of attacks.
    func with(attacks: String) throws -> ConformanceDocument {
        try with(attacks, between: Self.attacksStart, and: Self.attacksEnd)
    }

    /// The tables of all attacks, with the suites that have tests of them.
    static func attacks(_ coverage: AttackCoverage) -> String {
        AttackPart.all.map { part in
            let lines = part.rows.map { entry in
                let suites = (coverage.suites[entry.attack] ?? []).sorted().map { "`\($0)`" }
                return row([entry.title, entry.expected, entry.reference, suites.joined(separator: ", ")])
            }
            return """

                ### \(part.title)

                | attack | what must come of it | reference | suites |
                | --- | --- | --- | --- |
                \(lines.joined(separator: "\n"))

                """
        }.joined() + "\n"
    }
}
