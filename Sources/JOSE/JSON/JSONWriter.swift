// SPDX-License-Identifier: Apache-2.0

/// A writer of JSON text without whitespace.
///
/// It is recursive. The depth of a parsed value is at most ``JSONLimits/deepest``.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(512) }

    /// Continues an object: takes the brace away that closes it, which ``writeMember(_:_:)`` writes again.
    init(reopening object: consuming [UInt8]) {
        bytes = object
        bytes.removeLast()
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null:
            bytes.append(contentsOf: "null".utf8)
        case .bool(let value):
            bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number):
            write(number)
        case .text(let text):
            write(text)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 {
                    bytes.append(UInt8(ascii: ","))
                }
                write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            // By position, because a loop over the members would copy each of them.
            for position in object.members.indices {
                if position > 0 {
                    bytes.append(UInt8(ascii: ","))
                }
                write(object.members[position].name)
                bytes.append(UInt8(ascii: ":"))
                write(object.members[position].value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Writes the last member of an object that is open, and closes the object.
    mutating func writeMember(_ name: String, _ writeValue: (inout JSONWriter) -> Void) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        write(name)
        bytes.append(UInt8(ascii: ":"))
        writeValue(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func write(_ number: JSONNumber) {
        bytes.append(contentsOf: number.text.utf8)
    }

    mutating func write(_ object: JSONObjectText) {
        bytes.append(contentsOf: object.bytes)
    }

    mutating func write(_ text: String) {
        text.utf8.withContiguousBytes { write(string: $0) }
    }

    private mutating func write(_ text: WireText) {
        text.utf8.withContiguousBytes { write(string: $0) }
    }

    /// Writes a string, escaping only what RFC 8259 section 7 requires.
    private mutating func write(string text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly every text needs no escape and is copied as a whole.
        if !text.isPlain || text.firstPosition(of: UInt8(ascii: "\"")) != nil {
            writeEscaping(text)
        } else {
            bytes.append(contentsOf: text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaping(_ text: UnsafeBufferPointer<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 0x0F)])
            default:
                bytes.append(byte)
            }
        }
    }
}

extension JSONValue {
    /// Returns the value as JSON text without whitespace.
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }
}
