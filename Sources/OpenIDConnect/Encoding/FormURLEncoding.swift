// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// `application/x-www-form-urlencoded` encoding and strict decoding, as used in queries, in token requests, and for the
/// client ID and secret in HTTP Basic (RFC 6749 appendix B).
package enum FormURLEncoding {
    /// The maximum number of parameters.
    package static let maximumParameters = 100

    /// Encodes pairs, joined by `&`.
    package static func encode(_ pairs: [(String, String)]) -> String {
        encode(pairs, behind: "")
    }

    /// Encodes pairs, joined by `&`, and appends them to a text that is already encoded, such as a URL with its `?`.
    package static func encode(_ pairs: [(String, String)], behind prefix: String) -> String {
        withUnsafeTemporaryAllocation(of: (name: Int, value: Int).self, capacity: pairs.count) { lengths in
            var length = prefix.utf8.count + max(0, pairs.count * 2 - 1)
            for (position, (name, value)) in pairs.enumerated() {
                let lengthOfPair = (name: encodedLength(name), value: encodedLength(value))
                lengths.initializeElement(at: position, to: lengthOfPair)
                length += lengthOfPair.name + lengthOfPair.value
            }
            return String(unsafeUninitializedCapacity: length) { buffer in
                var writer = Writer(buffer: buffer)
                writer.copy(prefix)
                for (position, (name, value)) in pairs.enumerated() {
                    if position > 0 { writer.put(UInt8(ascii: "&")) }
                    writer.encode(name, length: lengths[position].name)
                    writer.put(UInt8(ascii: "="))
                    writer.encode(value, length: lengths[position].value)
                }
                return writer.count
            }
        }
    }

    /// Encodes one value. A space becomes `%20`, which form and query decoders both understand.
    package static func percentEncode(_ text: String) -> String {
        let length = encodedLength(text)
        return String(unsafeUninitializedCapacity: length) { buffer in
            var writer = Writer(buffer: buffer)
            writer.encode(text, length: length)
            return writer.count
        }
    }

    /// Decodes pairs once, with `+` as a space. Invalid escapes, control characters, unescaped non-ASCII bytes and
    /// invalid UTF-8 are refused, but in the value of the parameter `shown`, which nothing depends on: it is then empty.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        maximumParameters: Int = Self.maximumParameters, shown: String? = nil
    ) throws(ParametersError) -> Parameters {
        // All functions below work on one buffer, because generic collections are much slower byte by byte.
        try bytes.withContiguousBytes { parse($0, maximumParameters, shown) }.get()
    }

    /// Decodes the pairs of a query.
    package static func parse(_ query: Substring, shown: String? = nil) throws(ParametersError) -> Parameters {
        try query.utf8.withContiguousBytes { parse($0, Self.maximumParameters, shown) }.get()
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, _ maximumParameters: Int, _ shown: String?
    ) -> Result<Parameters, ParametersError> {
        var parameters = Parameters()
        var count = 0
        var start = 0
        do throws(ParametersError) {
            while start < bytes.count {
                let rest = UnsafeBufferPointer(rebasing: bytes[start...])
                let pair = UnsafeBufferPointer(
                    rebasing: rest[..<(rest.firstPosition(of: UInt8(ascii: "&")) ?? rest.count)])
                if !pair.isEmpty {
                    count += 1
                    guard count <= maximumParameters else { throw .tooMany }
                    let equals = pair.firstPosition(of: UInt8(ascii: "="))
                    let name = try decode(UnsafeBufferPointer(rebasing: pair[..<(equals ?? pair.count)]))
                    var value: WireText = ""
                    if let equals {
                        let bytes = UnsafeBufferPointer(rebasing: pair[(equals + 1)...])
                        do throws(ParametersError) {
                            value = try decode(bytes)
                        } catch {
                            guard let shown, name.hasSameBytes(asASCII: shown) else { throw error }
                        }
                    }
                    parameters.append(name, value)
                }
                start += pair.count + 1
            }
        } catch {
            return .failure(error)
        }
        return .success(parameters)
    }

    /// The length of a text after encoding, in bytes.
    private static func encodedLength(_ text: String) -> Int {
        text.utf8.withContiguousBytes { bytes in
            if isUnreserved(bytes) { return bytes.count }
            var length = bytes.count
            for byte in bytes where !isUnreserved(byte) { length += 2 }
            return length
        }
    }

    /// A writer into a buffer of a precomputed size. Bytes that do not fit are dropped.
    private struct Writer {
        let buffer: UnsafeMutableBufferPointer<UInt8>
        private(set) var count = 0

        init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

        mutating func put(_ byte: UInt8) {
            guard count < buffer.count else { return }
            buffer[count] = byte
            count += 1
        }

        mutating func copy(_ text: String) {
            text.utf8.withContiguousBytes { copy($0, 0..<$0.count) }
        }

        /// - Parameter length: The result of ``FormURLEncoding/encodedLength(_:)``.
        mutating func encode(_ text: String, length: Int) {
            text.utf8.withContiguousBytes { bytes in
                // Most encoded values are base64url, in which nothing is escaped.
                if length == bytes.count { return copy(bytes, 0..<bytes.count) }
                var start = 0
                var end = 0
                while end < bytes.count {
                    let byte = bytes[end]
                    guard !isUnreserved(byte) else {
                        end += 1
                        continue
                    }
                    copy(bytes, start..<end)
                    put(UInt8(ascii: "%"))
                    put(hexadecimalDigit(byte >> 4))
                    put(hexadecimalDigit(byte & 15))
                    end += 1
                    start = end
                }
                copy(bytes, start..<end)
            }
        }

        private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            guard range.count <= buffer.count - count else { return }
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(
                from: UnsafeBufferPointer(rebasing: bytes[range]))
            count += range.count
        }
    }

    private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
    }

    /// Whether a byte is unreserved (RFC 3986 section 2.3): a letter, a digit or one of `-._~`. Looked up in a bit mask
    /// of the 128 ASCII characters.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 0x40 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 0x80 && bits &>> UInt64(byte & 0x3F) & 1 == 1
    }

    /// Whether nothing must be escaped. The loop has no early exit, so that the compiler vectorizes it.
    private static func isUnreserved(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var others: UInt8 = 0
        for byte in bytes {
            let isLetter: UInt8 = (byte | 0x20) &- 0x61 < 26 ? 1 : 0
            let isDigit: UInt8 = byte &- 0x30 < 10 ? 1 : 0
            // `-` and `.`; `_`; `~`.
            let isMark: UInt8 = (byte &- 0x2D < 2 ? 1 : 0) | (byte == 0x5F ? 1 : 0) | (byte == 0x7E ? 1 : 0)
            others |= 1 ^ (isLetter | isDigit | isMark)
        }
        return others == 0
    }

    /// Decodes one name or value.
    package static func decode(_ bytes: some Collection<UInt8>) throws(ParametersError) -> WireText {
        let copy = Array(bytes)
        let result = copy.withUnsafeBufferPointer { buffer -> Result<WireText, ParametersError> in
            do throws(ParametersError) {
                return .success(try decode(buffer))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(ParametersError) -> WireText {
        // No early exit, so that the loop is vectorized. A space means the same escaped or not, and oidc-agent sends it so.
        var others: UInt8 = 0
        for byte in bytes { others |= byte &- 0x20 > 0x5E ? 1 : 0 }
        guard others == 0 else { throw .undecodable }
        guard bytes.firstPosition(of: UInt8(ascii: "%")) != nil || bytes.firstPosition(of: UInt8(ascii: "+")) != nil
        else { return WireText(String(decoding: bytes, as: UTF8.self)) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var isASCII = true
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = nibble(bytes[index + 1]), let low = nibble(bytes[index + 2])
                else { throw .undecodable }
                let value = high << 4 | low
                if value >= 0x80 { isASCII = false }
                decoded.append(value)
                index += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        if isASCII { return WireText(String(decoding: decoded, as: UTF8.self)) }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .undecodable }
        return WireText(text)
    }

    /// The value of a hexadecimal digit, of either case, in ASCII; `nil` for any other byte.
    package static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
