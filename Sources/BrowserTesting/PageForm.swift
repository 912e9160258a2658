// SPDX-License-Identifier: Apache-2.0

/// A form of a page that is posted: where it goes, and what stands in it. It reads HTML as far as the pages of the broker,
/// of the providers for tests and of the sample app need it, over bytes, since a page may have a megabyte.
package struct PageForm: Sendable {
    /// The `id`; `nil` for none.
    package let id: String?
    /// The `action`, as written.
    package let action: String
    /// The names and values of the hidden fields, in order. What a script of the page would put there may be set.
    package var hidden: [(String, String)]
    /// The names and values of the buttons that have a name.
    package let buttons: [(String, String)]
    /// The names of the fields that a user fills in.
    package let inputs: [String]

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - html: The page.
    ///   - id: The ID of the form; `nil` for the first one.
    /// - Returns: `nil` if the page has no such form.
    package init?(html: String, id: String? = nil) {
        guard let form = Self.all(in: html).first(where: { id == nil || $0.id == id }) else { return nil }
        self = form
    }

    private init?(_ tags: ArraySlice<Tag>) {
        guard let form = tags.first, form.name == "form", form.attributes["method"]?.lowercased() == "post",
            let action = form.attributes["action"]
        else { return nil }
        id = form.attributes["id"]
        self.action = action
        let fields = tags.prefix { $0.name != "/form" }.compactMap { tag in
            tag.attributes["name"].map { (tag: tag, name: $0, value: tag.attributes["value"] ?? "") }
        }
        let isHidden = { (tag: Tag) in tag.attributes["type"] == "hidden" }
        hidden = fields.filter { $0.tag.name == "input" && isHidden($0.tag) }.map { ($0.name, $0.value) }
        buttons = fields.filter { $0.tag.name == "button" }.map { ($0.name, $0.value) }
        inputs = fields.filter { $0.tag.name == "input" && !isHidden($0.tag) }.map(\.name)
    }

    /// Reads all forms of a page that are posted.
    package static func all(in html: String) -> [PageForm] {
        let tags = tags(Array(html.utf8))
        return tags.indices.compactMap { PageForm(tags[$0...]) }
    }

    private struct Tag {
        var name: String
        var attributes: [String: String] = [:]
    }

    private static let space = UInt8(ascii: " ")
    private static let newline = UInt8(ascii: "\n")
    private static let close = UInt8(ascii: ">")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    /// Returns all tags with their attributes in double quotes, which those pages use.
    private static func tags(_ html: [UInt8]) -> [Tag] {
        var tags: [Tag] = []
        var rest = html[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            let name = rest.prefix { $0 != space && $0 != newline && $0 != close }
            rest = rest[name.endIndex...]
            var tag = Tag(name: String(decoding: name, as: UTF8.self).lowercased())
            while let next = rest.first, next != close {
                guard next != space, next != newline else {
                    rest = rest.dropFirst()
                    continue
                }
                let attribute = rest.prefix { $0 != equals && $0 != space && $0 != newline && $0 != close }
                rest = rest[attribute.endIndex...]
                var value = ""
                if rest.starts(with: [equals, quote]) {
                    let quoted = rest.dropFirst(2).prefix { $0 != quote }
                    rest = rest[quoted.endIndex...].dropFirst()
                    value = unescaped(quoted)
                } else if attribute.isEmpty {
                    rest = rest.dropFirst()
                }
                tag.attributes[String(decoding: attribute, as: UTF8.self).lowercased()] = value
            }
            tags.append(tag)
        }
        return tags
    }

    private static let references: [(text: [UInt8], byte: UInt8)] = [
        (Array("&lt;".utf8), UInt8(ascii: "<")), (Array("&gt;".utf8), UInt8(ascii: ">")),
        (Array("&quot;".utf8), UInt8(ascii: "\"")), (Array("&#39;".utf8), UInt8(ascii: "'")),
        (Array("&amp;".utf8), UInt8(ascii: "&")),
    ]

    /// Replaces the five character references that those pages use, each once.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
        var rest = text
        var bytes: [UInt8] = []
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            bytes += rest[..<mark]
            rest = rest[mark...]
            let reference = references.first { rest.starts(with: $0.text) }
            bytes.append(reference?.byte ?? UInt8(ascii: "&"))
            rest = rest.dropFirst(reference?.text.count ?? 1)
        }
        return String(decoding: bytes + rest, as: UTF8.self)
    }
}
