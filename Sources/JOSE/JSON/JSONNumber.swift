// SPDX-License-Identifier: Apache-2.0

/// A JSON number (RFC 8259 section 6) in its original spelling.
///
/// Whole numbers that fit in 64 bits are exact. Two numbers are equal if their values are, however they are spelled.
package struct JSONNumber: Sendable, Hashable {
    /// The original text of the number, so that it is written again unchanged.
    let text: String

    /// The exact value of a whole number (`1.0` and `1e3` are whole too); `nil` if the number has a fraction or does
    /// not fit in 64 bits.
    package let integer: Int64?

    /// The nearest double; infinite if the number exceeds every finite double.
    package let double: Double

    /// Creates a whole number.
    package init(_ value: Int64) {
        text = String(value)
        integer = value
        double = Double(value)
    }

    /// Creates a number from its JSON text.
    ///
    /// - Returns: `nil` if the text does not follow the grammar of RFC 8259 or has more than 256 characters.
    package init?(text: String) {
        guard case .number(let number)? = try? JSONParser.parse(Array(text.utf8), limits: Self.textLimits),
            number.text.utf8.count == text.utf8.count
        else { return nil }
        self = number
    }

    private static let textLimits = JSONLimits(maximumBytes: JSONScanner.longestNumber, maximumDepth: 0)

    /// The largest magnitude up to which a double represents every whole number: 2^53.
    static let exactDoubleBound: Int64 = 1 << 53

    /// Creates a number from a text that the scanner has checked.
    init(checkedText text: String, isPlainInteger: Bool) {
        self.text = text
        if isPlainInteger, let value = Int64(text) {
            integer = value
            double = Double(value)
            return
        }
        let value = Double(text) ?? .infinity
        double = value
        if value.magnitude <= Double(Self.exactDoubleBound), value.rounded(.towardZero) == value, !isPlainInteger {
            integer = Int64(value)
        } else {
            integer = nil
        }
    }

    package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.integer == right.integer && left.double == right.double
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(integer)
        hasher.combine(double)
    }
}
