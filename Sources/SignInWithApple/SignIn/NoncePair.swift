// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// A nonce as Apple's and Firebase's clients use it. The app keeps the raw nonce and sends it to the broker with the
/// credential, while Apple gets its hash and puts that into the ID token.
///
/// A stolen ID token cannot be presented without the raw nonce, which Apple never sees.
public struct NoncePair: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The raw nonce. If it is from ``make()``, it is 256 random bits in base64url, 43 characters.
    public let raw: String
    /// The SHA-256 of ``raw`` in lowercase hexadecimal, 64 characters, which is sent to Apple.
    public let hashed: String

    /// Creates the pair for an existing raw nonce.
    public init(raw: String) {
        self.raw = raw
        hashed = ProviderProfile.apple.nonce(fromRaw: raw)
    }

    /// Creates a new pair from the operating system's secure random source.
    public static func make() -> NoncePair {
        NoncePair(raw: Base64URL.encode(SecureRandom.bytes(32)))
    }

    public var description: String { "NoncePair" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
