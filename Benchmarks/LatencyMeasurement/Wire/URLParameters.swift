// SPDX-License-Identifier: Apache-2.0

/// The parameters of a URL's query and fragment, or of a form. They are located at once and decoded on demand.
package struct URLParameters: Sendable, Hashable {
    private struct Pair: Sendable, Hashable {
        let name: Range<Int>
        let value: Range<Int>
    }

    private let bytes: [UInt8]
    private let pairs: [Pair]

    /// Reads the parameters of a URL.
    package init(of url: String) {
        let bytes = Array(url.utf8)
        let mark = bytes.firstIndex { $0 == 0x3F || $0 == 0x23 }
        self.init(bytes, from: mark.map { $0 + 1 } ?? bytes.count)
    }

    /// Reads the parameters of a form.
    package init(form: [UInt8]) { self.init(form, from: 0) }

    private init(_ bytes: [UInt8], from start: Int) {
        var pairs: [Pair] = []
        var cursor = start
        while cursor < bytes.count {
            var equals: Int?
            var end = cursor
            while end < bytes.count, bytes[end] != 0x26, bytes[end] != 0x23 {
                if equals == nil, bytes[end] == 0x3D { equals = end }
                end += 1
            }
            if let equals, equals > cursor { pairs.append(Pair(name: cursor..<equals, value: (equals + 1)..<end)) }
            cursor = end + 1
        }
        self.bytes = bytes
        self.pairs = pairs
    }

    /// Whether there are no parameters.
    package var isEmpty: Bool { pairs.isEmpty }

    /// The decoded value of a parameter, of several with one name the first; `nil` if it is absent or an escape is
    /// invalid.
    package subscript(name: String) -> String? {
        for pair in pairs where isName(pair.name, name) {
            if let value = URLText.decoded(bytes[pair.value]) { return value }
        }
        return nil
    }

    private func isName(_ range: Range<Int>, _ name: String) -> Bool {
        let written = bytes[range]
        if written.elementsEqual(name.utf8) { return true }
        return written.contains(0x25) && URLText.decoded(written) == name
    }
}
