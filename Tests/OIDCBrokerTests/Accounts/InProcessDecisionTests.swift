// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import Synchronization
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Sign-ins in process that enter accounts.
struct InProcessDecisionTests {
    private final class Received: Sendable {
        private let signIns = Mutex<[CompletedSignIn]>([])

        var all: [CompletedSignIn] { signIns.withLock { $0 } }

        func add(_ signIn: CompletedSignIn) { signIns.withLock { $0.append(signIn) } }
    }

    private static func installation(
        _ accounts: StubAccounts, _ received: Received, hasAccounts: Bool = true
    ) throws -> Installation {
        let handler = SignInHandler { signIn in
            received.add(signIn)
            return .redirect()
        }
        return try Installation(signInHandlers: ["site": handler], extensions: [accounts]) {
            var site = BrokerConfiguration.App(name: "site", redirectURIs: [])
            site.kind = .inProcess
            site.accounts = hasAccounts
            $0.apps.append(site)
        }
    }

    private static func signIn(_ installation: Installation) throws -> BrokerResponse {
        var browser = Browser(installation)
        let request = try Location(try browser.get("/__/auth/login/site?to=%2Forders"))
        return try browser.bring(installation.provider.signIn(request))
    }

    @Test func `the account comes with the verified sign-in`() throws {
        let (accounts, received) = (StubAccounts(), Received())
        let installation = try Self.installation(accounts, received)
        #expect(try Self.signIn(installation).status == 303)
        let signIn = try #require(received.all.first)
        #expect(signIn.account == StubAccounts.uid && signIn.claims.string("account") == StubAccounts.uid)
        #expect(signIn.claims.string("sub") == signIn.subject)
        #expect(accounts.asked.map(\.providerID) == ["oidc.acme"])
    }

    @Test func `without the key there is none`() throws {
        let (accounts, received) = (StubAccounts(), Received())
        let installation = try Self.installation(accounts, received, hasAccounts: false)
        #expect(try Self.signIn(installation).status == 303)
        let signIn = try #require(received.all.first)
        #expect(signIn.account == nil && signIn.claims.string("account") == nil)
        #expect(accounts.asked.isEmpty)
    }

    @Test(arguments: SignInDecisionTests.refusals)
    func `a user who is refused gets a page and can start again, and the handler is not called`(
        row: SignInDecisionTests.Refusal
    ) throws {
        let (accounts, received) = (StubAccounts(), Received())
        accounts.decide(row.decision)
        let installation = try Self.installation(accounts, received)
        let response = try Self.signIn(installation)
        #expect(response.status == (row.error == "temporarily_unavailable" ? 503 : 400))
        #expect(response.text.contains("/__/auth/login/site?to=%2Forders"))
        #expect(response.setCookies.contains { $0.contains("Max-Age=0") })
        #expect(received.all.isEmpty)
        #expect(installation.log.outcomes == [row.outcome])
    }
}
