// SPDX-License-Identifier: Apache-2.0

/// A list of processors as `taskset` takes it: `0`, `0,2`, `0-3`.
package struct ProcessorList: Sendable, Hashable, CustomStringConvertible {
    /// Their numbers, each once.
    package let numbers: [Int]
    /// As it was written.
    package let description: String

    /// Reads a list; nil for anything else.
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
