// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import SingleUse
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP

/// Native credentials of apps with accounts.
struct CredentialDecisionTests {
    private static let user = #"{"name":{"firstName":"Ada","lastName":"Example"}}"#

    private static func setup(
        _ accounts: StubAccounts, store: (any SingleUseStore)? = nil
    ) throws -> AppleSetup {
        try AppleSetup(store: store, extensions: [accounts]) {
            for index in $0.apps.indices { $0.apps[index].accounts = true }
        }
    }

    private static func error(_ response: BrokerResponse) throws -> String? {
        try response.json()["error"]?.text?.makeString()
    }

    @Test func `the account is in the ID token and beside it`() throws {
        let accounts = StubAccounts()
        let setup = try Self.setup(accounts)
        let response = try setup.post(
            "credential", setup.credentialForm(try setup.apple.credential(), user: Self.user))
        #expect(response.status == 200, "\(response.text)")
        let issued = try response.json()
        #expect(issued["account"]?.text?.makeString() == StubAccounts.uid)
        #expect(try setup.claims(of: issued)["account"]?.text?.makeString() == StubAccounts.uid)
        let asked = try #require(accounts.asked.first)
        #expect(asked.providerID == "apple.com" && asked.sendsUser && asked.name == "Ada Example")
        // By the web it is the claim alone.
        let web = try setup.signIn()
        #expect(web["account"] == nil)
        #expect(try setup.claims(of: web)["account"]?.text?.makeString() == StubAccounts.uid)
    }

    @Test func `without an account there is no member, and without accounts no extension is asked`() throws {
        let accounts = StubAccounts()
        accounts.decide(.allowed(account: nil))
        let setup = try Self.setup(accounts)
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        let issued = try setup.post("credential", form).json()
        #expect(issued["id_token"] != nil && issued["account"] == nil)
        #expect(accounts.asked.count == 1)
        let plain = try AppleSetup(extensions: [accounts])
        let response = try plain.post(
            "credential", plain.credentialForm(try plain.apple.credential(), hasCode: false))
        #expect(response.status == 200)
        #expect(accounts.asked.count == 1)
    }

    @Test(arguments: SignInDecisionTests.refusals)
    func `what is refused uses nothing up, keeps the name, and exchanges no code`(
        row: SignInDecisionTests.Refusal
    ) throws {
        let accounts = StubAccounts()
        accounts.decide(row.decision)
        let setup = try Self.setup(accounts)
        let credential = try setup.apple.credential()
        let refused = try setup.post("credential", setup.credentialForm(credential, user: Self.user))
        #expect(try Self.error(refused) == row.error)
        #expect(refused.status == (row.error == "temporarily_unavailable" ? 503 : 400))
        #expect(setup.apple.forms("/auth/token").isEmpty)
        #expect(setup.installation.log.outcomes == [row.outcome])
        #expect(!setup.installation.log.text.contains("hunter2"))
        // The same one again. Apple does not send the name again.
        accounts.decide(.allowed(account: StubAccounts.uid))
        let taken = try setup.post("credential", setup.credentialForm(credential))
        #expect(taken.status == 200, "\(taken.text)")
        #expect(accounts.asked.map(\.name) == ["Ada Example", "Ada Example"])
        #expect(setup.apple.forms("/auth/token").count == 1)
    }

    @Test func `a credential that was used before enters nothing again`() throws {
        let accounts = StubAccounts()
        let setup = try Self.setup(accounts)
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        #expect(try setup.post("credential", form).status == 200)
        let repeated = try setup.post("credential", form)
        #expect(try Self.error(repeated) == "invalid_grant")
        #expect(accounts.asked.count == 1)
    }

    @Test func `while it is not known whether a credential was used, no extension is asked`() throws {
        let (accounts, store) = (StubAccounts(), FaultyStore())
        let setup = try Self.setup(accounts, store: store)
        let form = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        store.fail(after: 0)
        let response = try setup.post("credential", form)
        #expect(response.status == 503)
        #expect(try Self.error(response) == "temporarily_unavailable")
        #expect(accounts.asked.isEmpty)
        store.fail(after: nil)
        #expect(try setup.post("credential", form).status == 200)
    }
}
