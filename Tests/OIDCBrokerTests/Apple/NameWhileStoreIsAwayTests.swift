// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import OIDCBroker

/// The name that Apple sends once, with a sign-in that fails because the store is away.
@Suite struct NameWhileStoreIsAwayTests {
    private static let user = #"{"name":{"firstName":"Ada","lastName":"Example"}}"#
    private static let planted = #"{"name":{"firstName":"Mallory","lastName":"Planted"}}"#

    private let store = AwayStore()

    /// The name that the app gets with a new credential of the person.
    private func nextName(_ setup: AppleSetup) throws -> String? {
        // A credential of another second is another one.
        setup.installation.clock.advance(by: 1)
        let response = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        #expect(response.status == 200, "\(response.text)")
        return try response.json()["user"]?.objectValue?["name"]?.text?.makeString()
    }

    /// The store is back, and the process has forgotten which attempts are in doubt.
    private func bringBack(_ setup: AppleSetup) {
        store.behave(.answers)
        setup.installation.letTimePass(seconds: 62)
    }

    /// Apple cannot be reached, and its token endpoint is left alone.
    private func openCircuit(_ setup: AppleSetup) throws {
        // Apple's documents are known from here on.
        let known = setup.credentialForm(try setup.apple.credential(), hasCode: false)
        #expect(try setup.post("credential", known).status == 200)
        setup.apple.goDown()
        for _ in 0..<5 {
            let form = setup.credentialForm(try setup.apple.credential())
            #expect(try setup.post("credential", form).status == 503)
        }
    }

    @Test(.attack(.unsignedAppleUser))
    func `a native credential whose claim was made and not answered does not lose it`() throws {
        let setup = try AppleSetup(store: store)
        let form = setup.credentialForm(try setup.apple.credential(), user: Self.user)
        store.behave(.losesAnswers)
        #expect(try setup.post("credential", form).status == 503)
        bringBack(setup)
        let again = try setup.post("credential", form)
        #expect(again.status == 400, "it was used before")
        #expect(try nextName(setup) == "Ada Example")
        #expect(!setup.installation.log.text.contains("Ada"))
    }

    @Test func `whoever tries again and again while the store is away does not lose it`() throws {
        let setup = try AppleSetup(store: store)
        let form = setup.credentialForm(try setup.apple.credential(), user: Self.user)
        store.behave(.losesAnswers)
        #expect(try setup.post("credential", form).status == 503)
        store.behave(.fails)
        for _ in 0..<5 {
            // Each one is another attempt, which is never sent.
            setup.installation.letTimePass(seconds: 62)
            #expect(try setup.post("credential", form).status == 503)
        }
        bringBack(setup)
        #expect(try setup.post("credential", form).status == 400, "it was used by the first attempt")
        #expect(try nextName(setup) == "Ada Example")
    }

    @Test func `a native credential that was never claimed may still be used, and its name is there`() throws {
        let setup = try AppleSetup(store: store)
        let credential = try setup.apple.credential()
        store.behave(.fails)
        #expect(try setup.post("credential", setup.credentialForm(credential, user: Self.user)).status == 503)
        bringBack(setup)
        let response = try setup.post("credential", setup.credentialForm(credential))
        #expect(response.status == 200, "\(response.text)")
        #expect(try response.json()["user"]?.objectValue?["name"]?.text?.makeString() == "Ada Example")
    }

    @Test(.attack(.unsignedAppleUser), arguments: [AwayStore.Behavior.fails, .losesAnswers])
    func `whoever has a credential that was used before plants no name while the store is away`(
        behavior: AwayStore.Behavior
    ) throws {
        let setup = try AppleSetup(store: store)
        let credential = try setup.apple.credential()
        #expect(try setup.post("credential", setup.credentialForm(credential)).status == 200)
        store.behave(behavior)
        #expect(try setup.post("credential", setup.credentialForm(credential, user: Self.planted)).status == 503)
        bringBack(setup)
        #expect(try nextName(setup) == nil)
    }

    @Test(.attack(.unsignedAppleUser), arguments: [AwayStore.Behavior.fails, .losesAnswers])
    func `a callback that could not be claimed does not lose it: the ID token beside the code says whose it is`(
        behavior: AwayStore.Behavior
    ) throws {
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        store.behave(behavior)
        #expect(try Location(try browser.bringForm(fields))["error"] == "temporarily_unavailable")
        bringBack(setup)
        #expect(try setup.signIn()["user"]?.objectValue?["name"]?.text?.makeString() == "Ada Example")
    }

