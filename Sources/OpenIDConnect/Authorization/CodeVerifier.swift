// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// A PKCE code verifier and its S256 challenge (RFC 7636 sections 4.1 and 4.2).
package struct CodeVerifier: Sendable, Hashable, Unprinted {
    /// The verifier, 43 to 128 unreserved characters.
    package let value: String

    /// Creates a verifier of 43 characters from 32 bytes.
    package init(bytes: [UInt8]) {
        value = Base64URL.encode(bytes)
    }

    /// Creates a verifier from a text; `nil` if its length or a character is not allowed.
    package init?(_ value: String) {
        self.init(WireText(value))
    }

    /// Creates a verifier from received text; `nil` if its length or a character is not allowed.
    package init?(_ text: WireText) {
        guard let value = text.ascii(atMost: 128), value.utf8.count >= 43,
            value.utf8.withContiguousBytes({ $0.allSatisfy(Self.isUnreserved) })
        else { return nil }
        self.value = value
    }

    /// BASE64URL(SHA256(verifier)).
    package var challenge: String { Base64URL.encode(Hash.sha256(value.utf8)) }

    /// The SHA-256 hash of the verifier, 32 bytes.
    package var challengeBytes: [UInt8] { Hash.sha256(value.utf8) }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
        default: false
        }
    }
}
