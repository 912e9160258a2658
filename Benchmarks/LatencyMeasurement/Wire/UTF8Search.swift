// SPDX-License-Identifier: Apache-2.0

// Bytes are compared rather than characters: protocol text needs no others, and finding character boundaries would cost
// the generator more than everything else it does with a text.

extension Collection where Element == UInt8 {
    /// Returns the range of the first occurrence of the given bytes; `nil` if there is none.
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
    /// Whether the collection ends with the given bytes.
    package func ends(with wanted: some BidirectionalCollection<UInt8>) -> Bool {
        reversed().starts(with: wanted.reversed())
    }
}
