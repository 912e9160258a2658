// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A `traceparent` of version 00 (W3C Trace Context section 3.2): a trace, one of its spans, and whether that is sampled.
package struct TraceParent: Sendable, Hashable {
    /// The number of ``bytes``.
    package static let byteCount = 25

    /// The length of ``text``, in bytes.
    private static let textLength = 55

    /// The first half of the ID of the trace.
    package let traceHigh: UInt64
    /// The second half of the ID of the trace.
    package let traceLow: UInt64
    /// The ID of the span.
    package let span: UInt64
    private let flags: UInt8
    /// The value of the field.
    package let text: String

    /// Whether the caller may have recorded the trace.
    package var isSampled: Bool { flags & 1 == 1 }

    /// The ID of the trace (16), the ID of the span (8), and the flags (1).
    package var bytes: [UInt8] {
        [traceHigh, traceLow, span].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        } + [flags]
    }

    /// Creates one from its parts; `nil` if an ID is all zeros, which is not one.
    package init?(traceHigh: UInt64, traceLow: UInt64, span: UInt64, isSampled: Bool) {
        self.init(traceHigh, traceLow, span, isSampled ? 1 : 0)
    }

    /// Creates one from its bytes; `nil` if there are not 25, or if an ID is all zeros.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, let flags = bytes.last else { return nil }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(number(0), number(8), number(16), flags)
    }

    private init?(_ traceHigh: UInt64, _ traceLow: UInt64, _ span: UInt64, _ flags: UInt8, text: String? = nil) {
        guard traceHigh | traceLow != 0, span != 0 else { return nil }
        (self.traceHigh, self.traceLow, self.span, self.flags) = (traceHigh, traceLow, span, flags)
        self.text = text ?? Self.text(traceHigh, traceLow, span, flags)
    }

    /// Reads the value of the field; `nil` if it is not exactly as version 00 has it. A later version is not read: what
    /// it means is not known.
    package init?(_ text: String) {
        typealias Numbers = (traceHigh: UInt64, traceLow: UInt64, span: UInt64, flags: UInt8)
        let numbers: Numbers? = text.utf8.withContiguousBytes { characters in
            guard characters.count == Self.textLength, characters[0] == UInt8(ascii: "0"),
                characters[1] == UInt8(ascii: "0"), characters[2] == UInt8(ascii: "-"),
                characters[35] == UInt8(ascii: "-"), characters[52] == UInt8(ascii: "-"),
                let high = Self.digit(characters[53]), let low = Self.digit(characters[54])
            else { return nil }
            let digits = UnsafeRawBufferPointer(characters)
            func number(_ start: Int) -> UInt64? {
                HexadecimalDigits.number(ofSixteen: UnsafeRawBufferPointer(rebasing: digits[start..<start + 16]))
            }
            guard let traceHigh = number(3), let traceLow = number(19), let span = number(36) else { return nil }
            return (traceHigh, traceLow, span, high << 4 | low)
        }
        guard let numbers else { return nil }
        self.init(numbers.traceHigh, numbers.traceLow, numbers.span, numbers.flags, text: text)
    }

    private static func text(_ traceHigh: UInt64, _ traceLow: UInt64, _ span: UInt64, _ flags: UInt8) -> String {
        func digits(_ number: UInt64, _ count: Int) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: count - digits.utf8.count) + digits
        }
        return "00-\(digits(traceHigh, 16))\(digits(traceLow, 16))-\(digits(span, 16))-\(digits(UInt64(flags), 2))"
    }

    /// The number of a digit; `nil` if it is none. Letters are in lower case (W3C Trace Context section 3.2.1).
    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
