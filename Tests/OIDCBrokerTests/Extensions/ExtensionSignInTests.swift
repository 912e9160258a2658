// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords

/// Sign-ins whose login belongs to an extension: the callback is that of every other login.
struct ExtensionSignInTests {
    let logins = StubLogins()

    private func installation(
        store: (any SingleUseStore)? = nil, configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Installation {
        try Installation(store: store, extensions: [logins], configure: configure)
    }

    /// A browser that the provider has sent back, and the callback.
    private func callback(_ installation: Installation) throws -> (Browser, [(String, String)]) {
        var browser = Browser(installation)
        let request = try Location(try browser.get("/stub/start"))
        return (browser, try installation.provider.signIn(request))
    }

    @Test func `the extension gets the verified sign-in in the place of a hand-off`() throws {
        let installation = try installation()
        var (browser, callback) = try callback(installation)
        #expect(browser.jar.cookies.count == 1)
        let response = try browser.bring(callback)
        #expect(try Location(response).text == "https://stub.example/done")
        #expect(browser.jar.cookies.isEmpty)
        let delivered = try #require(logins.delivered.first)
        #expect(
            delivered.signIn.subject == TestProvider.subject && delivered.signIn.issuer == installation.provider.issuer)
        #expect(delivered.login.content == StubLogins.content && delivered.login.provider.id == "oidc.acme")
        #expect(delivered.login.language == .german && delivered.name == nil)
        #expect(installation.provider.count("/token") == 1)
        #expect(installation.log.outcomes == ["signed_in"])
        #expect(installation.log.lines.last?.metadata["auth.app"] == StubLogins.client)
        #expect(installation.audit.lines.map { $0.metadata["auth.app"] } == [StubLogins.client, StubLogins.client])
        #expect(response.reference == delivered.login.reference)
    }

    @Test(.attack(.replayedCallback)) func `a second callback says that it is finished, with the cookie too`() throws {
        let installation = try installation()
        var (browser, callback) = try callback(installation)
        let jar = browser.jar
        #expect(try browser.bring(callback).status == 303)
        browser.jar = jar
        let again = try browser.bring(callback)
        #expect(again.status == 400 && again.head.headerFields[.location] == nil)
        #expect(logins.delivered.count == 1 && installation.provider.count("/token") == 1)
    }

    @Test(.attack(.loginCSRF)) func `without the cookie nothing reaches the extension, and nothing is used up`() throws
    {
        let installation = try installation()
        var (browser, callback) = try callback(installation)
        var other = Browser(installation)
        let page = try other.bring(callback)
        #expect(page.status == 400 && page.heading == PageTexts.german.otherBrowser.title)
        #expect(logins.delivered.isEmpty && logins.outcomes.isEmpty)
        #expect(try browser.bring(callback).status == 303)
    }

    @Test func `the user said no, and the cookie goes`() throws {
        let installation = try installation()
        var browser = Browser(installation)
        let request = try Location(try browser.get("/stub/start"))
        let response = try browser.bring(try installation.provider.refuse(request, "access_denied"))
        #expect(try Location(response).text == "https://stub.example/ended")
        #expect(logins.outcomes == [.cancelled] && browser.jar.cookies.isEmpty)
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `an unavailable provider is an outcome`() throws {
        let installation = try installation()
        var (browser, callback) = try callback(installation)
        installation.provider.behave { $0.deadPaths = ["/token"] }
        #expect(try Location(try browser.bring(callback)).text == "https://stub.example/ended")
        guard case .providerUnavailable? = logins.outcomes.first else {
            Issue.record("\(logins.outcomes)")
            return
        }
    }

    @Test func `where the configuration does not have it any more, the code is not sent`() throws {
        let installation = try installation()
        var (browser, callback) = try callback(installation)
        logins.accept(false)
        let page = try browser.bring(callback)
        #expect(page.heading == PageTexts.german.changed.title)
        #expect(installation.provider.count("/token") == 0 && logins.delivered.isEmpty && logins.outcomes.isEmpty)
        // Nor without the extension.
        logins.accept(true)
        try installation.broker.reload(installation.configuration, extensions: BrokerExtensions())
        #expect(try browser.bring(callback).heading == PageTexts.german.changed.title)
    }

    @Test func `a refusal of the extension is reported as such, and other failures as the store's`() throws {
        let installation = try installation()
        logins.deliver(.refused(.tooManyHandOffs))
        var (browser, callback) = try callback(installation)
        #expect(try Location(try browser.bring(callback)).text == "https://stub.example/ended")
        logins.deliver(.failed)
        (browser, callback) = try self.callback(installation)
        #expect(try Location(try browser.bring(callback)).text == "https://stub.example/ended")
        #expect(logins.outcomes == [.tooManyHandOffs, .storeUnavailable])
        #expect(installation.log.outcomes == ["too_many_hand_offs", "store_unavailable"])
    }

    @Test func `only what the provider allows goes there, with the scopes it knows`() throws {
        let installation = try installation {
            $0.providers[0].appParameters = ["prompt", "max_age"]
            $0.providers[0].appScopes = ["calendar"]
        }
        logins.ask(
            [(name: "prompt", value: "login"), (name: "login_hint", value: "ada"), (name: "max_age", value: "60")],
            scopes: ["calendar", "contacts"])
        var browser = Browser(installation)
        let request = try Location(try browser.get("/stub/start"))
        #expect(request["prompt"] == "login" && request["login_hint"] == nil && request["max_age"] == "60")
        #expect(request["scope"] == "openid email profile calendar")
        logins.ask([(name: "max_age", value: "soon")])
        let page = try browser.get("/stub/start")
        #expect(page.status == 400 && page.text.contains(#"<code id="cause""#))
    }

    @Test func `profile and email go to any provider, each once`() throws {
        let installation = try installation {
            $0.providers[0].appScopes = ["email"]
            $0.providers[0].configuration.scopes = ["openid"]
        }
        logins.ask([], scopes: ["profile", "email", "phone"])
        var browser = Browser(installation)
        #expect(try Location(try browser.get("/stub/start"))["scope"] == "openid email profile")
    }

    @Test func `a state that is too long ends at the start, and the longest comes back`() throws {
        let installation = try installation()
        logins.keep([UInt8](repeating: 1, count: 1500))
        var browser = Browser(installation)
        let page = try browser.get("/stub/start")
        #expect(page.status == 400 && browser.jar.cookies.isEmpty)
        logins.keep([UInt8](repeating: 1, count: 1350))
        var (other, callback) = try callback(installation)
        #expect(try Location(try other.bring(callback)).text == "https://stub.example/done")
        #expect(try #require(callback.first { $0.0 == "state" }).1.utf8.count > 1900)
    }

    @Test func `a provider that is down is said on a page`() throws {
        let installation = try installation()
        installation.provider.behave { $0.isDown = true }
        var browser = Browser(installation)
        let page = try browser.get("/stub/start")
        #expect(page.status == 503 && page.heading == PageTexts.german.unavailable.title)
    }
}
