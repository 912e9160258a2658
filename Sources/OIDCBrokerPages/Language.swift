// SPDX-License-Identifier: Apache-2.0

/// A language of the pages. Its texts are in one file of the folder `Languages`.
package enum Language: UInt8, Sendable, CaseIterable {
    case english = 0
    case german = 1
    case french = 2
    case spanish = 3
    case russian = 4
    case simplifiedChinese = 5
    case traditionalChinese = 6
    case japanese = 7

    /// The texts of the pages.
    package var texts: PageTexts {
        switch self {
        case .english: .english
        case .german: .german
        case .french: .french
        case .spanish: .spanish
        case .russian: .russian
        case .simplifiedChinese: .simplifiedChinese
        case .traditionalChinese: .traditionalChinese
        case .japanese: .japanese
        }
    }

    /// The primary subtags of languages with one script.
    private static let primarySubtags: [(subtag: StaticString, language: Language)] = [
        ("en", .english), ("de", .german), ("fr", .french), ("es", .spanish), ("ru", .russian), ("ja", .japanese),
    ]

    /// The subtags with which Chinese is written in traditional characters: the script, and regions.
    private static let traditionalSubtags: [StaticString] = ["hant", "tw", "hk", "mo"]

    /// The language of a tag (RFC 5646), in any case; `nil` if there is none. Subtags that are not needed are ignored
    /// (RFC 4647 section 3.4).
    package init?(tag: some Sequence<UInt8>) {
        let subtags = tag.map { $0 | 0x20 }.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        func has(_ subtag: StaticString) -> Bool {
            subtags.dropFirst().contains { Self.isSubtag($0, subtag) }
        }
        guard let primary = subtags.first else { return nil }
        if let known = Self.primarySubtags.first(where: { Self.isSubtag(primary, $0.subtag) }) {
            self = known.language
        } else if Self.isSubtag(primary, "zh") {
            self =
                !has("hans") && Self.traditionalSubtags.contains(where: has) ? .traditionalChinese : .simplifiedChinese
        } else {
            return nil
        }
    }

    private static func isSubtag(_ bytes: ArraySlice<UInt8>, _ subtag: StaticString) -> Bool {
        subtag.withUTF8Buffer { bytes.elementsEqual($0) }
    }
}

extension Language? {
    /// The byte of a record: that of the language, or 255 if there is none.
    package var encoded: UInt8 { self?.rawValue ?? .max }
}

/// What a user agent or an app says about the languages that a user understands. Texts are bounded before they are
/// split.
package enum LanguagePreferences {
    /// The maximum number of bytes that are read.
    private static let longest = 512

    /// Returns the first known language of a list of tags separated by spaces (`ui_locales`; OpenID Connect Core 1.0
    /// section 3.1.2.1).
    package static func first(of list: some Sequence<UInt8>) -> Language? {
        Array(list.prefix(longest)).split(separator: UInt8(ascii: " ")).lazy.compactMap { Language(tag: $0) }.first
    }

    /// Returns the known language with the highest weight in `Accept-Language`, the first of those with the same weight
    /// (RFC 9110 section 12.5.4).
    package static func best(of field: some Sequence<UInt8>) -> Language? {
        var best: (language: Language, weight: Int)?
        for range in Array(field.prefix(longest)).split(separator: UInt8(ascii: ",")) {
            let parts = range.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
                .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            guard let language = parts.first.flatMap({ Language(tag: $0) }) else { continue }
            let weight = parts.count > 1 ? self.weight(parts[1]) : 1000
            if weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language
    }

    /// Returns the weight `q=` in thousandths (RFC 9110 section 12.4.2); 0 if it is not one.
    private static func weight(_ parameter: some Collection<UInt8>) -> Int {
        var rest = Array(parameter)[...]
        guard rest.popFirst().map({ $0 | 0x20 }) == UInt8(ascii: "q"), rest.popFirst() == UInt8(ascii: "="),
            let whole = rest.popFirst(), whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1")
        else { return 0 }
        guard whole == UInt8(ascii: "0") else { return 1000 }
        guard rest.popFirst() == UInt8(ascii: "."), rest.count <= 3 else { return 0 }
        var weight = 0
        for place in [100, 10, 1] {
            guard let digit = rest.popFirst() else { break }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return 0 }
            weight += Int(digit - UInt8(ascii: "0")) * place
        }
        return weight
    }
}
