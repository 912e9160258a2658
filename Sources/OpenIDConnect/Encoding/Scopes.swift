// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The `scope` syntax: names separated by single spaces (RFC 6749 section 3.3).
package enum Scopes {
    /// Returns the names in order; none if the text is empty.
    package static func split(_ text: WireText) -> [WireText] {
        // Splits bytes rather than characters, which is much faster. There is often only one name.
        guard text.utf8.contains(UInt8(ascii: " ")) else { return text.isEmpty ? [] : [text] }
        return text.utf8.split(separator: UInt8(ascii: " ")).map { WireText(Substring($0)) }
    }
}
