// SPDX-License-Identifier: Apache-2.0

/// Text that came from a socket or from a provider's document: UTF-8 that is compared, hashed and looked up by its
/// bytes.
///
/// `String` compares and hashes by Unicode's canonical equivalence, which sorts and normalizes each run of combining
/// marks in quadratic time. An attacker could stall an event loop with that. Names and identifiers in JSON and OAuth
/// are compared code point by code point (RFC 8259 section 8.3, RFC 7519 section 7.3), so comparing bytes is also the
/// correct comparison.
///
/// There are two ways to get a `String`: ``ascii(atMost:)``, which is safe because of what it checks, and
/// ``makeString()``, for text that is shown, logged or passed on. `.ci/check-wire-text` lists the places that may call
/// the latter.
@usableFromInline
package struct WireText: Sendable {
    @usableFromInline
    let storage: String

    /// Creates a text from a received string.
    @inlinable
    package init(_ text: String) {
        storage = text
    }

    /// Creates a text from a part of a received string.
    package init(_ text: Substring) {
        storage = String(text)
    }

    /// The UTF-8 bytes.
    @inlinable
    package var utf8: String.UTF8View { storage.utf8 }

    /// Whether the text has no bytes.
    @inlinable
    package var isEmpty: Bool { storage.isEmpty }

    /// The text if it is ASCII and at most the given number of bytes long, otherwise `nil`.
    ///
    /// Comparing ASCII strings is comparing bytes, so the result may be looked up, switched over and compared.
    package func ascii(atMost maximumByteCount: Int) -> String? {
        guard storage.utf8.count <= maximumByteCount else { return nil }
        return storage.utf8.withContiguousBytes(\.isASCII) ? storage : nil
    }

    /// The text if it is printable ASCII (%x20-7E) and at most the given number of bytes long, otherwise `nil`.
    package func printableASCII(atMost maximumByteCount: Int) -> String? {
        storage.utf8.count <= maximumByteCount && storage.isPrintableASCII ? storage : nil
    }

    /// The text if it is visible ASCII (%x21-7E) and at most the given number of bytes long, otherwise `nil`.
    package func visibleASCII(atMost maximumByteCount: Int) -> String? {
        guard storage.utf8.count <= maximumByteCount, storage.isPrintableASCII,
            storage.utf8.withContiguousBytes({ $0.firstPosition(of: UInt8(ascii: " ")) }) == nil
        else { return nil }
        return storage
    }

    /// Returns the text for showing, logging or passing on. Never compare, hash or look up the result.
    @inlinable
    package func makeString() -> String { storage }

    /// Whether both texts consist of the same code points.
    @inlinable
    package func hasSameBytes(as other: String) -> Bool { storage.hasSameBytes(as: other) }

    /// Whether both texts consist of the same code points.
    @inlinable
    package func hasSameBytes(as other: WireText) -> Bool { storage.hasSameBytes(as: other.storage) }

    /// Whether both texts consist of the same code points. The other one must be ASCII.
    @inlinable
    package func hasSameBytes(asASCII other: String) -> Bool { storage.hasSameBytes(asASCII: other) }

    /// Whether every character is printable ASCII, %x20-7E.
    package var isPrintableASCII: Bool { storage.isPrintableASCII }

    /// Whether the text contains an ASCII control character, %x00-1F or %x7F.
    package var hasControlCharacters: Bool { storage.hasControlCharacters }
}

extension WireText: Hashable {
    @inlinable
    package static func == (left: WireText, right: WireText) -> Bool {
        left.storage.hasSameBytes(as: right.storage)
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        storage.utf8.withContiguousBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension WireText: ExpressibleByStringLiteral {
    /// Creates a constant to compare received text with.
    @inlinable
    package init(stringLiteral value: String) {
        self.init(value)
    }
}

extension WireText: CustomStringConvertible {
    /// A constant instead of the text, because descriptions end up in logs.
    @usableFromInline
    package var description: String { "WireText" }
}

/// A closed set of registered names, such as algorithms. Names are looked up by their bytes, within a bound on the
/// length.
package protocol RegisteredName: RawRepresentable, CaseIterable where RawValue == String {}

extension RegisteredName {
    /// The maximum length of a registered name, in bytes.
    package static var longestName: Int { 32 }

    /// The member with a received name; `nil` if the name is not registered, not ASCII or longer than ``longestName``.
    package init?(wire name: WireText) {
        guard let name = name.ascii(atMost: Self.longestName) else { return nil }
        self.init(rawValue: name)
    }
}
