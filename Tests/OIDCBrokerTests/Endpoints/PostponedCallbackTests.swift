// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A callback whose code would not be sent uses nothing up.
struct PostponedCallbackTests {
    /// An installation whose provider's token endpoint was found to be unreachable by five callbacks.
    private func installation(store: InMemorySingleUseStore? = nil) throws -> Installation {
        let installation = try Installation(store: store)
        installation.provider.behave { $0.deadPaths = ["/token"] }
        for _ in 0..<5 {
            var browser = Browser(installation)
            #expect(try browser.signIn()["error"] == "temporarily_unavailable")
        }
        #expect(installation.provider.count("/token") == 5)
        return installation
    }

    private func expectPostponed(
        _ response: BrokerResponse, retryAfter: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == 503, sourceLocation: sourceLocation)
        #expect(response.heading == "Signing in is not possible right now", sourceLocation: sourceLocation)
        #expect(response.head.headerFields[.retryAfter] == retryAfter, sourceLocation: sourceLocation)
        #expect(response.setCookies.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func `while the provider is left alone: no claim, and the same URL signs in when it is back`() throws {
        let installation = try installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        for _ in 0..<3 { expectPostponed(try browser.bring(response), retryAfter: "1") }
        #expect(installation.provider.count("/token") == 5)
        let line = try #require(installation.log.lines.last { $0.metadata["auth.outcome"] == "provider_unavailable" })
        #expect(line.metadata["auth.provider"] == "oidc.acme")
        installation.provider.behave { $0.deadPaths = [] }
        installation.clock.advance(by: 1)
        #expect(try Location(try browser.bring(response))["code"] != nil)
        #expect(try browser.bring(response).heading == "This sign-in is finished or was interrupted")
    }

    @Test func `an attacker with logins of their own does not fill the store meanwhile`() throws {
        // Five claims of those callbacks, and one more place.
        let installation = try installation(store: InMemorySingleUseStore(capacity: 6))
        for _ in 0..<10 {
            var stranger = Browser(installation)
            let response = try stranger.authenticate().map { ($0.0, $0.0 == "code" ? "junk" : $0.1) }
            expectPostponed(try stranger.bring(response), retryAfter: "1")
        }
        installation.provider.behave { $0.deadPaths = [] }
        installation.clock.advance(by: 1)
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
    }

    @Test
    func `while one request probes the provider, others wait without using anything up`() throws {
        let installation = try installation()
        installation.provider.behave {
            $0.deadPaths = []
            $0.latePaths = ["/token"]
        }
        installation.clock.advance(by: 1)
        var first = Browser(installation)
        let awaited = try first.authenticate()
        let pending = try first.bringWithoutWaiting(awaited)
        installation.eventLoop.run()
        #expect(pending.response == nil)
        #expect(installation.provider.count("/token") == 6)
        var second = Browser(installation)
        let response = try second.authenticate()
        expectPostponed(try second.bring(response), retryAfter: "1")
        #expect(installation.provider.count("/token") == 6)
        installation.provider.behave { $0.latePaths = [] }
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
        #expect(try Location(try second.bring(response))["code"] != nil)
    }

    @Test func `a native credential with a code is not used up either`() throws {
        let setup = try AppleSetup()
        // Apple's documents are known from here on.
        let known = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        #expect(try setup.post("credential", known).status == 200)
        let form = setup.credentialForm(try setup.apple.credential())
        var others: [[(String, String)]] = []
        for _ in 0..<5 { others.append(setup.credentialForm(try setup.apple.credential())) }
        setup.apple.goDown()
        for other in others { #expect(try setup.post("credential", other).status == 503) }
        for _ in 0..<2 { #expect(try setup.post("credential", form).status == 503) }
        setup.apple.goDown(false)
        setup.installation.clock.advance(by: 1)
        #expect(try setup.post("credential", form).status == 200)
        #expect(try setup.post("credential", others[0]).status == 400)
    }
}
