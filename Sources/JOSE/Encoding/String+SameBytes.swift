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
    /// Inlined where it is called: most texts differ in their length, and a call to see that costs ten times as much.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        // What Unicode takes for different is different; what it takes for the same may not be.
        utf8.count == other.utf8.count && self == other && hasSameBytesThroughout(other)
    }

    /// The same, where it is known that the other one is ASCII, as the names of protocols are.
    ///
    /// A text that Unicode takes for the same as one of ASCII, and that is as long, is that one: each character beyond ASCII
    /// that stands for one of it (the Kelvin sign, the Greek question mark, the Greek varia) takes two bytes or three.
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
