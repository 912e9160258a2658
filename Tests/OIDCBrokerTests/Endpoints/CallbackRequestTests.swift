// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The form of a callback.
struct CallbackRequestTests {
    /// A browser on its way back.
    private func returning() throws -> (Browser, [(String, String)]) {
        var browser = Browser(try Installation())
        let callback = try browser.authenticate()
        return (browser, callback)
    }

    /// A callback is refused by a page; nothing was asked of the provider, and nothing used up.
    private func expectRefusal(
        _ query: ([(String, String)]) -> String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (first, callback) = try returning()
        var browser = first
        let page = try browser.get(Installation.handler + "?" + query(callback))
        #expect(page.status == 400, sourceLocation: sourceLocation)
        #expect(page.head.headerFields[.location] == nil, sourceLocation: sourceLocation)
        #expect(browser.installation.provider.count("/token") == 0, sourceLocation: sourceLocation)
        #expect(try browser.bring(callback).status == 303, sourceLocation: sourceLocation)
    }

    @Test(.attack(.missingOrDuplicateState)) func `state absent, empty or duplicate`() throws {
        try expectRefusal { _ in "" }
        try expectRefusal { Query.encode([$0[0], $0[2]]) }
        try expectRefusal { Query.encode([$0[0], ("state", ""), $0[2]]) }
        try expectRefusal { Query.encode($0 + [$0[1]]) }
        try expectRefusal { Query.encode($0 + [("state", "b")]) }
    }

    @Test(
        .attack(.duplicateResponseParameter),
        arguments: ["code", "iss", "error", "id_token", "access_token", "expires_in"])
    func `another parameter duplicate`(name: String) throws {
        try expectRefusal { callback in
            let value = callback.first { $0.0 == name }?.1 ?? "x"
            return Query.encode(callback.filter { $0.0 != name } + [(name, value), (name, value)])
        }
    }

    @Test func `neither code nor error`() throws {
        try expectRefusal { Query.encode([$0[1], $0[2]]) }
        try expectRefusal { Query.encode([$0[1], $0[2], ("error", "")]) }
    }

    @Test(.attack(.codeBesideError)) func `an error beside a code is an error, and no token request`() throws {
        let (first, callback) = try returning()
        var browser = first
        let location = try Location(try browser.bring(callback + [("error", "access_denied")]))
        #expect(location["error"] == "access_denied")
        #expect(location["code"] == nil)
        #expect(browser.installation.provider.count("/token") == 0)
    }

    @Test(
        .attack(.impossibleCode),
        arguments: ["", String(repeating: "c", count: 4097), "a\u{0}", "a\r\nb", "a\tb", "c\u{e9}", "\u{7f}"])
    func `a code that is empty, too long or not printable`(value: String) throws {
        try expectRefusal { Query.encode([("code", value), $0[1], $0[2]]) }
    }

    @Test(
        .attack(.impossibleCode),
        arguments: [String(repeating: "c", count: 4096), " ~!&=+%#"])
    func `a code of up to 4,096 printable characters is sent on as it is`(value: String) throws {
        let (first, callback) = try returning()
        var browser = first
        _ = try browser.bring([("code", value), callback[1], callback[2]])
        #expect(browser.installation.provider.tokenForms.first?["code"] == value)
    }

    @Test(.attack(.ambiguousEncoding)) func `what is encoded twice is decoded once`() throws {
        let (first, callback) = try returning()
        var browser = first
        let rest = Query.encode([callback[1], callback[2]])
        _ = try browser.get(Installation.handler + "?code=%2541+%2B;x&" + rest)
        #expect(browser.installation.provider.tokenForms.first?["code"] == "%41 +;x")
    }

    @Test(
        .attack(.ambiguousEncoding),
        arguments: [
            "code=%", "code=%4", "code=%zz", "code=%C0%AF", "code=%00", "code=a%0d%0a", "x=%E0%80%80", "x=%FF",
        ])
    func `what cannot be decoded is refused`(text: String) throws {
        try expectRefusal { text + "&" + Query.encode([$0[1], $0[2]]) }
    }

