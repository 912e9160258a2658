// SPDX-License-Identifier: Apache-2.0

/// A single pass over a JSON text that builds its value.
///
/// A string without escapes is created directly from its bytes, and open containers are kept on an explicit stack.
/// `UnsafeBufferPointer` does not check bounds in release builds, so every read here follows a comparison with
/// `bytes.count`.
struct JSONScanner {
    /// The maximum length of a number, in characters. The shortest exact text of a double takes at most 24.
    static let longestNumber = 256

    /// The number of members of an outermost object for which memory is allocated at once: the claims of an ID token.
    private static let usualMemberCount = 12

    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var offset = 0

    init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// An array or object whose end has not been reached.
    private struct OpenContainer {
        /// The name of the member being read; `nil` in an array.
        var name: WireText?
        var object = JSONObject()
        var elements: [JSONValue] = []

        var isObject: Bool { name != nil }
        var value: JSONValue { isObject ? .object(object) : .array(elements) }

        /// - Returns: `false` if the object already has a member of that name.
        mutating func append(_ value: JSONValue) -> Bool {
            if let name {
                return object.insert(name: name, value: value)
            }
            elements.append(value)
            return true
        }
    }

    /// Reads the single value of the text, which only whitespace may surround.
    mutating func document() throws(JSONError) -> JSONValue {
        var open: [OpenContainer] = []
        open.reserveCapacity(4)
        skipWhitespace()
        while true {
            guard var value = try scalarOrEmptyContainer(open: &open) else { continue }
            // The value is complete. It is added to the innermost container, which it may complete in turn.
            attaching: while true {
                guard !open.isEmpty else {
                    skipWhitespace()
                    guard offset == bytes.count else { throw .syntax.at(offset) }
                    return value
                }
                let last = open.count - 1
                guard open[last].append(value) else { throw .duplicateMember.at(offset) }
                skipWhitespace()
                guard offset < bytes.count else { throw .syntax.at(offset) }
                switch bytes[offset] {
                case UInt8(ascii: ","):
                    offset += 1
                    skipWhitespace()
                    if open[last].isObject {
                        open[last].name = try memberName()
                    }
                    break attaching
                case UInt8(ascii: "}") where open[last].isObject, UInt8(ascii: "]") where !open[last].isObject:
                    offset += 1
                    value = open.removeLast().value
                default:
                    throw .syntax.at(offset)
                }
            }
        }
    }

