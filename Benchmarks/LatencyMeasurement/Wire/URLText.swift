// SPDX-License-Identifier: Apache-2.0

/// The URL functions of the load generator.
package enum URLText {
    /// Returns the path and query of a URL, as in a request line. A URL without a path has `/`; a text without scheme
    /// and host is returned unchanged.
    package static func requestTarget(of url: String) -> String {
        let bytes = Array(url.utf8)
        guard let mark = bytes.firstRange(ofBytes: "://".utf8) else {
            return url.isEmpty ? "/" : withoutFragment(bytes[...])
        }
        let rest = bytes[mark.upperBound...]
        guard let path = rest.firstIndex(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }) else { return "/" }
        let target = withoutFragment(rest[path...])
        return bytes[path] == 0x2F ? target : "/" + target
    }

    /// Returns the text with everything except unreserved characters (RFC 3986 section 2.3) escaped.
    package static func percentEncoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                bytes.append(byte)
            default:
                bytes.append(0x25)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func withoutFragment(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0x23 }, as: UTF8.self)
    }

    /// Decodes percent escapes and `+` once; `nil` if an escape is invalid.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var cursor = bytes.startIndex
        while cursor < bytes.endIndex {
            let byte = bytes[cursor]
            if byte == 0x25 {
                guard bytes.endIndex - cursor > 2, let high = nibble(bytes[cursor + 1]),
                    let low = nibble(bytes[cursor + 2])
                else { return nil }
                result.append(high << 4 | low)
                cursor += 3
            } else {
                result.append(byte == 0x2B ? 0x20 : byte)
                cursor += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
