// SPDX-License-Identifier: Apache-2.0

import Accounts
import Testing

/// Which texts are addresses, and which addresses are the same.
struct EmailAddressTests {
    @Test(arguments: [
        "ada@example.com", "a@b", "Ada.Lovelace+tag@Example.COM", "\"odd\"@example.com", "ü@exämple.de",
        String(repeating: "a", count: 242) + "@example.com",
    ])
    func `an address`(text: String) throws {
        let address = try #require(EmailAddress(text))
        #expect(address.text == text)
        #expect(EmailAddress(address.key) == address)
    }

    @Test(arguments: [
        "", "@", "ada", "ada@", "@example.com", "ada@home@example.com", "ada @example.com", "ada@example.com\n",
        "ada\u{0}@example.com", "ada\u{a0}@example.com", "ada@exam\u{2028}ple.com", "ada\u{7f}@example.com",
        String(repeating: "a", count: 243) + "@example.com",
    ])
    func `no address`(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `of ASCII, what is visible may stand in an address`() {
        for value in UInt8(0)..<0x80 {
            let text = "a" + String(Unicode.Scalar(value)) + "b@example.com"
            let isAddress = value > 0x20 && value < 0x7F && value != UInt8(ascii: "@")
            #expect((EmailAddress(text) != nil) == isAddress, "\(value)")
        }
    }

    @Test func `only ASCII letters have two forms`() throws {
        func same(_ left: String, _ right: String) throws -> Bool {
            try #require(EmailAddress(left)) == #require(EmailAddress(right))
        }
        #expect(try same("Ada@Example.com", "ada@eXAMPLE.COM"))
        // The Kelvin sign is canonically equivalent to K; "é" has two spellings.
        #expect(try !same("\u{212A}@example.com", "k@example.com"))
        #expect(try !same("\u{212A}@example.com", "K@example.com"))
        #expect(try !same("caf\u{e9}@example.com", "cafe\u{301}@example.com"))
        #expect(try !same("Ü@example.com", "ü@example.com"))
    }

    @Test func `two spellings of one text are two identities`() {
        let (left, right) = (
            IdentityKey(issuer: "https://i", subject: "caf\u{e9}"),
            IdentityKey(issuer: "https://i", subject: "cafe\u{301}")
        )
        #expect(left != right)
        #expect(Set([left, right]).count == 2)
        #expect(IdentityKey(issuer: "ab", subject: "c") != IdentityKey(issuer: "a", subject: "bc"))
    }

    @Test func `identifiers are random, and a text of 1 to 128 UTF-16 units without NUL is one`() {
        let made = (0..<1000).map { _ in AccountID() }
        #expect(Set(made).count == 1000)
        let characters = Set(made.flatMap { Array($0.text) })
        #expect(characters.count == 62)
        #expect(made.allSatisfy { $0.text.count == 28 && AccountID($0.text) == $0 })
        #expect(AccountID(String(repeating: "x", count: 128)) != nil)
        for text in [
            "a b", "a\n", "ü", " ", String(repeating: "\u{611B}", count: 128), String(repeating: "😀", count: 64),
        ] {
            #expect(AccountID(text)?.text == text)
        }
        for text in ["", String(repeating: "x", count: 129), String(repeating: "😀", count: 64) + "x", "a\u{0}"] {
            #expect(AccountID(text) == nil)
        }
        #expect(AccountID("\u{E9}") != AccountID("e\u{301}"))
        #expect(AccountID("a\n\\\u{E9}-1")?.description == "a\\u{a}\\u{5c}\\u{e9}-1")
        for text in ["a\n\\\u{E9}-1", "\\u{41", "\\u{}", "u{41}", "\u{1F600}"] {
            let id = AccountID(text)
            #expect(id.flatMap { AccountID(described: $0.description) } == id)
            #expect(AccountID(described: text) == id)
        }
        #expect(AccountID(described: "\\u{0}") == nil && AccountID(described: "") == nil)
    }

    @Test func `what is printed so means the identifier that was printed, any other text itself`() {
        for (printed, text) in [("\\u{a}", "\n"), ("a\\u{fc}", "a\u{FC}"), ("\\u{5c}u{a}", "\\u{a}")] {
            #expect(AccountID(text)?.description == printed)
            #expect(AccountID(described: printed)?.text == text)
        }
        // The text of each looks printed, and is no identifier's: an escape that is not needed, written otherwise, or beside
        // a character that would be escaped.
        for text in [
            "\\u{41}", "\\u{FC}", "\\u{0a}", "\\u{+a}", "\\u{5C}u{a}", "\\u{a}\n", "\u{FC}\\u{fc}", "\\u{d800}",
        ] {
            let id = AccountID(text)
            #expect(AccountID(described: text) == id, "\(text)")
            #expect(id.flatMap { AccountID(described: $0.description) } == id, "\(text)")
        }
    }
}
