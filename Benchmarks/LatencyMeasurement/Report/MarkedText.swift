// SPDX-License-Identifier: Apache-2.0

/// A document in which a tool replaces a marked part.
package enum MarkedText {
    /// The line before the marked part.
    package static let begin = "<!-- made by callback-latency table -->"
    /// The line after the marked part.
    package static let end = "<!-- end of what callback-latency table made -->"

    /// Returns the document with the part between the two marks replaced.
    ///
    /// - Returns: `nil` if each mark does not occur exactly once and in order.
    package static func replacing(in document: String, with part: String) -> String? {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        let begins = lines.indices.filter { lines[$0] == begin }
        let ends = lines.indices.filter { lines[$0] == end }
        guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else { return nil }
        let before = lines[...begins[0]].joined(separator: "\n")
        let after = lines[ends[0]...].joined(separator: "\n")
        return before + "\n\n" + part + "\n\n" + after
    }
}
