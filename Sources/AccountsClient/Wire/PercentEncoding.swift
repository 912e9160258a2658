// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding as JavaScript's `encodeURIComponent` does it (ECMA-262 section 19.2.6.4), which is the only one of
/// the SDKs' ways to write `postBody` that leaves no doubt about where a value ends.
enum PercentEncoding {
    private static let digits: [Unicode.Scalar] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F",
    ]

    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            if isLeft(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded.unicodeScalars.append("%")
                encoded.unicodeScalars.append(digits[Int(byte >> 4)])
                encoded.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
        return encoded
    }

    /// Whether a byte stays as it is: letters, digits and `-_.!~*'()`.
    private static func isLeft(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"): true
        case UInt8(ascii: "*"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"): true
        default: false
        }
    }
}
