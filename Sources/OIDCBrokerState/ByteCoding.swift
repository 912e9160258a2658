// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A writer of length-prefixed fields, in which each sealed value has exactly one encoding.
package struct ByteWriter {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// Creates a writer.
    /// - Parameter capacity: The approximate number of bytes.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Writes a byte.
    package mutating func write(_ value: UInt8) { bytes.append(value) }

    /// Writes two bytes, the high one first.
    package mutating func write(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Writes eight bytes, the highest first.
    package mutating func write(_ value: Int64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Writes bytes of a known count.
    package mutating func write(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    /// Writes bytes after their count of two bytes. Longer values are truncated; callers bound their fields far below.
    package mutating func write(counted: [UInt8]) {
        counted.withUnsafeBufferPointer { write(counted: $0) }
    }

    /// Writes the bytes of a text after their count of two bytes, truncated like bytes.
    package mutating func write(counted: String.UTF8View) {
        counted.withContiguousBytes { write(counted: $0) }
    }

    private mutating func write(counted: UnsafeBufferPointer<UInt8>) {
        let count = min(counted.count, Int(UInt16.max))
        write(UInt16(count))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: counted[..<count]))
    }

    /// Writes texts after their count of one byte. Callers have fewer than 256.
    package mutating func write(list: [String]) {
        write(UInt8(clamping: list.count))
        for text in list.prefix(Int(UInt8.max)) { write(counted: text.utf8) }
    }

    /// Writes bytes after their count of eight bytes.
    package mutating func write(long: some Collection<UInt8>) {
        write(Int64(long.count))
        bytes.append(contentsOf: long)
    }
}

/// A reader of what ``ByteWriter`` wrote, whose functions return `nil` if the bytes do not match.
package struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// Creates a reader of bytes.
    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Whether all bytes were read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads a byte.
    package mutating func readByte() -> UInt8? { rest.popFirst() }

    /// Reads two bytes, the high one first.
    package mutating func readUInt16() -> UInt16? {
        guard let bytes = take(2) else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// Reads eight bytes, the highest first.
    package mutating func readInt64() -> Int64? {
        guard let bytes = take(8) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Reads a number of bytes.
    package mutating func read(_ count: Int) -> [UInt8]? { take(count).map(Array.init) }

    /// Reads bytes without copying them.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads bytes behind their count of two bytes.
    package mutating func readCounted() -> [UInt8]? { readUInt16().flatMap { read(Int($0)) } }

    /// Reads bytes behind their count of eight bytes.
    package mutating func readLong() -> [UInt8]? { readInt64().flatMap { Int(exactly: $0) }.flatMap { read($0) } }

    /// Reads a text behind the count of its bytes.
    package mutating func readCountedString() -> String? {
        readUInt16().flatMap { take(Int($0)) }.flatMap { $0.withUnsafeBufferPointer { String(strictUTF8: $0) } }
    }

    /// Reads texts behind their count of one byte; `nil` if there are none too.
    package mutating func readList() -> [String]? {
        guard let count = readByte(), count > 0 else { return nil }
        var texts: [String] = []
        for _ in 0..<count {
            guard let text = readCountedString() else { return nil }
            texts.append(text)
        }
        return texts
    }
}
