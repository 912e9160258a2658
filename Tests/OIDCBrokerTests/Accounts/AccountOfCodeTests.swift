// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDRelyingParty
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// The redemption of a code whose account was disabled or deleted since the sign-in.
struct AccountOfCodeTests {
    private static func installation(
        _ accounts: StubAccounts, store: (any SingleUseStore)? = nil, hasAccounts: Bool = true
    ) throws -> Installation {
        try Installation(store: store, extensions: [accounts]) {
            for index in $0.apps.indices { $0.apps[index].accounts = hasAccounts }
        }
    }

    private static func code(_ installation: Installation, _ app: AppClient) throws -> String {
        var browser = Browser(installation)
        let location = try browser.signIn(app)
        return try #require(location["code"], "\(location.text)")
    }

    private static func error(_ response: BrokerResponse) throws -> String? {
        try response.json()["error"]?.text?.makeString()
    }

    @Test func `an account that may still be used is asked about, and the app gets its tokens`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        let app = AppClient.shop
        #expect(try installation.redeem(Self.code(installation, app), app).status == 200)
        #expect(accounts.askedAbout == [StubAccounts.uid])
    }

    /// The app gets its code at the callback, or after the page "Continue".
    @Test(arguments: [false, true]) func `one that may not gives no tokens, and the code is used up`(waits: Bool) throws
    {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        let app = waits ? AppClient.desk : .shop
        let code = try Self.code(installation, app)
        accounts.use(false)
        let refused = try installation.redeem(code, app)
        #expect(refused.status == 400)
        #expect(try Self.error(refused) == "invalid_grant")
        #expect(try refused.json()["id_token"] == nil)
        accounts.use(true)
        #expect(try Self.error(installation.redeem(code, app)) == "invalid_grant")
        // The second time there is no record to ask about.
        #expect(accounts.askedAbout == [StubAccounts.uid])
        #expect(installation.log.text.contains("hand-off code refused: the account may not be used"))
    }

    @Test func `while it is not known the app may try again with the same code`() throws {
        let accounts = StubAccounts()
        let installation = try Self.installation(accounts)
        let app = AppClient.shop
        let code = try Self.code(installation, app)
        accounts.use(nil)
        for _ in 0..<2 {
            let response = try installation.redeem(code, app)
            #expect(response.status == 503)
            #expect(try Self.error(response) == "temporarily_unavailable")
        }
        #expect(installation.log.outcomes.contains("accounts_unavailable"))
        #expect(!installation.log.text.contains("hunter2"))
        accounts.use(true)
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `while the store cannot be reached no extension is asked`() throws {
        let (accounts, store) = (StubAccounts(), FaultyStore())
        let installation = try Self.installation(accounts, store: store)
        let app = AppClient.shop
        let code = try Self.code(installation, app)
        store.fail(after: 0)
        let response = try installation.redeem(code, app)
        #expect(response.status == 503)
        #expect(try Self.error(response) == "temporarily_unavailable")
        #expect(accounts.askedAbout.isEmpty)
        store.fail(after: nil)
        #expect(try installation.redeem(code, app).status == 200)
    }

    @Test func `no extension is asked for an app that may not have the record, and the code is used up as ever`() throws
    {
        let accounts = StubAccounts()
        accounts.use(nil)
        let installation = try Self.installation(accounts)
        let app = AppClient.shop
        let code = try Self.code(installation, app)
        let form = app.tokenForm(code).map { name, value in
            (name, name == "code_verifier" ? String(repeating: "v", count: 43) : value)
        }
        #expect(try Self.error(installation.token(form)) == "invalid_grant")
        #expect(try Self.error(installation.redeem(code, app)) == "invalid_grant")
        #expect(accounts.askedAbout.isEmpty)
    }

    @Test func `a sign-in that entered no account has no owner`() throws {
        let accounts = StubAccounts()
        accounts.decide(.allowed(account: nil))
        accounts.use(false)
        let installation = try Self.installation(accounts)
        let app = AppClient.shop
        #expect(try installation.redeem(Self.code(installation, app), app).status == 200)
        #expect(accounts.askedAbout.isEmpty)
    }

    @Test func `for an app without accounts no extension is asked, and nothing is waited for`() throws {
        let accounts = StubAccounts()
        accounts.use(nil)
        let installation = try Self.installation(accounts, hasAccounts: false)
        let app = AppClient.shop
        let code = try Self.code(installation, app)
        let response = installation.broker.respond(
            to: installation.tokenRequest(app.tokenForm(code)), on: installation.eventLoop)
        guard case .value(let value) = response else {
            Issue.record("there is a future")
            return
        }
        #expect(value.status == 200)
        #expect(accounts.askedAbout.isEmpty)
    }
}
