// SPDX-License-Identifier: Apache-2.0

/// Text that is slow to compare by Unicode equivalence, and ASCII text of the same length for comparison.
enum HostileText: String, CaseIterable {
    /// Marks that a form escapes as it escapes the others, so that all have the same encoded length. The others may
    /// cost three times as much.
    case ascii
    /// Runs of combining marks of six classes in reverse order, so that each run is sorted.
    case marks
    /// Decomposed Hangul syllables. Each is composed.
    case hangul
    /// Characters with the longest canonical decompositions.
    case decompositions
    /// Variation selectors after one letter: a single character as long as the text.
    case selectors

    /// Returns a text of about the given number of bytes, never more.
    func text(byteCount: Int) -> String {
        switch self {
        case .ascii: Self.repeating("!", byteCount)
        case .marks:
            ["\u{0345}", "\u{0301}", "\u{0316}", "\u{031B}", "\u{0327}", "\u{05B0}"]
                .map { Self.repeating($0, byteCount / 6) }.joined()
        case .hangul: Self.repeating("\u{1112}\u{1161}\u{11AB}", byteCount)
        case .decompositions: Self.repeating("\u{1F82}\u{0390}\u{FB2C}", byteCount)
        case .selectors: "x" + Self.repeating("\u{FE0F}", byteCount - 1)
        }
    }

    private static func repeating(_ unit: String, _ byteCount: Int) -> String {
        String(repeating: unit, count: max(byteCount, 0) / unit.utf8.count)
    }
}
