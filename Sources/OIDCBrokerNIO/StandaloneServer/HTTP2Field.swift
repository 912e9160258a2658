// SPDX-License-Identifier: Apache-2.0

/// What RFC 9113 section 8.2 asks of each field of a request on an HTTP/2 stream, looked at byte by byte.
///
/// NIO's own validation compares values as text, in time by the square of their length, and is turned off
/// (`ListenerLimits.http2Connection`): this is all there is.
enum HTTP2Field {
    /// A pseudo-header field of requests (RFC 9113 section 8.3.1). `:protocol` (RFC 8441) is none: the settings that allow
    /// it are not sent.
    enum Pseudo {
        case method
        case scheme
        case authority
        case path

        /// By a name with its colon.
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

    /// Whether a value has neither NUL, CR nor LF, and no white space at its ends (RFC 9113 section 8.2.1).
    static func isValue(_ value: String) -> Bool {
        var value = value
        return value.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            // No exit from the loop, so that it becomes vector instructions: a cookie has a thousand characters.
            var breaks: UInt8 = 0
            for byte in bytes { breaks |= (byte == 0 ? 1 : 0) | (byte == 0x0A ? 1 : 0) | (byte == 0x0D ? 1 : 0) }
            return breaks == 0 && !Self.isSpace(first) && !Self.isSpace(last)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether a field is of a connection's, which HTTP/2 has not (RFC 9113 section 8.2.2). `TE` may say `trailers`.
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

    /// What a `content-length` says: `nil` if it is no number, or too large a one.
    static func length(_ value: String) -> Int? {
        // Nineteen digits are as many as a number of 64 bits has.
        guard (1...19).contains(value.utf8.count),
            value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(value)
    }
}
