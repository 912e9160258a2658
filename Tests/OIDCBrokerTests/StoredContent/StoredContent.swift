// SPDX-License-Identifier: Apache-2.0

import Foundation
import JOSE

/// Everything that a store's engine holds or was told, to be searched.
struct StoredContent {
    private let bytes: Data

    init(_ bytes: [UInt8]) { self.bytes = Data(bytes) }

    /// How many bytes there are.
    var count: Int { bytes.count }

    /// Whether the bytes are in it.
    func contains(_ wanted: [UInt8]) -> Bool { bytes.range(of: Data(wanted)) != nil }

    /// The texts with one of their forms in it.
    func found(_ secrets: Set<String>) -> [String] {
        secrets.filter { secret in Self.forms(of: secret).contains { contains($0.bytes) } }.sorted()
    }

    /// The names of the forms in which a text is in it.
    func forms(of secret: String) -> [String] {
        Self.forms(of: secret).filter { contains($0.bytes) }.map { $0.name }
    }

    /// A text as it is, in base64url and in hexadecimal digits; and if it is base64url itself, what it stands for.
    private static func forms(of secret: String) -> [(name: String, bytes: [UInt8])] {
        let raw = Array(secret.utf8)
        var forms = [
            (name: "raw", bytes: raw), (name: "base64url", bytes: Array(Base64URL.encode(raw).utf8)),
            (name: "hex", bytes: hexadecimal(raw)),
        ]
        if let decoded = Base64URL.decode(secret), decoded.count >= 8 {
            forms.append((name: "decoded", bytes: decoded))
            forms.append((name: "decoded hex", bytes: hexadecimal(decoded)))
        }
        return forms
    }

    static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    /// A text in which bytes are written as `\xHH` or by a letter, as `MONITOR` does it, with the bytes themselves.
    static func unescaped(_ text: [UInt8]) -> [UInt8] {
        let letters: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "a"): 0x07,
            UInt8(ascii: "b"): 0x08, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "\""): 0x22,
        ]
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let isEscape = text[index] == UInt8(ascii: "\\") && index + 1 < text.count
            if isEscape, text[index + 1] == UInt8(ascii: "x"), index + 3 < text.count,
                let byte = UInt8(String(decoding: text[(index + 2)...(index + 3)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 4
            } else if isEscape, let byte = letters[text[index + 1]] {
                bytes.append(byte)
                index += 2
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    /// The bytes of hexadecimal digits.
    static func bytes(ofHexadecimal digits: [UInt8]) -> [UInt8] {
        stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
        }
    }
}
