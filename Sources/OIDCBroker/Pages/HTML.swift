// SPDX-License-Identifier: Apache-2.0

/// A fragment of HTML that is safe by construction.
///
/// Written as a string literal: what the literal says is markup, every interpolated `String` is escaped by
/// ``HTMLEscape``, and only another `HTML` is inserted as it is. Escaping therefore cannot be forgotten.
///
/// Attribute values are written in quotes: `"<a href=\"\(url)\">"`.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The markup.
    package let text: String

    /// Takes a literal without interpolations as markup.
    package init(stringLiteral value: String) {
        text = value
    }

    /// Takes a literal whose interpolations were escaped.
    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Collects the pieces of an ``HTML`` literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Called by the compiler before the first piece.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        /// Adds markup from the literal itself.
        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// Adds text, escaped.
        package mutating func appendInterpolation(_ value: String) {
            text += HTMLEscape.text(value)
        }

        /// Adds a number.
        package mutating func appendInterpolation(_ value: Int) {
            text += String(value)
        }

        /// Adds a fragment that is HTML already.
        package mutating func appendInterpolation(_ fragment: HTML) {
            text += fragment.text
        }

        /// Adds fragments one after the other.
        package mutating func appendInterpolation(_ fragments: [HTML]) {
            for fragment in fragments { text += fragment.text }
        }
    }
}
