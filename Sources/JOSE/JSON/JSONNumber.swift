// SPDX-License-Identifier: Apache-2.0

/// A JSON number (RFC 8259 section 6), kept as it was written.
///
/// Whole numbers within 64 bits stay exact. Two numbers are equal if their values are, however they are written.
package struct JSONNumber: Sendable, Hashable {
    /// The number as it stood in the text, for writing it again unchanged.
    let text: String

    /// The exact value of a whole number (also one written as `1.0` or `1e3`), or `nil` for a fraction and for a number
    /// that needs more than 64 bits.
    package let integer: Int64?

    /// The nearest double; infinite where the number exceeds every finite double.
    package let double: Double

    /// A whole number.
    package init(_ value: Int64) {
        text = String(value)
        integer = value
        double = Double(value)
    }

    /// A number as JSON writes it.
    ///
    /// - Returns: `nil` if the text does not follow RFC 8259's grammar or has more than 256 characters.
    package init?(text: String) {
        guard case .number(let number)? = try? JSONParser.parse(Array(text.utf8), limits: Self.textLimits),
            number.text.utf8.count == text.utf8.count
        else { return nil }
        self = number
    }

    private static let textLimits = JSONLimits(maximumBytes: JSONScanner.longestNumber, maximumDepth: 0)

    /// The largest magnitude up to which doubles hold every whole number: 2^53.
    static let exactDoubleBound: Int64 = 1 << 53

    /// A number whose text the scanner has checked.
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
