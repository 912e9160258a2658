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
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return utf8.withContiguousBytes { mine in
            other.utf8.withContiguousBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, utf8.count) == 0
            }
        }
    }
}
