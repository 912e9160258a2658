// SPDX-License-Identifier: Apache-2.0

/// Reads the hidden fields of a page, as a browser would before it posts them. Over bytes: a page may have a megabyte.
enum FormPage {
    private static let start = Array("<input type=\"hidden\" name=\"".utf8)
    private static let middle = Array("\" value=\"".utf8)
    private static let quote = UInt8(ascii: "\"")

    static func hiddenFields(of page: String) -> [(name: String, value: String)] {
        var rest = Array(page.utf8)[...]
        var fields: [(name: String, value: String)] = []
        while let next = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[next...]
            guard rest.starts(with: start) else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(start.count)
            let name = rest.prefix { $0 != quote }
            rest = rest[name.endIndex...]
            guard rest.starts(with: middle) else { continue }
            rest = rest.dropFirst(middle.count)
            let value = rest.prefix { $0 != quote }
            rest = rest[value.endIndex...]
            fields.append((name: unescaped(name), value: unescaped(value)))
        }
        return fields
    }

    private static let references: [(text: [UInt8], byte: UInt8)] = [
        (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
        (Array("&quot;".utf8), UInt8(ascii: "\"")), (Array("&#39;".utf8), UInt8(ascii: "'")),
        (Array("&amp;".utf8), UInt8(ascii: "&")),
    ]

    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var rest = text
        var bytes: [UInt8] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "&"), let reference = references.first(where: { rest.starts(with: $0.text) }) {
                bytes.append(reference.byte)
                rest = rest.dropFirst(reference.text.count)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
