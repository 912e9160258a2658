// SPDX-License-Identifier: Apache-2.0

/// An element of `Forwarded` (RFC 7239 section 4): pairs of a name and a value between semicolons. White space beside a
/// semicolon is accepted, since some proxies write it.
enum ForwardedElement {
    /// Returns the value of `for`, without the quotation marks and backslashes of a quoted string.
    /// - Returns: `nil` if there is none or more than one, or if anything in the element is not of that form.
    static func node(in element: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var node: ArraySlice<UInt8>?
        var rest = element
        while true {
            skipWhiteSpace(&rest)
            if let first = rest.first, first != UInt8(ascii: ";") {
                let name = token(&rest)
                guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "=") else { return nil }
                guard let value = rest.first == UInt8(ascii: "\"") ? quotedString(&rest) : token(&rest) else {
                    return nil
                }
                if isFor(name) {
                    guard node == nil else { return nil }
                    node = value
                }
                skipWhiteSpace(&rest)
            }
            guard let separator = rest.popFirst() else { return node }
            guard separator == UInt8(ascii: ";") else { return nil }
        }
    }

    private static func isFor(_ name: ArraySlice<UInt8>) -> Bool {
        // Bit 5 makes ASCII letters lower case, and turns no other character of a token into one of these letters.
        name.count == 3 && name.elementsEqual("for".utf8) { $0 | 0x20 == $1 }
    }

    private static func skipWhiteSpace(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    }

    /// Reads a token (RFC 9110 section 5.6.2), which may be empty.
    private static func token(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let token = rest.prefix { byte in
            switch byte {
            case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E: true
            default: false
            }
        }
        rest = rest[token.endIndex...]
        return token
    }

    /// Reads a quoted string (RFC 9110 section 5.6.4). Nothing is copied unless it contains a backslash.
    private static func quotedString(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let text = rest.dropFirst()
        var unescaped: [UInt8]?
        var index = text.startIndex
        while index < text.endIndex, text[index] != UInt8(ascii: "\"") {
            if text[index] == UInt8(ascii: "\\") {
                if unescaped == nil { unescaped = Array(text[..<index]) }
                index += 1
            }
            guard index < text.endIndex, isText(text[index]) else { return nil }
            unescaped?.append(text[index])
            index += 1
        }
        guard index < text.endIndex else { return nil }
        rest = text[(index + 1)...]
        return unescaped?[...] ?? text[..<index]
    }

    /// Whether a byte is a tab or no control character.
    private static func isText(_ byte: UInt8) -> Bool { byte == 0x09 || byte >= 0x20 && byte != 0x7F }
}