    @Test(.attack(.ambiguousEncoding)) func `a semicolon separates nothing`() throws {
        try expectRefusal { callback in "code=\(callback[0].1);state=\(callback[1].1)" }
    }

    @Test(.attack(.oversizedForm)) func `101 parameters are too many`() throws {
        try expectRefusal { callback in
            Query.encode(callback + (0..<98).map { ("p\($0)", "v") })
        }
    }

    @Test func `what is not known is ignored`() throws {
        let (first, callback) = try returning()
        var browser = first
        let more = [("session_state", "x"), ("scope", "openid"), ("authuser", "0"), ("provider", "x"), ("user", "{}")]
        #expect(try browser.bring(callback + more).status == 303)
    }

    @Test(.attack(.otherMethodOnCallback)) func `HEAD looks without using anything up`() throws {
        let (first, callback) = try returning()
        var browser = first
        let target = Installation.handler + "?" + Query.encode(callback)
        let cookie = try #require(browser.jar.field(now: browser.installation.clock.now(), onlyNone: false))
        let response = try browser.installation.request(.head, target, fields: [.cookie: cookie])
        #expect(response.status == 200)
        #expect(response.setCookies.isEmpty)
        #expect(browser.installation.provider.count("/token") == 0)
        #expect(try browser.bring(callback).status == 303)
    }

    @Test(
        .attack(.otherMethodOnCallback),
        arguments: ["OPTIONS", "PUT", "DELETE", "PATCH", "FOO"])
    func `other methods are not allowed, and use nothing up`(name: String) throws {
        let (first, callback) = try returning()
        var browser = first
        let target = Installation.handler + "?" + Query.encode(callback)
        let response = try browser.installation.request(try #require(HTTPRequest.Method(name)), target)
        #expect(response.status == 405)
        #expect(response.head.headerFields[.allow] == "GET, HEAD, POST")
        #expect(try browser.bring(callback).status == 303)
    }

    @Test(
        .attack(.prefetchedCallback),
        arguments: ["prefetch", "prefetch;prerender", "prefetch; anonymous-client-ip"])
    func `a browser that only looks ahead uses nothing up`(purpose: String) throws {
        let (first, callback) = try returning()
        var browser = first
        let response = try browser.get(Installation.handler + "?" + Query.encode(callback)) {
            $0[.secPurpose] = purpose
        }
        #expect(response.status == 425)
        #expect(response.setCookies.isEmpty)
        #expect(browser.installation.log.outcomes.last == "prefetch")
        #expect(browser.installation.provider.count("/token") == 0)
        #expect(try browser.bring(callback).status == 303)
    }

    @Test(
        .attack(.nearlyTheCallbackPath),
        arguments: [
            "/__/auth/handler/", "//__/auth/handler", "/__/auth/%68andler", "/__/auth/handler;x=1",
            "/__/auth/..;/auth/handler", "/__/auth/Handler", "/__/auth/./handler", "/__/auth/handler%3F",
            "/__/auth//handler", "/__/auth/handler%00", "/__/auth/", "/__/auth/other", "/",
        ])
    func `only the exact path serves`(path: String) throws {
        let (first, callback) = try returning()
        var browser = first
        let response = try browser.bring(callback, to: path)
        #expect(response.status == 404)
        #expect(try browser.bring(callback).status == 303)
    }

    @Test func `a Firebase client's request gets a page that says so`() throws {
        let page = try Installation().get(Installation.handler + "?apiKey=x&mode=signIn")
        #expect(page.status == 400)
        #expect(page.heading == "Not supported yet")
    }

    @Test func `front-channel tokens are ignored`() throws {
        let (first, callback) = try returning()
        var browser = first
        let tokens = [("access_token", "forged"), ("id_token", "forged"), ("token_type", "Bearer")]
        let location = try Location(try browser.bring(callback + tokens))
        #expect(location["code"] != nil)
        #expect(!location.text.contains("forged"))
    }
}