    @Test(.attack(.unsignedAppleUser))
    func `a callback that came before plants no name while the store is away`() throws {
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let app = AppClient.shop
        let fields = try setup.authenticate(&browser, app)
        let jar = browser.jar
        let location = try Location(try browser.bringForm(fields))
        let response = try setup.installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200, "\(response.text)")
        #expect(try response.json()["user"] != nil)
        store.behave(.fails)
        browser.jar = jar
        _ = try browser.bringForm(fields.map { ($0.0, $0.0 == "user" ? Self.planted : $0.1) })
        bringBack(setup)
        #expect(try nextName(setup) == nil)
    }

    /// What was used before, and is used again.
    enum Used: CaseIterable, Sendable {
        case credential, login
    }

    @Test(.attack(.unsignedAppleUser), arguments: Used.allCases)
    func `nobody plants a name while the store is away for so long that it forgets what was used`(used: Used) throws {
        let setup = try AppleSetup(store: store)
        switch used {
        case .credential:
            let credential = try setup.apple.credential()
            #expect(try setup.post("credential", setup.credentialForm(credential)).status == 200)
            store.behave(.fails)
            #expect(try setup.post("credential", setup.credentialForm(credential, user: Self.planted)).status == 503)
        case .login:
            var browser = Browser(setup.installation)
            let app = AppClient.shop
            let fields = try setup.authenticate(&browser, app)
            let jar = browser.jar
            let location = try Location(try browser.bringForm(fields))
            let response = try setup.installation.redeem(try #require(location["code"]), app)
            #expect(response.status == 200, "\(response.text)")
            store.behave(.fails)
            browser.jar = jar
            _ = try browser.bringForm(fields.map { ($0.0, $0.0 == "user" ? Self.planted : $0.1) })
        }
        #expect(setup.installation.broker.waitingNames == 1)
        store.clock.advance(by: 1_800)
        setup.installation.letTimePass(seconds: 1_800)
        bringBack(setup)
        #expect(try nextName(setup) == nil)
        #expect(setup.installation.broker.waitingNames == 0)
    }

    @Test(.attack(.unsignedAppleUser), arguments: [false, true])
    func `a name that was put before any claim, and waits, counts unless another request has the claim`(
        hasAccounts: Bool
    ) throws {
        let store = FailingStore()
        let setup = try AppleSetup(store: store, extensions: hasAccounts ? [StubAccounts()] : []) {
            for index in $0.apps.indices { $0.apps[index].accounts = hasAccounts }
        }
        let credential = try setup.apple.credential()
        if !hasAccounts { try openCircuit(setup) }
        // The store says that the credential is not claimed, and is away then.
        store.fail(after: 1)
        #expect(try setup.post("credential", setup.credentialForm(credential, user: Self.planted)).status == 503)
        #expect(setup.installation.broker.waitingNames == 1)
        store.fail(after: nil)
        let key = SingleUseKey(.nativeCredential, UnverifiedIDTokenPayload.signedPart(of: credential.idToken))
        let claim = store.claim(
            key, attempt: SingleUseAttempt(), owner: nil, lifetime: .seconds(1_320), on: setup.installation.eventLoop)
        #expect(try claim.wait() == .won)
        setup.installation.letTimePass(seconds: 62)
        #expect(setup.installation.broker.waitingNames == 0)
        setup.apple.goDown(false)
        #expect(try nextName(setup) == nil)
    }

    @Test(.attack(.unsignedAppleUser), arguments: [AwayStore.Behavior.answers, .fails, .losesAnswers])
    func `a callback that came before plants no name while Apple is left alone`(behavior: AwayStore.Behavior) throws {
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let app = AppClient.shop
        let fields = try setup.authenticate(&browser, app)
        let jar = browser.jar
        let location = try Location(try browser.bringForm(fields))
        let response = try setup.installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200, "\(response.text)")
        try openCircuit(setup)
        store.behave(behavior)
        browser.jar = jar
        let again = fields.map { ($0.0, $0.0 == "user" ? Self.planted : $0.1) }
        #expect(try browser.bringForm(again).status == 503)
        bringBack(setup)
        setup.apple.goDown(false)
        #expect(try nextName(setup) == nil)
    }

    @Test(arguments: [AwayStore.Behavior.answers, .fails, .losesAnswers])
    func `a callback that comes first while Apple is left alone does not lose it`(behavior: AwayStore.Behavior) throws {
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        try openCircuit(setup)
        store.behave(behavior)
        #expect(try browser.bringForm(fields).status == 503)
        bringBack(setup)
        setup.apple.goDown(false)
        #expect(try nextName(setup) == "Ada Example")
    }

    @Test(.attack(.unsignedAppleUser)) func `the name of a refused ID token does not wait`() throws {
        let setup = try AppleSetup(store: store)
        setup.apple.behave(.wrongSignature)
        store.behave(.fails)
        let form = setup.credentialForm(try setup.apple.credential(), user: Self.planted)
        #expect(try setup.post("credential", form).status == 400)
        #expect(setup.installation.broker.waitingNames == 0)
    }

    @Test func `a name that the store did not take after the claim does not get lost`() throws {
        let store = FailingStore()
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        // The claim of the login is stored, the name is not.
        store.fail(after: 1)
        #expect(try Location(try browser.bringForm(fields))["error"] == "temporarily_unavailable")
        #expect(setup.installation.broker.waitingNames == 1)
        store.fail(after: nil)
        setup.installation.letTimePass(seconds: 2)
        #expect(setup.installation.broker.waitingNames == 0)
        #expect(try setup.signIn()["user"]?.objectValue?["name"]?.text?.makeString() == "Ada Example")
    }
}
