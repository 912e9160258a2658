// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing
import TestingSupport

@Suite(.onSockets) struct AbsoluteURLFuzzTests {
    private static let corpus = [
        "https://issuer.example/a?b=c", "http://127.0.0.1:8080/x", "https://[2001:db8::1]:443/", "https://a.example",
        "https://a.example?x", "http://localhost/",
    ]

    private static let dictionary = [
        "@", "\\", "#", "//", ":", "[", "]", "%", "%2F", "..", "?", ":80", ":65536", ":0", "evil.example", "\t", " ",
        "\u{E4}", "HTTPS", "::1", "user:pass@",
    ]

    private static func violation(of url: AbsoluteURL, _ text: String) -> String? {
        guard url.text.utf8.elementsEqual(text.utf8) else { return "another text" }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return "not printable" }
        guard !text.contains("\\"), !text.contains("#") else { return "a backslash or a fragment" }
        guard !url.host.isEmpty, !url.host.contains("@"), !url.host.contains("/") else { return "no host" }
        guard url.port.map({ (1...65535).contains($0) }) ?? true else { return "a port that is none" }
        guard text.hasPrefix(url.scheme + "://") else { return "another scheme" }
        // What stands behind the authority is a path or a query: nothing there can move the border.
        let rest = url.path + (url.query.map { "?" + $0 } ?? "")
        guard text.hasSuffix(rest), rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else {
            return "a path or query that is none"
        }
        guard let origin = AbsoluteURL(url.origin), origin.origin == url.origin, origin.host == url.host else {
            return "an origin that is read otherwise"
        }
        return nil
    }

    @Test func `an accepted URL has one unambiguous host`() throws {
        let driver = ParserDriver(
            name: "url", corpus: Self.corpus, dictionary: Self.dictionary, separators: "/", longest: 3000, seed: 71)
        try driver.run { input in
            guard let text = String(validating: input, as: UTF8.self), let url = AbsoluteURL(text) else {
                return .refused
            }
            return ParserDriver.Verdict(Self.violation(of: url, text))
        }
    }
}
