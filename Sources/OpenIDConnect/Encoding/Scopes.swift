// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `scope`: names with single spaces between them (RFC 6749 section 3.3).
package enum Scopes {
    /// The names, in their order; none of an empty text.
    package static func split(_ text: WireText) -> [WireText] {
        // By bytes: as characters it costs a microsecond a name. Often there is one alone.
        guard text.utf8.contains(UInt8(ascii: " ")) else { return text.isEmpty ? [] : [text] }
        return text.utf8.split(separator: UInt8(ascii: " ")).map { WireText(Substring($0)) }
    }
}
