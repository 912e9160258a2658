// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The measure of the conformance suite for codes and tokens.
public enum Entropy {
    /// Returns the entropy of a character times the number of characters.
    public static func bits(of text: String) -> Double {
        let counts = Dictionary(grouping: text.utf8, by: { $0 }).values.map {
            Double($0.count) / Double(text.utf8.count)
        }
        return -counts.reduce(0) { $0 + $1 * log2($1) } * Double(text.utf8.count)
    }
}
