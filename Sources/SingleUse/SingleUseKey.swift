// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The key of an entry in a ``SingleUseStore``: a hash, so that the store learns neither login IDs nor codes.
public struct SingleUseKey: Sendable, Hashable {
    /// The 32 bytes, stored inline to avoid an allocation for each key.
    let words: (UInt64, UInt64, UInt64, UInt64)

    /// The 32 bytes of the key.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: words) { Array($0) }
    }

    /// The maximum length of the value of a key, in bytes: 64 KB.
    public static let longestValue = 65_536

    /// Creates a key from 32 given bytes, for tests of a store. Any other number of bytes is hashed.
    public init(bytes: [UInt8]) {
        let bytes = bytes.count == 32 ? bytes : Hash.sha256(bytes)
        words = bytes.withUnsafeBytes { bytes in
            func word(_ number: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: 8 * number, as: UInt64.self) }
            return (word(0), word(1), word(2), word(3))
        }
    }

    public static func == (left: SingleUseKey, right: SingleUseKey) -> Bool {
        left.words == right.words
    }

    /// Hashes only the first bytes, since the key is a hash already.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }

    /// The purpose of an entry. Keys of different purposes are never equal.
    package struct Purpose: Sendable {
        fileprivate let prefix: [UInt8]

        /// Creates a purpose with a name that no other one has. It is a part of each key, so it stays as it is.
        package init(_ name: String) { prefix = Array(name.utf8) }

        /// A claim that only shows whether a store accepts writes.
        static let probe = Self("oidc-broker probe v1")
    }

    /// Creates a key, the SHA-256 hash of the purpose and the name.
    package init(_ purpose: Purpose, _ name: [UInt8]) {
        self.init(bytes: Hash.sha256(purpose.prefix + name))
    }
}
