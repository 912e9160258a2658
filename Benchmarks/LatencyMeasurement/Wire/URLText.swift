// SPDX-License-Identifier: Apache-2.0

/// What the load generator needs of URLs.
package enum URLText {
    /// The parameters of a URL's query and fragment, decoded; the first of several with one name.
    package static func parameters(of url: String) -> [String: String] {
        let bytes = Array(url.utf8)
        guard var cursor = bytes.firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) else { return [:] }
        var parameters: [String: String] = [:]
        while cursor < bytes.count {
            let start = cursor + 1
            var end = start
            while end < bytes.count, bytes[end] != 0x26, bytes[end] != 0x23 { end += 1 }
            let pair = bytes[start..<end]
            if let equals = pair.firstIndex(of: 0x3D), let name = decoded(pair[..<equals]), !name.isEmpty,
                parameters[name] == nil
            {
                parameters[name] = decoded(pair[(equals + 1)...])
            }
            cursor = end
        }
        return parameters
    }

    /// Path and query: what stands in a request line. A URL without a path has `/`; one without scheme and host is taken
    /// as it is.
    package static func requestTarget(of url: String) -> String {
        guard let mark = url.range(ofBytes: "://") else { return url.isEmpty ? "/" : withoutFragment(url) }
        let rest = url[mark.upperBound...]
        guard let slash = rest.firstIndex(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else { return "/" }
        let target = withoutFragment(String(rest[slash...]))
        return target.hasPrefix("/") ? target : "/" + target
    }

    /// The text with everything but unreserved characters (RFC 3986 section 2.3) escaped.
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

    private static func withoutFragment(_ text: String) -> String {
        text.firstIndex(of: "#").map { String(text[..<$0]) } ?? text
    }

    /// Percent escapes and `+` decoded once; nil for an escape that is none.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
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

extension String {
    /// Where a short text first stands; searched byte by byte.
    fileprivate func range(ofBytes text: String) -> Range<String.Index>? {
        let wanted = Array(text.utf8)
        var cursor = utf8.startIndex
        while cursor < utf8.endIndex {
            if utf8[cursor...].starts(with: wanted) {
                return cursor..<utf8.index(cursor, offsetBy: wanted.count)
            }
            cursor = utf8.index(after: cursor)
        }
        return nil
    }
}
