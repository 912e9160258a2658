// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState

/// Length-prefixed fields.
struct ByteCodingTests {
    @Test func `come back in their order, and the end is known`() {
        var writer = ByteWriter()
        writer.write(UInt8(7))
        writer.write(UInt16(65_535))
        writer.write(Int64.min)
        writer.write(Int64.max)
        writer.write(counted: "ü".utf8)
        writer.write(long: [1, 2, 3])
        writer.write(raw: [9])
        #expect(writer.bytes.prefix(3) == [7, 0xFF, 0xFF])
        var reader = ByteReader(writer.bytes)
        #expect(reader.readByte() == 7)
        #expect(reader.readUInt16() == 65_535)
        #expect(reader.readInt64() == .min)
        #expect(reader.readInt64() == .max)
        #expect(reader.readCountedString() == "ü")
        #expect(reader.readLong() == [1, 2, 3])
        #expect(!reader.isAtEnd)
        #expect(reader.read(1) == [9])
        #expect(reader.isAtEnd)
        #expect(reader.readByte() == nil)
    }

    @Test func `a count that reaches beyond the end, or below zero, gives nothing`() {
        var counted = ByteReader([0xFF, 0xFF, 1])
        #expect(counted.readCounted() == nil)
        var long = ByteReader([0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(long.readLong() == nil)
        var negative = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1])
        #expect(negative.readLong() == nil)
        var invalid = ByteReader([0, 2, 0xC0, 0x80])
        #expect(invalid.readCountedString() == nil)
    }
}
