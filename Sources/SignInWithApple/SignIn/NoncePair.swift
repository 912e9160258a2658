// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// A nonce as Apple's and Firebase's clients use it: the raw one stays with the app and goes to the broker with the
/// credential; Apple gets the hash, and puts it into the ID token.
///
/// So that whoever steals the ID token cannot present it: the raw nonce never was at Apple.
public struct NoncePair: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What stays here: for ``make()`` 256 random bits in base64url, 43 characters.
    public let raw: String
    /// The SHA-256 of ``raw`` in lower-case hexadecimal, 64 characters: what Apple gets.
    public let hashed: String

    /// The pair of a raw nonce that somebody else made.
    public init(raw: String) {
        self.raw = raw
        hashed = ProviderProfile.apple.nonce(fromRaw: raw)
    }

    /// A new pair from the operating system's secure random source.
    public static func make() -> NoncePair {
        NoncePair(raw: Base64URL.encode(SecureRandom.bytes(32)))
    }

    public var description: String { "NoncePair" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
