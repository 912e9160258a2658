// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// An authorization code (RFC 6749 section 4.1.2): whoever has it may try to exchange it, so that it is never shown.
package struct AuthorizationCode: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The longest code that is accepted, characters.
    package static let maximumLength = 4096

    /// The code itself, 1 to ``maximumLength`` characters of printable ASCII (RFC 6749 appendix A.11).
    package let value: String

    /// A code as it was received; `nil` if it is empty, too long or has other characters.
    package init?(_ text: WireText) {
        guard !text.isEmpty, let value = text.printableASCII(atMost: Self.maximumLength) else { return nil }
        self.value = value
    }

    package var description: String { "AuthorizationCode" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
