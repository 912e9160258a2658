// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A table of `Documentation/Reports/Conformance.md` that a suite makes. `UPDATE_CONFORMANCE=1` writes it.
struct GeneratedTable {
    /// The name of the suite, as it stands in the marks around the table.
    let suite: String
    /// The lines of the table.
    let lines: [String]

    /// Expects the table in the document, or writes it.
    func expect(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/Reports/Conformance.md").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let (begin, end) = ("<!-- made by \(suite) -->\n", "<!-- end of what \(suite) made -->")
        let start = try #require(text.range(of: begin), sourceLocation: sourceLocation)
        let rest = try #require(
            text.range(of: end, range: start.upperBound..<text.endIndex), sourceLocation: sourceLocation)
        let table = lines.joined(separator: "\n") + "\n"
        guard ProcessInfo.processInfo.environment["UPDATE_CONFORMANCE"] == nil else {
            let changed = text.replacingCharacters(in: start.upperBound..<rest.lowerBound, with: table)
            return try changed.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            text[start.upperBound..<rest.lowerBound] == table, "UPDATE_CONFORMANCE=1 writes it anew",
            sourceLocation: sourceLocation)
    }
}
