// SPDX-License-Identifier: Apache-2.0

/// The rules of RFC 9113 section 8.2 for each field of a request on an HTTP/2 stream, checked byte by byte.
///
/// NIO's own validation compares values as text, in quadratic time, and is turned off
/// (`ListenerLimits.http2Connection`), so this is the only validation.
/// (`ListenerLimits.http2Connection`): this is all there is.
enum HTTP2Field {
    /// A pseudo-header field of requests (RFC 9113 section 8.3.1). `:protocol` (RFC 8441) is not included, since the
    /// setting that allows it is not sent.
    enum Pseudo {
        case method
        case scheme
        case authority
        case path

        /// Creates a field from its name, including the colon.
        init?(name: String) {
            switch name.utf8.count {
            case 5 where name.isExactly(":path"): self = .path
            case 7 where name.isExactly(":method"): self = .method
            case 7 where name.isExactly(":scheme"): self = .scheme
            case 10 where name.isExactly(":authority"): self = .authority
            default: return nil
            }
        }
    }

    /// Whether a name is a token without upper-case letters (RFC 9113 section 8.2.1).
    static func isName(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            guard !bytes.isEmpty else { return false }
            for byte in bytes where !Self.isTokenByte(byte) || (0x41...0x5A).contains(byte) { return false }
            return true
        }
    }

    /// Whether a text is a token (RFC 9110 section 5.6.2).
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Self.isTokenByte)
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
        default: false
        }
    }

    /// Whether a value contains no NUL, CR or LF, and no white space at its ends (RFC 9113 section 8.2.1).
    static func isValue(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            // No early exit, so that the loop is vectorized: a cookie may have a thousand characters.
            var breaks: UInt8 = 0
            for byte in bytes { breaks |= (byte == 0 ? 1 : 0) | (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0) }
            return breaks == 0 && !Self.isSpace(first) && !Self.isSpace(last)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether a field is connection-specific, which HTTP/2 does not allow (RFC 9113 section 8.2.2). `TE` may only be
    /// `trailers`.
    static func isOfConnection(_ name: String, _ value: String) -> Bool {
        switch name.utf8.count {
        case 2: name.isExactly("te") && !value.isExactly("trailers")
        case 7: name.isExactly("upgrade")
        case 10: name.isExactly("connection") || name.isExactly("keep-alive")
        case 16: name.isExactly("proxy-connection")
        case 17: name.isExactly("transfer-encoding")
        default: false
        }
    }

    /// The value of a `content-length`; `nil` if it is not a number or too large.
    static func length(_ value: String) -> Int? {
        // A 64-bit number has at most nineteen digits.
        guard (1...19).contains(value.utf8.count),
            value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(value)
    }
}
