// SPDX-License-Identifier: Apache-2.0

/// Lines that are written at once, one behind the other.
package struct LineBatch: Sendable, Hashable {
    /// The bytes of all lines, each with its line feed.
    package private(set) var bytes: [UInt8] = []
    /// Where each line ends.
    private var ends: [Int] = []

    /// Creates a batch without lines.
    package init() {}

    /// Creates a batch of one line.
    init(_ line: [UInt8]) {
        bytes = line
        ends = [line.count]
    }

    /// Creates a batch without lines that has room for so many bytes.
    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// The number of lines.
    package var count: Int { ends.count }

    /// Appends a line.
    package mutating func append(_ line: [UInt8]) {
        bytes += line
        ends.append(bytes.count)
    }

    /// Appends a line that is written here.
    /// - Parameter write: Appends it to the others.
    mutating func append(_ write: (_ lines: inout [UInt8]) -> Void) {
        write(&bytes)
        ends.append(bytes.count)
    }

    /// Appends the lines of another batch.
    mutating func append(_ other: LineBatch) {
        let start = bytes.count
        bytes += other.bytes
        ends += other.ends.lazy.map { start + $0 }
    }

    /// Removes all lines, and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// Removes the last line.
    mutating func removeLast() {
        guard ends.popLast() != nil else { return }
        bytes.removeLast(bytes.count - end(of: count))
    }

    /// Removes the last line, and returns it as a batch of its own, which has room for so many bytes.
    mutating func splitLast(capacity: Int = 0) -> LineBatch {
        var last = LineBatch(capacity: capacity)
        guard count > 0 else { return last }
        last.bytes += bytes[end(of: count - 1)...]
        last.ends.append(last.bytes.count)
        removeLast()
        return last
    }

    /// Returns how many lines are whole in so many of the bytes.
    func wholeLines(in byteCount: Int) -> Int { ends.prefix { $0 <= byteCount }.count }

    /// Returns the number of bytes of the first lines.
    func end(of lines: Int) -> Int { lines > 0 ? ends[lines - 1] : 0 }
}
