// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import Testing
import TestingSupport

/// The jar of the tests is as strict as a browser: what it let pass, no test of a cookie would notice.
@Suite struct CookieJarTests {
    private static let host = "auth.example.com"

    @Test(arguments: [
        "", "a", "=1; Path=/", "a=1", "a=1; Path=x", "a=1; Path=/; Domain=example.com",
        "__Host-a=1; Path=/; HttpOnly", "__Host-a=1; Path=/x; Secure", "__Host-a=1; Secure",
        "__Host-a=1; Path=/; Secure; Domain=auth.example.com", "a=1; Path=/; SameSite=None",
    ])
    func `a cookie that a browser would not take is refused`(field: String) {
        var jar = CookieJar()
        let isTaken = jar.take(field, host: Self.host, isSecure: true)
        #expect(!isTaken)
        #expect(jar.cookies.isEmpty)
    }

    @Test func `a Secure cookie is neither taken nor sent without TLS`() {
        var jar = CookieJar()
        let isTaken = jar.take("a=1; Path=/; Secure", host: Self.host, isSecure: false)
        #expect(!isTaken)
        jar.take("a=1; Path=/; Secure", host: Self.host, isSecure: true)
        #expect(jar.field(host: Self.host, path: "/", isSecure: false, isCrossSitePost: false) == nil)
        #expect(jar.field(host: Self.host, path: "/", isSecure: true, isCrossSitePost: false) == "a=1")
    }

    @Test func `host, path, SameSite and age decide whether it is sent`() {
        var jar = CookieJar()
        jar.take("a=1; Path=/x; Secure; SameSite=None; Max-Age=10", host: Self.host, isSecure: true, now: 100)
        jar.take("b = 2 ; Path=/; Secure; SameSite=Lax", host: Self.host, isSecure: true, now: 100)
        func sent(_ path: String, host: String = Self.host, isCrossSitePost: Bool = false, now: Int64) -> String? {
            jar.field(host: host, path: path, isSecure: true, isCrossSitePost: isCrossSitePost, now: now)
        }
        #expect(sent("/x/y", now: 109) == "a=1; b=2")
        #expect(sent("/xy", now: 109) == "b=2")
        #expect(sent("/x", now: 110) == "b=2")
        #expect(sent("/x", isCrossSitePost: true, now: 109) == "a=1")
        #expect(sent("/x", host: "example.com", now: 109) == nil)
    }

    @Test func `a cookie set again keeps its place, and Max-Age=0 deletes it`() {
        var jar = CookieJar()
        for field in ["a=1; Path=/", "b=2; Path=/", "a=3; Path=/"] { jar.take(field, host: Self.host, isSecure: true) }
        jar.toss(name: "a", value: "4", host: Self.host)
        #expect(jar.cookies.map(\.value) == ["3", "2", "4"])
        jar.take("a=; Path=/; Max-Age=0", host: Self.host, isSecure: true)
        #expect(jar.cookies.map(\.name) == ["b"])
    }
}
