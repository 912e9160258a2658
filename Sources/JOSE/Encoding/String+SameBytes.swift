// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether both texts are the same code points.
    ///
    /// `==` on `String` follows Unicode's canonical equivalence ("K" equals U+212A, the Kelvin sign). Names and
    /// identifiers in JSON and OAuth are compared code point by code point (RFC 8259 section 8.3, RFC 7519
    /// section 7.3), so nothing here that decides trust uses `==`.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
