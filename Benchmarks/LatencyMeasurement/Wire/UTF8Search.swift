// SPDX-License-Identifier: Apache-2.0

// Bytes are compared, not characters: what goes over the wire has no others, and telling where a character ends costs
// the generator more than all the rest it does with a text.

extension Collection where Element == UInt8 {
    /// Where some bytes first stand in these, from their first to the one behind their last; `nil` if they do not.
    package func firstRange(ofBytes wanted: some Collection<UInt8>) -> Range<Index>? {
        guard let first = wanted.first else { return startIndex..<startIndex }
        var rest = self[...]
        while let mark = rest.firstIndex(of: first) {
            rest = rest[mark...]
            var cursor = rest.startIndex
            var matches = true
            for byte in wanted {
                guard cursor < rest.endIndex, rest[cursor] == byte else {
                    matches = false
                    break
                }
                rest.formIndex(after: &cursor)
            }
            if matches { return mark..<cursor }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension BidirectionalCollection where Element == UInt8 {
    /// Whether some bytes are the last of these.
    package func ends(with wanted: some BidirectionalCollection<UInt8>) -> Bool {
        reversed().starts(with: wanted.reversed())
    }
}
