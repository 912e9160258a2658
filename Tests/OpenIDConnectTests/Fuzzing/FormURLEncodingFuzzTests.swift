// SPDX-License-Identifier: Apache-2.0

import FuzzingSupport
import JOSE
import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct FormURLEncodingFuzzTests {
    private static let corpus = [
        "a=1&b=2", "a+b=c+d&%C3%A4=%E2%82%AC", "a=%00%0D%0A&&=&x", "%F0%9F%98%80=!$'()*,/:@~",
        (1...100).map { "p\($0)=" }.joined(separator: "&"),
    ]

    private static let dictionary = [
        "%", "%%", "%4", "%GG", "%C0%AF", "%ED%A0%80", "%FF", "%2541", "+", "&", "=", ";", "\u{E4}", "\0", " ",
    ]

    private static func same(_ left: [(name: String, value: String)], _ right: [(name: String, value: String)]) -> Bool
    {
        left.count == right.count
            && zip(left, right).allSatisfy {
                $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
            }
    }

    @Test func `what is read can be written, and is then read the same`() throws {
        let driver = ParserDriver(
            name: "form", corpus: Self.corpus, dictionary: Self.dictionary, separators: "&", longest: 8192, seed: 41)
        try driver.run { input in
            guard let parameters = try? FormURLEncoding.parse(input) else { return .refused }
            guard parameters.all.count <= FormURLEncoding.maximumParameters else { return .violation("too many") }
            let written = FormURLEncoding.encode(parameters.texts.map { ($0.name, $0.value) })
            guard let again = try? FormURLEncoding.parse(written.utf8), Self.same(parameters.texts, again.texts) else {
                return .violation("read otherwise when written again")
            }
            return .accepted
        }
    }

    @Test func `any text can be written, and is then read the same`() throws {
        var random = SeededRandom(seed: 42)
        for _ in 0..<ParserDriver.runs {
            let scalars = (0..<random.below(20)).map { _ in UInt32(random.below(0x11_0000)) }
            let text = String(String.UnicodeScalarView(scalars.compactMap { Unicode.Scalar($0) }))
            let read = try FormURLEncoding.decode(FormURLEncoding.percentEncode(text).utf8)
            guard read.utf8.elementsEqual(text.utf8) else {
                Issue.record("\(scalars)")
                continue
            }
        }
    }
}