    /// Reads a scalar or an empty container, or opens a container and stops before its first value (`nil`).
    private mutating func scalarOrEmptyContainer(open: inout [OpenContainer]) throws(JSONError) -> JSONValue? {
        guard offset < bytes.count else { throw .syntax.at(offset) }
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            return .text(try string())
        case UInt8(ascii: "{"):
            guard open.count < maximumDepth else { throw .tooDeep.at(offset) }
            offset += 1
            skipWhitespace()
            if skip(UInt8(ascii: "}")) {
                return .object(JSONObject())
            }
            var container = OpenContainer(name: try memberName())
            // Only here, because a hostile text may consist of small objects.
            if open.isEmpty { container.object.reserveCapacity(Self.usualMemberCount) }
            open.append(container)
            return nil
        case UInt8(ascii: "["):
            guard open.count < maximumDepth else { throw .tooDeep.at(offset) }
            offset += 1
            skipWhitespace()
            if skip(UInt8(ascii: "]")) {
                return .array([])
            }
            open.append(OpenContainer())
            return nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number())
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        default:
            throw .syntax.at(offset)
        }
    }

    // MARK: Tokens

    private mutating func skipWhitespace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func literal(_ text: StaticString) throws(JSONError) {
        let length = text.utf8CodeUnitCount
        guard bytes.count - offset >= length else { throw .syntax.at(offset) }
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: length)
        for position in 0..<length where bytes[offset + position] != expected[position] {
            throw .syntax.at(offset)
        }
        offset += length
    }

    /// Reads a member's name, the colon and the whitespace after it.
    private mutating func memberName() throws(JSONError) -> WireText {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { throw .syntax.at(offset) }
        let name = try string()
        skipWhitespace()
        guard skip(UInt8(ascii: ":")) else { throw .syntax.at(offset) }
        skipWhitespace()
        return name
    }

    // MARK: Strings

    /// Reads a string, starting at its opening quotation mark.
    private mutating func string() throws(JSONError) -> WireText {
        let start = offset + 1
        let rest = UnsafeBufferPointer(rebasing: bytes[start...])
        // A token has about a thousand characters. The C library finds the end of the string, and a loop without an
        // early exit, which the compiler vectorizes, checks the bytes before it.
        if let quotationMark = rest.firstPosition(of: UInt8(ascii: "\"")) {
            let text = UnsafeBufferPointer(rebasing: rest[..<quotationMark])
            if text.isPlain {
                let result = try utf8Text(text)
                offset = start + quotationMark + 1
                return result
            }
        }
        var position = start
        while position < bytes.count, bytes[position] >= 0x20, bytes[position] != UInt8(ascii: "\\") { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\\") else { throw .syntax.at(position) }
        return try escapedString(from: start, firstEscape: position)
    }

    private func utf8Text(_ slice: UnsafeBufferPointer<UInt8>) throws(JSONError) -> WireText {
        guard let text = String(strictUTF8: slice) else { throw .invalidUTF8.at(offset) }
        return WireText(text)
    }

    /// Reads the rest of a string that has at least one escape.
    private mutating func escapedString(from start: Int, firstEscape: Int) throws(JSONError) -> WireText {
        var text: [UInt8] = []
        var runStart = start
        var position = firstEscape
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                text.append(contentsOf: bytes[runStart..<position])
                let result = try text.withUnsafeBufferPointer { (buffer) throws(JSONError) -> WireText in
                    try utf8Text(buffer)
                }
                offset = position + 1
                return result
            }
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: bytes[runStart..<position])
                position = try appendEscape(at: position, to: &text)
                runStart = position
                continue
            }
            guard byte >= 0x20 else { throw .syntax.at(position) }
            position += 1
        }
        throw .syntax.at(position)
    }

    /// Appends the character that the escape at `position` represents, and returns the position after it.
    private func appendEscape(at position: Int, to text: inout [UInt8]) throws(JSONError) -> Int {
        guard position + 1 < bytes.count else { throw .syntax.at(position) }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): return try appendUnicodeEscape(at: position, to: &text)
        default: throw .syntax.at(position)
        }
        return position + 2
    }

    private func appendUnicodeEscape(at position: Int, to text: inout [UInt8]) throws(JSONError) -> Int {
        var codePoint = try hexQuad(at: position + 2)
        var end = position + 6
        if (0xD800..<0xDC00).contains(codePoint) {
            guard end + 1 < bytes.count, bytes[end] == UInt8(ascii: "\\"), bytes[end + 1] == UInt8(ascii: "u") else {
                throw .loneSurrogate.at(position)
            }
            let low = try hexQuad(at: end + 2)
            guard (0xDC00..<0xE000).contains(low) else { throw .loneSurrogate.at(position) }
            codePoint = 0x10000 + (codePoint - 0xD800) << 10 + (low - 0xDC00)
            end += 6
        }
        guard let scalar = Unicode.Scalar(codePoint), let encoded = UTF8.encode(scalar) else {
            throw .loneSurrogate.at(position)
        }
        text.append(contentsOf: encoded)
        return end
    }

    private func hexQuad(at position: Int) throws(JSONError) -> UInt32 {
        guard bytes.count - position >= 4 else { throw .syntax.at(position) }
        var value: UInt32 = 0
        for byte in bytes[position..<(position + 4)] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw .syntax.at(position)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    // MARK: Numbers

    /// Reads a number by the grammar of RFC 8259: no leading zero, no plus sign, digits on both sides of a point.
    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = offset
        var isPlainInteger = true
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            try digits()
        }
        if skip(UInt8(ascii: ".")) {
            isPlainInteger = false
            try digits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isPlainInteger = false
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try digits()
        }
        guard offset - start <= Self.longestNumber else { throw .numberTooLong.at(start) }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
        return JSONNumber(checkedText: text, isPlainInteger: isPlainInteger)
    }

    /// Reads one or more digits.
    private mutating func digits() throws(JSONError) {
        let start = offset
        while offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] {
            offset += 1
        }
        guard offset > start else { throw .syntax.at(offset) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether no byte is a control character or the beginning of an escape. The loop has no early exit, so that the
    /// compiler vectorizes it.
    var isPlain: Bool {
        var others: UInt8 = 0
        for byte in self { others |= (byte < 0x20 ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0) }
        return others == 0
    }
}
