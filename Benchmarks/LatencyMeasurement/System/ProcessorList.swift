// SPDX-License-Identifier: Apache-2.0

/// A list of processors in the syntax of `taskset`: `0`, `0,2`, `0-3`.
package struct ProcessorList: Sendable, Hashable, CustomStringConvertible {
    /// The numbers of the processors, each once.
    package let numbers: [Int]
    /// The original text.
    package let description: String

    /// Parses a list; `nil` if it is not valid.
    package init?(_ text: String) {
        var numbers: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let bounds = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard (1...2).contains(bounds.count), let first = bounds[0], let last = bounds[bounds.count - 1],
                first >= 0, last >= first, last < 4096
            else { return nil }
            for number in first...last where !numbers.contains(number) { numbers.append(number) }
        }
        guard !numbers.isEmpty else { return nil }
        self.numbers = numbers
        description = text
    }
}
