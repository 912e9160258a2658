// SPDX-License-Identifier: Apache-2.0

import JOSE

/// `application/x-www-form-urlencoded`, written and strictly read: the form of queries, of token requests and of the
/// client id and secret in HTTP Basic (RFC 6749 appendix B).
package enum FormURLEncoding {
    /// The most parameters that are read; one more is refused.
    package static let maximumParameters = 100

    /// Encodes pairs, joined by `&`.
    package static func encode(_ pairs: [(String, String)]) -> String {
        encode(pairs, behind: "")
    }

    /// Encodes pairs, joined by `&`, behind a text that is encoded already, such as a URL with its `?`: in one string.
    package static func encode(_ pairs: [(String, String)], behind prefix: String) -> String {
        var length = prefix.utf8.count + max(0, pairs.count * 2 - 1)
        for (name, value) in pairs { length += encodedLength(name) + encodedLength(value) }
        return String(unsafeUninitializedCapacity: length) { buffer in
            var writer = Writer(buffer: buffer)
            writer.copy(prefix)
            for (position, (name, value)) in pairs.enumerated() {
                if position > 0 { writer.put(UInt8(ascii: "&")) }
                writer.encode(name)
                writer.put(UInt8(ascii: "="))
                writer.encode(value)
            }
            return writer.count
        }
    }

    /// Encodes one value. A space becomes `%20`, which form and query readers both understand.
    package static func percentEncode(_ text: String) -> String {
        String(unsafeUninitializedCapacity: encodedLength(text)) { buffer in
            var writer = Writer(buffer: buffer)
            writer.encode(text)
            return writer.count
        }
    }

    /// Reads pairs: decoded once, `+` as a space; a bad escape, a control character, a byte beyond ASCII that is not
    /// escaped, and UTF-8 that is not UTF-8 are refused.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        maximumParameters: Int = Self.maximumParameters
    ) throws(ParametersError) -> Parameters {
        // Generic collections cost ten times as much, byte for byte: everything below works on one buffer.
        let result = bytes.withContiguousStorageIfAvailable { parse($0, maximumParameters) }
        return try (result ?? Array(bytes).withUnsafeBufferPointer { parse($0, maximumParameters) }).get()
    }

    private static func parse(
        _ bytes: UnsafeBufferPointer<UInt8>, _ maximumParameters: Int
    ) -> Result<Parameters, ParametersError> {
        var parameters = Parameters()
        var count = 0
        var start = 0
        do throws(ParametersError) {
            while start < bytes.count {
                var end = start
                var equals: Int?
                while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
                    if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                    end += 1
                }
                if end > start {
                    count += 1
                    guard count <= maximumParameters else { throw .tooMany }
                    let name = try decode(bytes, start..<(equals ?? end))
                    var value = ""
                    if let equals { value = try decode(bytes, (equals + 1)..<end) }
                    parameters.append(name, value)
                }
                start = end + 1
            }
        } catch {
            return .failure(error)
        }
        return .success(parameters)
    }

    /// The length of an encoded text, in bytes.
    private static func encodedLength(_ text: String) -> Int {
        text.utf8.withContiguousBytes { bytes in
            var length = bytes.count
            for byte in bytes where !isUnreserved(byte) { length += 2 }
            return length
        }
    }

    /// Fills a buffer whose size was reckoned before; what does not fit is left out.
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
            text.utf8.withContiguousBytes { bytes in
                for byte in bytes { put(byte) }
            }
        }

        mutating func encode(_ text: String) {
            text.utf8.withContiguousBytes { bytes in
                for byte in bytes {
                    if isUnreserved(byte) {
                        put(byte)
                    } else {
                        put(UInt8(ascii: "%"))
                        put(hexadecimalDigit(byte >> 4))
                        put(hexadecimalDigit(byte & 15))
                    }
                }
            }
        }
    }

    private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") - 10 + nibble
    }

    /// RFC 3986 section 2.3: letters, digits and `-._~`, as a bit for each of the 128 ASCII characters.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        let bits: UInt64 = byte < 0x40 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return bits >> UInt64(byte & 0x3F) & 1 == 1
    }

    /// Decodes one name or value.
    package static func decode(_ bytes: some Collection<UInt8>) throws(ParametersError) -> String {
        let copy = Array(bytes)
        let result = copy.withUnsafeBufferPointer { buffer -> Result<String, ParametersError> in
            do throws(ParametersError) {
                return .success(try decode(buffer, 0..<buffer.count))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) throws(ParametersError) -> String {
        var needsDecoding = false
        for byte in bytes[range] {
            guard (0x21...0x7E).contains(byte) else { throw .undecodable }
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { needsDecoding = true }
        }
        guard needsDecoding else { return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var isASCII = true
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, let high = nibble(bytes[index + 1]),
                    let low = nibble(bytes[index + 2])
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
        if isASCII { return String(decoding: decoded, as: UTF8.self) }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .undecodable }
        return text
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
