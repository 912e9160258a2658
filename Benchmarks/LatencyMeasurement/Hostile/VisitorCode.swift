// SPDX-License-Identifier: Apache-2.0

/// An authorization code that says who signs in. The provider of a measurement accepts any such code, so a client in
/// another process can complete a login without a request to it.
package struct VisitorCode: Sendable, Hashable {
    /// The subject that signs in, without a dot.
    package let subject: String
    /// The `nonce` of the authorization request; empty if it has none.
    package let nonce: String
    /// The `code_challenge` of the authorization request.
    package let challenge: String

    private static let mark = "visitor"

    /// Creates a code.
    package init(subject: String, nonce: String, challenge: String) {
        self.subject = subject
        self.nonce = nonce
        self.challenge = challenge
    }

    /// Reads a code; `nil` if it is another one.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.mark, !parts[1].isEmpty else { return nil }
        self.init(subject: String(parts[1]), nonce: String(parts[2]), challenge: String(parts[3]))
    }

    /// The code as a parameter.
    package var text: String { "\(Self.mark).\(subject).\(nonce).\(challenge)" }
}
