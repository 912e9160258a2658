// SPDX-License-Identifier: Apache-2.0

/// A fragment of HTML that is escaped by construction.
///
/// It is written as a string literal: the literal itself is markup, every interpolated `String` is escaped by
/// ``HTMLEscape``, and only another `HTML` is inserted unchanged. Escaping therefore cannot be forgotten.
///
/// Attribute values are written in quotes: `"<a href=\"\(url)\">"`.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The markup.
    package let text: String

    /// Creates markup from a literal without interpolations.
    package init(stringLiteral value: String) {
        text = value
    }

    /// Creates markup from a literal whose interpolations were escaped.
    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// The accumulator of the parts of an ``HTML`` literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Creates an empty accumulator. The compiler calls this first.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        /// Appends markup from the literal itself.
        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Appends a text, escaped.
        package mutating func appendInterpolation(_ value: String) {
            text += HTMLEscape.text(value)
        }

        /// Appends a number.
        package mutating func appendInterpolation(_ value: Int) {
            text += String(value)
        }

        /// Appends a fragment of HTML.
        package mutating func appendInterpolation(_ fragment: HTML) {
            text += fragment.text
        }

        /// Appends fragments in order.
        package mutating func appendInterpolation(_ fragments: [HTML]) {
            for fragment in fragments { text += fragment.text }
        }
    }
}
