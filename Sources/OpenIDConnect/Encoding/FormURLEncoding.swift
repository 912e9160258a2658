// SPDX-License-Identifier: Apache-2.0

/// `application/x-www-form-urlencoded`, written and strictly read: the form of queries, of token requests and of the
/// client id and secret in HTTP Basic (RFC 6749 appendix B).
package enum FormURLEncoding {
    /// The most parameters that are read; one more is refused.
    package static let maximumParameters = 100

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    /// Encodes pairs, joined by `&`.
    package static func encode(_ pairs: [(String, String)]) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 16 })
        for (name, value) in pairs {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Encodes one value. A space becomes `%20`, which form and query readers both understand.
    package static func percentEncode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads pairs: decoded once, `+` as a space; a bad escape, a control character, a byte beyond ASCII that is not
    /// escaped, and UTF-8 that is not UTF-8 are refused.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        maximumParameters: Int = Self.maximumParameters
    ) throws(ParametersError) -> Parameters {
        var parameters = Parameters()
        guard !bytes.isEmpty else { return parameters }
        var count = 0
        for pair in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            count += 1
            guard count <= maximumParameters else { throw .tooMany }
            if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
                parameters.append(
                    try decode(pair[pair.startIndex..<equals]), try decode(pair[pair.index(after: equals)...]))
            } else {
                parameters.append(try decode(pair), "")
            }
        }
        return parameters
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            }
        }
    }

    /// RFC 3986 section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Decodes one name or value.
    package static func decode(_ bytes: some Collection<UInt8>) throws(ParametersError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(nibble), let low = iterator.next().flatMap(nibble) else {
                    throw .undecodable
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+"):
                decoded.append(UInt8(ascii: " "))
            case 0x21...0x7E:
                decoded.append(byte)
            default:
                throw .undecodable
            }
        }
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
