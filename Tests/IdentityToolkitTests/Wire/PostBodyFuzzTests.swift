// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import Testing

@testable import IdentityToolkit

/// Any text as `postBody`: refused, or each value stands there once, as it is or percent-encoded.
struct PostBodyFuzzTests {
    private static let rounds = 6000

    private static let corpus = [
        "&id_token=h.p.s&providerId=apple.com&nonce=a%26b%3Dc%25d%2Be%20f",
        #"providerId=apple.com&id_token=h.p.s&nonce=n&user={"name":{"firstName":"A & = % +","lastName":"é"}}"#,
        "id_token=h.p.s&access_token=ya29.A/b+c==&providerId=google.com",
        "user=%7B%22name%22%3A%7B%22firstName%22%3A%22%D7%A2%22%7D%7D&nonce=n&code=c&pendingToken=p&identifier=i",
        (1...98).map { "p\($0)=" }.joined(separator: "&") + "&nonce=n&oauth_token_secret=o",
    ]

    private static let dictionary = [
        "%", "%%", "%4", "%GG", "%41", "%FF", "%C3%BC", "%2541", "+", "&", "=", "{", "}", "\"", "\0", " ", "\u{E9}",
        "user={", "&user=", "&nonce=", "id_token=", "providerId", "&&", "&user={}&nonce=1", "\u{5E9}\u{200F}",
    ]

    /// A part of a body between two separators.
    private struct Part {
        let name: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
    }

    /// The parts that are no part of a name, which ends everything.
    private static func parts(of bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            let name = piece.prefix { $0 != UInt8(ascii: "=") }
            let value = piece.dropFirst(name.count + 1)
            parts.append(Part(name: name, value: value))
            if name.elementsEqual("user".utf8), value.first == UInt8(ascii: "{") { break }
        }
        return parts
    }

    /// Decodes every escape; `nil` where there is a percent sign that begins none.
    private static func decoded(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let escaped = UInt8(digits, radix: 16)
            else { return nil }
            decoded.append(escaped)
            rest = rest.dropFirst(2)
        }
        return decoded
    }

    private static func violation(of body: PostBody, _ bytes: [UInt8]) -> String? {
        let parts = Self.parts(of: bytes)
        for key in PostBody.Key.allCases {
            let own = parts.filter { $0.name.elementsEqual(key.rawValue.utf8) }
            guard own.count <= 1 else { return "\(key.rawValue) is accepted twice" }
            guard let value = body[key] else { continue }
            guard let part = own.first else { return "\(key.rawValue) stands nowhere" }
            let isName = key == .user && part.value.first == UInt8(ascii: "{")
            let written = isName ? bytes[part.value.startIndex...] : part.value
            let isDecoded = decoded(written).map { value.utf8.elementsEqual($0) } ?? false
            guard value.utf8.elementsEqual(written) || isDecoded else { return "\(key.rawValue) is another text" }
        }
        return nil
    }

    @Test func `what is read stands there, as it is or percent-encoded`() {
        var mutator = Mutator(
            corpus: Self.corpus, dictionary: Self.dictionary, separators: "&", longest: 1024, seed: 0x706F_7374)
        var accepted = 0
        for round in 0..<Self.rounds {
            let input = round < Self.corpus.count ? Array(Self.corpus[round].utf8) : mutator.next()
            // The text is that of a JSON string, so it is UTF-8.
            let text = String(decoding: input, as: UTF8.self)
            guard let body = try? PostBody(WireText(text)) else { continue }
            accepted += 1
            if let violation = Self.violation(of: body, Array(text.utf8)) {
                Issue.record("round \(round), \(violation): \(Base64.encode(input))")
            }
        }
        #expect(accepted > Self.rounds / 2)
        #expect(accepted < Self.rounds - 100)
    }
}
