// SPDX-License-Identifier: Apache-2.0

/// Text that came from a socket or from a provider's document: UTF-8, compared, hashed and looked up by its bytes.
///
/// `String` compares and hashes by Unicode's canonical equivalence, which sorts and normalizes each run of combining
/// marks: quadratic in its length, 15 seconds of a loop for 64 KB. Names and identifiers of JSON and OAuth are compared
/// code point by code point (RFC 8259 section 8.3, RFC 7519 section 7.3), so that nothing is lost by comparing bytes.
///
/// A `String` comes out in two ways: ``ascii(atMost:)``, which is harmless by what it checks, and ``makeString()``, for
/// what is shown, logged or handed on. `.ci/check-wire-text` lists the places that may call the latter.
package struct WireText: Sendable {
    @usableFromInline
    let storage: String

    /// Text as it was received.
    @inlinable
    package init(_ text: String) {
        storage = text
    }

    /// Text as it was received.
    package init(_ text: Substring) {
        storage = String(text)
    }

    /// The bytes.
    @inlinable @inline(__always)
    package var utf8: String.UTF8View { storage.utf8 }

    /// Whether there is not one byte.
    @inlinable
    package var isEmpty: Bool { storage.isEmpty }

    /// The text where it is ASCII and at most that many bytes long, else `nil`.
    ///
    /// Comparing ASCII is comparing bytes, so that what comes out may be looked up, switched over and compared.
    package func ascii(atMost maximumByteCount: Int) -> String? {
        guard storage.utf8.count <= maximumByteCount else { return nil }
        return storage.utf8.withContiguousBytes(\.isASCII) ? storage : nil
    }

    /// The text where it is printable ASCII, %x20-7E, and at most that many bytes long, else `nil`.
    package func printableASCII(atMost maximumByteCount: Int) -> String? {
        storage.utf8.count <= maximumByteCount && storage.isPrintableASCII ? storage : nil
    }

    /// The text where it is visible ASCII, %x21-7E, and at most that many bytes long, else `nil`.
    package func visibleASCII(atMost maximumByteCount: Int) -> String? {
        guard storage.utf8.count <= maximumByteCount, storage.isPrintableASCII,
            storage.utf8.withContiguousBytes({ $0.firstPosition(of: UInt8(ascii: " ")) }) == nil
        else { return nil }
        return storage
    }

    /// The text for what only shows it, logs it, or hands it on: never for comparing, hashing or looking up.
    @inlinable
    package func makeString() -> String { storage }

    /// Whether both texts are the same code points.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: String) -> Bool { storage.hasSameBytes(as: other) }

    /// Whether both texts are the same code points.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: WireText) -> Bool { storage.hasSameBytes(as: other.storage) }

    /// Whether both texts are the same code points; the other one must be ASCII.
    @inlinable @inline(__always)
    package func hasSameBytes(asASCII other: String) -> Bool { storage.hasSameBytes(asASCII: other) }

    /// Whether every character is one of %x20-7E.
    package var isPrintableASCII: Bool { storage.isPrintableASCII }

    /// Whether there is a control character of ASCII, %x00-1F or %x7F.
    package var hasControlCharacters: Bool { storage.hasControlCharacters }
}

extension WireText: Hashable {
    @inlinable
    package static func == (left: WireText, right: WireText) -> Bool {
        left.storage.hasSameBytes(as: right.storage)
    }

    package func hash(into hasher: inout Hasher) {
        storage.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension WireText: ExpressibleByStringLiteral {
    /// A constant to compare with.
    @inlinable
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension WireText: CustomStringConvertible {
    /// Not the text: a description ends in logs by itself.
    package var description: String { "WireText" }
}

/// A closed set of registered names, for instance algorithms: looked up by bytes, behind a bound on the length.
package protocol RegisteredName: RawRepresentable, CaseIterable where RawValue == String {}

extension RegisteredName {
    /// No registered name is longer, bytes.
    package static var longestName: Int { 32 }

    /// The member of that name; `nil` for a name that is not registered, longer than ``longestName`` or not ASCII.
    package init?(wire name: WireText) {
        guard let name = name.ascii(atMost: Self.longestName) else { return nil }
        self.init(rawValue: name)
    }
}
