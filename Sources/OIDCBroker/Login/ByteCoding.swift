// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Writes a sequence of length-prefixed fields: what is sealed has one spelling only.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: how many bytes it will be, roughly.
    init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    mutating func write(_ value: UInt8) { bytes.append(value) }

    mutating func write(_ value: UInt16) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func write(_ value: Int64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Bytes of a known count.
    mutating func write(raw: some Collection<UInt8>) { bytes.append(contentsOf: raw) }

    /// Bytes behind their count, two bytes. What is longer is cut; callers bound their fields far below.
    mutating func write(counted: [UInt8]) {
        counted.withUnsafeBufferPointer { write(counted: $0) }
    }

    /// A text's bytes behind their count, two bytes; cut like bytes.
    mutating func write(counted: String.UTF8View) {
        counted.withContiguousBytes { write(counted: $0) }
    }

    private mutating func write(counted: UnsafeBufferPointer<UInt8>) {
        let count = min(counted.count, Int(UInt16.max))
        write(UInt16(count))
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: counted[..<count]))
    }

    /// Bytes behind their count, eight bytes.
    mutating func write(long: some Collection<UInt8>) {
        write(Int64(long.count))
        bytes.append(contentsOf: long)
    }
}

/// Reads what ``ByteWriter`` wrote; nil wherever it does not fit.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func readByte() -> UInt8? { rest.popFirst() }

    mutating func readUInt16() -> UInt16? {
        guard let bytes = take(2) else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func readInt64() -> Int64? {
        guard let bytes = take(8) else { return nil }
        return bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    mutating func read(_ count: Int) -> [UInt8]? { take(count).map(Array.init) }

    /// The same without a copy.
    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func readCounted() -> [UInt8]? { readUInt16().flatMap { read(Int($0)) } }

    mutating func readLong() -> [UInt8]? { readInt64().flatMap { Int(exactly: $0) }.flatMap { read($0) } }

    mutating func readCountedString() -> String? {
        readUInt16().flatMap { take(Int($0)) }.flatMap { $0.withUnsafeBufferPointer { String(strictUTF8: $0) } }
    }
}
