// SPDX-License-Identifier: Apache-2.0

#if canImport(CryptoKit)
    import CryptoKit
    import Foundation

    /// A nonce of one sign-in, which binds the provider's ID token to this app and to this moment.
    ///
    /// Its ``hashed`` form goes into the request to the provider, and ``raw`` with the ID token to the server. On Linux
    /// there is no such type: the module has no cryptography of its own, and an app there brings both texts.
    public struct Nonce: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The nonce: 256 random bits in hexadecimal.
        public let raw: String
        /// The SHA-256 of ``raw`` in lower-case hexadecimal.
        public let hashed: String

        /// Creates a random nonce.
        public init() {
            raw = SymmetricKey(size: .bits256).withUnsafeBytes { Self.hexadecimal($0) }
            hashed = Self.hexadecimal(SHA256.hash(data: Data(raw.utf8)))
        }

        private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
            bytes.map { String(format: "%02x", $0) }.joined()
        }

        public var description: String { "Nonce" }
        public var debugDescription: String { description }
        public var customMirror: Mirror { Mirror(self, children: []) }
    }
#endif
