// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension String {
    /// Whether both texts are the same code points.
    ///
    /// `==` on `String` follows Unicode's canonical equivalence ("K" equals U+212A, the Kelvin sign). Names and
    /// identifiers in JSON and OAuth are compared code point by code point (RFC 8259 section 8.3, RFC 7519
    /// section 7.3), so nothing here that decides trust uses `==`.
    ///
    /// Inlined where it is called: most texts differ in their length or first byte, and a call to see that costs ten times
    /// as much. Nothing here asks `==` either: of texts that somebody made for it that takes a thousand times as long.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && hasSameBytesThroughout(other)
    }

    /// The same, where it is known that the other one is ASCII, as the names of protocols are.
    ///
    /// A text that Unicode takes for the same as one of ASCII, and that is as long, is that one: each character beyond ASCII
    /// that stands for one of it (the Kelvin sign, the Greek question mark, the Greek varia) takes two bytes or three. And
    /// the first character that differs decides, so that it takes no longer than to compare bytes.
    @inlinable
    package func hasSameBytes(asASCII other: String) -> Bool {
        utf8.count == other.utf8.count && self == other
    }

    /// The same for texts of one length, byte by byte.
    @usableFromInline
    func hasSameBytesThroughout(_ other: String) -> Bool {
        utf8.withContiguousBytes { mine in
            other.utf8.withContiguousBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, utf8.count) == 0
            }
        }
    }
}
