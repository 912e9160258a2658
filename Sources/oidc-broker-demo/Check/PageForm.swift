// SPDX-License-Identifier: Apache-2.0

/// A form of a page, as far as a check of the demo's own pages needs it: its action and its hidden fields.
struct PageForm: Sendable, Hashable {
    /// A field with its value.
    struct Field: Sendable, Hashable {
        /// The name.
        var name: String
        /// The value.
        var value: String
    }

    /// The `action`, as written.
    let action: String
    /// The hidden fields, in order.
    let hidden: [Field]

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - html: The page.
    ///   - id: The ID of the form; `nil` for the first one.
    /// - Returns: `nil` if the page has no such form, or its method is not POST.
    init?(html: String, id: String? = nil) {
        let tags = Self.tags(html)
        let isWanted = { (tag: Tag) in tag.name == "form" && (id == nil || tag.attributes["id"] == id) }
        guard let start = tags.firstIndex(where: isWanted),
            tags[start].attributes["method"]?.lowercased() == "post", let action = tags[start].attributes["action"]
        else { return nil }
        self.action = action
        hidden = tags[start...].prefix { $0.name != "/form" }.compactMap { tag in
            guard tag.name == "input", tag.attributes["type"] == "hidden", let name = tag.attributes["name"] else {
                return nil
            }
            return Field(name: name, value: tag.attributes["value"] ?? "")
        }
    }

    private struct Tag {
        var name: String
        var attributes: [String: String]
    }

    /// Returns all tags with their attributes in double quotes, which the demo's pages use.
    private static func tags(_ html: String) -> [Tag] {
        var tags: [Tag] = []
        var rest = html.utf8[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: open)...]
            let name = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: ">") }
            rest = rest[name.endIndex...]
            var tag = Tag(name: String(Substring(name)).lowercased(), attributes: [:])
            while let next = rest.first, next != UInt8(ascii: ">") {
                guard next != UInt8(ascii: " ") else {
                    rest = rest.dropFirst()
                    continue
                }
                let attribute = rest.prefix { !Array("= >".utf8).contains($0) }
                rest = rest[attribute.endIndex...]
                var value = ""
                if rest.starts(with: Array("=\"".utf8)) {
                    let quoted = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "\"") }
                    rest = rest[quoted.endIndex...].dropFirst()
                    value = unescaped(String(Substring(quoted)))
                } else if attribute.isEmpty {
                    rest = rest.dropFirst()
                }
                tag.attributes[String(Substring(attribute)).lowercased()] = value
            }
            tags.append(tag)
        }
        return tags
    }

    /// Replaces the five character references that the demo's pages use; `&amp;` last, so that nothing is decoded
    /// twice.
    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")].reduce(text) { text, pair in
            text.split(separator: pair.0, omittingEmptySubsequences: false).joined(separator: pair.1)
        }
    }
}
