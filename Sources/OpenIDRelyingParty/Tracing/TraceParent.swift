// SPDX-License-Identifier: Apache-2.0

/// A `traceparent` of version 00 (W3C Trace Context section 3.2): a trace, one of its spans, and whether that is sampled.
package struct TraceParent: Sendable, Hashable {
    /// The number of ``bytes``.
    package static let byteCount = 25

    /// The length of ``text``, in bytes.
    private static let textLength = 55

    /// The ID of the trace (16), the ID of the span (8), and the flags (1).
    package let bytes: [UInt8]

    /// Whether the caller may have recorded the trace.
    package var isSampled: Bool { bytes.last.map { $0 & 1 == 1 } ?? false }

    /// Creates one from its bytes; `nil` if there are not 25, or if an ID is all zeros, which is not one.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[..<16].contains(where: { $0 != 0 }),
            bytes[16..<24].contains(where: { $0 != 0 })
        else { return nil }
        self.bytes = bytes
    }

    /// Reads the value of the field; `nil` if it is not exactly as version 00 has it. A later version is not read: what
    /// it means is not known.
    package init?(_ text: String) {
        guard text.utf8.count == Self.textLength else { return nil }
        let characters = Array(text.utf8)
        guard characters.starts(with: Array("00-".utf8)),
            [35, 52].allSatisfy({ characters[$0] == UInt8(ascii: "-") })
        else { return nil }
        let digits = characters[3..<35] + characters[36..<52] + characters[53...]
        let nibbles = digits.compactMap(Self.nibble)
        guard nibbles.count == 2 * Self.byteCount else { return nil }
        self.init(bytes: (0..<Self.byteCount).map { nibbles[2 * $0] << 4 | nibbles[2 * $0 + 1] })
    }

    /// The value of the field.
    package var text: String {
        var characters = Array("00-".utf8)
        for (index, byte) in bytes.enumerated() {
            if index == 16 || index == 24 { characters.append(UInt8(ascii: "-")) }
            characters.append(Self.digit(byte >> 4))
            characters.append(Self.digit(byte & 15))
        }
        return String(decoding: characters, as: UTF8.self)
    }

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + (nibble - 10)
    }

    /// The value of a digit. Letters are in lower case (W3C Trace Context section 3.2.1).
    private static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
