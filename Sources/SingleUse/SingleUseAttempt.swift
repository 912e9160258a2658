// SPDX-License-Identifier: Apache-2.0

import JOSE

/// One attempt to claim a key of a ``SingleUseStore``: 16 random bytes.
///
/// An operation that is repeated because its answer was lost has the same attempt, and gets the same answer. Each other
/// request is an attempt of its own.
public struct SingleUseAttempt: Sendable, Hashable {
    /// The number of bytes.
    public static let byteCount = 16

    /// The bytes, stored inline to avoid an allocation.
    let words: (UInt64, UInt64)

    /// Creates a random attempt, which no other request has.
    public init() {
        words = Self.words(SecureRandom.bytes(Self.byteCount))
    }

    /// Creates an attempt from 16 bytes, for tests of a store; `nil` for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Self.words(bytes)
    }

    private static func words(_ bytes: [UInt8]) -> (UInt64, UInt64) {
        bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }

    /// The 16 bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    public static func == (left: SingleUseAttempt, right: SingleUseAttempt) -> Bool {
        left.words == right.words
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}
