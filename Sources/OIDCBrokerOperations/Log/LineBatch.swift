// SPDX-License-Identifier: Apache-2.0

/// Lines that are written at once, one behind the other.
package struct LineBatch: Sendable, Hashable {
    /// The bytes of all lines, each with its line feed.
    package private(set) var bytes: [UInt8] = []
    /// Where each line ends.
    private var ends: [Int] = []

    /// Creates a batch without lines.
    package init() {}

    /// The number of lines.
    package var count: Int { ends.count }

    /// Appends a line.
    package mutating func append(_ line: [UInt8]) {
        bytes += line
        ends.append(bytes.count)
    }

    /// Appends a line that is turned into text here.
    mutating func append(_ line: UnwrittenLine, _ format: LogFormat) {
        // Taken out, so that the text is written behind the others and copied nowhere.
        var others: [UInt8] = []
        swap(&others, &bytes)
        bytes = line.text(format, behind: consume others)
        ends.append(bytes.count)
    }

    /// Removes the last line, and returns it as a batch of its own.
    mutating func splitLast() -> LineBatch {
        var last = LineBatch()
        guard ends.popLast() != nil else { return last }
        let start = ends.last ?? 0
        last.append(Array(bytes[start...]))
        bytes.removeLast(bytes.count - start)
        return last
    }

    /// Returns how many lines are whole in so many of the bytes.
    func wholeLines(in byteCount: Int) -> Int { ends.prefix { $0 <= byteCount }.count }

    /// Returns the number of bytes of the first lines.
    func end(of lines: Int) -> Int { lines > 0 ? ends[lines - 1] : 0 }
}
