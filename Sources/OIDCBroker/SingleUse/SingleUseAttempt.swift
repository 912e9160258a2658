// SPDX-License-Identifier: Apache-2.0

import JOSE

/// One attempt to claim a key of a ``SingleUseStore``: 16 random bytes.
///
/// Whoever asks again because an answer was lost asks as the same attempt, and gets the same answer. Another request is
/// another attempt.
public struct SingleUseAttempt: Sendable, Hashable {
    /// The number of bytes.
    public static let byteCount = 16

    /// The bytes, stored inline to avoid an allocation.
    let words: (UInt64, UInt64)

    /// Creates an attempt that is none of any other request.
    public init() {
        words = Self.words(SecureRandom.bytes(Self.byteCount))
    }

    /// Creates an attempt from 16 bytes, for tests of a store; `nil` if it is another number.
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
