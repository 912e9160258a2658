// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// An authorization code (RFC 6749 section 4.1.2). Its value is never printed, since anyone who has it may try to
/// exchange it.
package struct AuthorizationCode: Sendable, Hashable, Unprinted {
    /// The maximum length of a code, in characters.
    package static let maximumLength = 4096

    /// The code, 1 to ``maximumLength`` characters of printable ASCII (RFC 6749 appendix A.11).
    package let value: String

    /// Creates a code from received text; `nil` if it is empty, too long or contains other characters.
    package init?(_ text: WireText) {
        guard !text.isEmpty, let value = text.printableASCII(atMost: Self.maximumLength) else { return nil }
        self.value = value
    }
}
