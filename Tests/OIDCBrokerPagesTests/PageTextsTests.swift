// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerPages

/// The texts of pages in every language.
struct PageTextsTests {
    private static let name = "\u{E000}"

    /// All texts by the member's name, with a mark in the place of a name.
    private static func all(_ texts: PageTexts) -> [String: String] {
        var all: [String: String] = [:]
        for child in Mirror(reflecting: texts).children {
            guard let label = child.label else { continue }
            switch child.value {
            case let text as String: all[label] = text
            case let text as PageText: all[label] = text.plain(name)
            case let message as PageMessage:
                all[label + ".title"] = message.title
                all[label + ".text"] = message.text
            default: break
            }
        }
        return all
    }

    @Test(arguments: Language.allCases)
    func `every text is there, translated, with the name where English has it`(language: Language) {
        let (english, texts) = (Self.all(.english), Self.all(language.texts))
        #expect(texts.count > 60)
        #expect(texts.keys.sorted() == english.keys.sorted())
        for (member, text) in texts {
            #expect(!text.isEmpty, "\(member)")
            #expect(text == text.trimmingSpaces, "\(member)")
            #expect(text.contains(Self.name) == english[member]?.contains(Self.name), "\(member)")
            #expect(!text.contains { "<>&\"{}\\".contains($0) }, "\(member)")
            if language != .english { #expect(text != english[member], "\(member)") }
        }
        #expect(Language(tag: language.texts.tag.utf8) == language)
    }

    @Test(arguments: Language.allCases)
    func `no developer's words`(language: Language) {
        for (member, text) in Self.all(language.texts) {
            for word in ["client", "redirect", "token", "callback", "oauth", "openid", "http", "session", "null"] {
                // Spanish says `sesión`; no language here says `session`.
                #expect(!text.lowercased().contains(word), "\(member): \(word)")
            }
        }
    }

    @Test(arguments: Language.allCases)
    func `languages are told apart by their letters`(language: Language) {
        let letters = Self.all(language.texts).values.joined().unicodeScalars
        func has(_ range: ClosedRange<Unicode.Scalar>) -> Bool { letters.contains { range.contains($0) } }
        #expect(has("а"..."я") == (language == .russian))
        #expect(has("ぁ"..."ん") == (language == .japanese))
        #expect(
            has("一"..."龥") == [.japanese, .simplifiedChinese, .traditionalChinese].contains(language))
        // A few characters that are written in one of the two only.
        #expect(letters.contains("录") == (language == .simplifiedChinese))
        #expect(letters.contains("參") == (language == .traditionalChinese))
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
