// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// The requests to the callback path that carry `apiKey` and no `state`.
struct HandlerStartRoutingTests {
    private static let started = "https://stub.example/started"

    @Test(
        arguments: [
            "apiKey=k&authType=signInViaPopup", "a=b&apiKey=", "apiKey=k&sessionId=%00%EF%BF%BD",
            // Bytes that are no text at all.
            "apiKey=k&sessionId=%FF%00", "sessionId=%&apiKey=k",
        ])
    func `a start goes to the extension`(query: String) throws {
        let logins = StubLogins()
        var browser = Browser(try Installation(extensions: [logins]))
        #expect(try Location(try browser.get(Installation.handler + "?" + query)).text == Self.started)
        #expect(logins.starts == [Installation.handler])
    }

    @Test(
        arguments: [
            "apiKey=k&state=s", "state=s&code=c", "state=%FF&apiKey=k", "code=c", "", "apikey=k", "apiKey%3Dk",
        ])
    func `everything else is a callback`(query: String) throws {
        let logins = StubLogins()
        var browser = Browser(try Installation(extensions: [logins]))
        #expect(try browser.get(Installation.handler + "?" + query).status == 400)
        #expect(logins.starts.isEmpty)
    }

    @Test func `a form is no start, and neither is a prefetch or what is no navigation`() throws {
        let logins = StubLogins()
        let installation = try Installation(extensions: [logins])
        var browser = Browser(installation)
        let target = Installation.handler + "?apiKey=k"
        let form = try browser.post(
            Installation.handler, [("apiKey", "k")], site: .crossSite, origin: "https://app.example")
        #expect(form.heading == PageTexts.english.notSupported.title)
        #expect(try browser.get(target) { $0[.secFetchDestination] = "image" }.status == 403)
        #expect(try browser.get(target) { $0[.secPurpose] = "prefetch" }.status == 425)
        #expect(logins.starts.isEmpty)
    }

    @Test func `without such an extension, and at a provider's own path, it stays a page`() throws {
        for logins in [[], [StubLogins(takesHandlerStarts: false)]] {
            var browser = Browser(try Installation(extensions: logins))
            let page = try browser.get(Installation.handler + "?apiKey=k")
            #expect(page.status == 400 && page.heading == PageTexts.english.notSupported.title)
        }
        let logins = StubLogins()
        let installation = try Installation(extensions: [logins]) { $0.providers[0].callbackPath = "/own" }
        var browser = Browser(installation)
        #expect(try browser.get("/own?apiKey=k").heading == PageTexts.english.notSupported.title)
        #expect(logins.starts.isEmpty)
    }
}
