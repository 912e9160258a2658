// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

// Bytes as one block of memory, and text as bytes: what the readers and writers of JSON, forms and tokens share.

extension Collection where Element == UInt8 {
    /// Calls `body` with the bytes as one block of memory, copying them first only where they are not one already.
    @inlinable
    package func withContiguousBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        if let result = try withContiguousStorageIfAvailable(body) {
            return result
        }
        return try Array(self).withUnsafeBufferPointer(body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the first position of a byte, by the search of the C library; `nil` if the byte is absent.
    package func firstPosition(of byte: UInt8) -> Int? {
        guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// Whether no byte is above 0x7F.
    var isASCII: Bool {
        var seen: UInt8 = 0
        for byte in self { seen |= byte }
        return seen < 0x80
    }
}

extension String {
    /// Returns whether both texts are the same code points.
    ///
    /// `==` on `String` follows Unicode's canonical equivalence ("K" equals U+212A, the Kelvin sign). Names and
    /// identifiers in JSON and OAuth are compared code point by code point (RFC 8259 section 8.3, RFC 7519
    /// section 7.3), so nothing here that decides trust uses `==`.
    ///
    /// It is inlined, because most texts differ in their length. It does not call `==` either, whose time an attacker can
    /// make quadratic in the length of the text.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && hasSameBytesThroughout(other)
    }

    /// Returns whether both texts are the same code points. The other one is ASCII, like the names of protocols.
    ///
    /// Here `==` compares bytes: a text that is canonically equivalent to an ASCII text and as long is that text, because
    /// each character beyond ASCII that is equivalent to one of ASCII (the Kelvin sign, the Greek question mark, the Greek
    /// varia) is two or three bytes long; and the first character that differs ends the comparison.
    @inlinable
    package func hasSameBytes(asASCII other: String) -> Bool {
        utf8.count == other.utf8.count && self == other
    }

    /// Compares texts of the same length byte by byte.
    @usableFromInline
    func hasSameBytesThroughout(_ other: String) -> Bool {
        utf8.withContiguousBytes { mine in
            other.utf8.withContiguousBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, utf8.count) == 0
            }
        }
    }

    /// Returns whether the text consists of these bytes.
    package func hasSameBytes(as bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard utf8.count == bytes.count else { return false }
        return utf8.withContiguousBytes { mine in
            guard let mine = mine.baseAddress, let other = bytes.baseAddress else { return true }
            return memcmp(mine, other, bytes.count) == 0
        }
    }

    /// Creates a text from its bytes; `nil` if they are not UTF-8.
    ///
    /// The standard library's own failable initializer is generic code that is not specialized, and slow for the ASCII
    /// that nearly every text here is.
    package init?(strictUTF8 bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.isASCII {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(validating: bytes, as: UTF8.self)
        }
    }

    /// Whether every character is one of %x20-7E.
    package var isPrintableASCII: Bool {
        utf8.withContiguousBytes { bytes in
            // The loop has no exit, so that it is compiled into vector instructions: a token has a thousand characters.
            var others: UInt8 = 0
            for byte in bytes { others |= byte &- 0x20 > 0x5E ? 1 : 0 }
            return others == 0
        }
    }

    /// Whether there is a control character of ASCII, %x00-1F or %x7F: what could end a line.
    package var hasControlCharacters: Bool {
        utf8.withContiguousBytes { bytes in
            // This loop has no exit either.
            var controls: UInt8 = 0
            for byte in bytes { controls |= byte < 0x20 || byte == 0x7F ? 1 : 0 }
            return controls != 0
        }
    }
}

extension Substring {
    /// Whether both texts consist of the same bytes.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return utf8.withContiguousBytes { mine in
            other.utf8.withContiguousBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, other.utf8.count) == 0
            }
        }
    }
}
