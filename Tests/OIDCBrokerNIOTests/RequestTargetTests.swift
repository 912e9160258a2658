// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBrokerNIO

/// Request target (RFC 9112 section 3.2).
struct RequestTargetTests {
    @Test(
        arguments: [
            ("/__/auth/handler?a=b", "/__/auth/handler?a=b", nil),
            ("http://h/__/auth/handler?a=b", "/__/auth/handler?a=b", "h"),
            ("HTTPS://H:8443/x", "/x", "H:8443"),
            ("http://h", "/", "h"),
            ("http://h?q=/__/auth/", "/?q=/__/auth/", "h"),
            ("http://h#/__/auth/", "/#/__/auth/", "h"),
            ("http:///__/auth/handler", "/__/auth/handler", ""),
            ("//__/auth/handler", "//__/auth/handler", nil),
            ("ftp://h/__/auth/handler", "ftp://h/__/auth/handler", nil),
            ("http:/__/auth/handler", "http:/__/auth/handler", nil),
            ("h:443", "h:443", nil), ("*", "*", nil), ("", "", nil), ("http:/", "http:/", nil),
        ] as [(String, String, String?)])
    func `Absolute form is taken apart; everything else stays as it is`(
        target: String, path: String, authority: String?
    ) {
        let parsed = RequestTarget(requestLine: target)
        #expect(parsed.path == path)
        #expect(parsed.authority == authority)
    }

    @Test func `A fragment is seen wherever it stands`() {
        #expect(RequestTarget(path: "/a#b").hasFragment)
        #expect(RequestTarget(path: "/a?b#").hasFragment)
        #expect(!RequestTarget(path: "/a?b").hasFragment)
    }

    @Test(
        arguments: [
            ("broker.test", true), ("broker.test:8443", true), ("[::1]:8443", true), ("127.0.0.1", true),
            ("", false), ("a b", false), ("a,b", false), ("u@h", false), ("h/x", false), ("h\\x", false),
            ("h\u{e9}", false),
        ])
    func `Usable authorities`(value: String, isUsable: Bool) {
        #expect(Authority.isUsable(value) == isUsable)
    }
}
