// SPDX-License-Identifier: Apache-2.0

/// Names and label values in the form that both text formats allow. Every text is bounded, and working on it takes linear
/// time.
enum MetricText {
    /// The maximum length of a name, in bytes.
    static let longestName = 128
    /// The maximum length of a label's value, in bytes.
    static let longestValue = 128

    /// Returns a metric's name of `[a-zA-Z_:][a-zA-Z0-9_:]*`: any other byte becomes `_`.
    static func metricName(_ label: String) -> String {
        text(named(label.utf8, allowsColon: true))
    }

    /// Returns a label's name of `[a-zA-Z_][a-zA-Z0-9_]*`. Names that begin with `__` are the formats' own, and so are
    /// `le` and `quantile`, which get another `_`.
    static func labelName(_ name: String) -> String {
        var bytes = named(name.utf8, allowsColon: false)
        while bytes.count > 1, bytes[0] == underscore, bytes[1] == underscore { bytes.removeFirst() }
        if bytes == Array("le".utf8) || bytes == Array("quantile".utf8) { bytes.append(underscore) }
        return text(bytes)
    }

    /// Appends a label's value without its quotes: cut at a whole character, with a space for each control character,
    /// and with `\`, `"` escaped. It holds no line break, so it cannot begin another line.
    static func append(value: String, to bytes: inout [UInt8]) {
        var count = 0
        for scalar in value.unicodeScalars {
            let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            count += encoded.count
            guard count <= longestValue else { return }
            if scalar.value < 0x20 || scalar.value == 0x7F {
                bytes.append(space)
            } else {
                if scalar.value == 0x22 || scalar.value == 0x5C { bytes.append(backslash) }
                bytes.append(contentsOf: encoded)
            }
        }
    }

    /// Appends a help text of ours, with `\` and line breaks escaped, and `"` where the format wants that.
    static func append(help: String, escapesQuotes: Bool, to bytes: inout [UInt8]) {
        for byte in help.utf8 {
            switch byte {
            case backslash: bytes.append(contentsOf: [backslash, backslash])
            case 0x0A: bytes.append(contentsOf: [backslash, UInt8(ascii: "n")])
            case 0x22 where escapesQuotes: bytes.append(contentsOf: [backslash, 0x22])
            default: bytes.append(byte)
            }
        }
    }

    /// Returns a number as both formats write it; whole numbers up to 2^53 without a fraction.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if value.magnitude <= 9_007_199_254_740_992, value.rounded(.towardZero) == value { return "\(Int64(value))" }
        return "\(value)"
    }

    private static let underscore = UInt8(ascii: "_")
    private static let backslash = UInt8(ascii: "\\")
    private static let space = UInt8(ascii: " ")

    private static func named(_ text: String.UTF8View, allowsColon: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.prefix(longestName) {
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, bytes.isEmpty { bytes.append(underscore) }
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            bytes.append(isDigit || isLetter || (allowsColon && byte == 0x3A) ? byte : underscore)
        }
        return bytes.isEmpty ? [underscore] : bytes
    }

    /// The bytes are ASCII.
    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
