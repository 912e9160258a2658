// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker

/// A name that is sent with a credential or a login that was used before: it is not that of the user.
struct PlantedNameTests {
    private static let planted = #"{"name":{"firstName":"Mallory","lastName":"Planted"}}"#

    /// What goes on when it is sent.
    enum Circumstance: CaseIterable, Sendable {
        case usual, storeIsAway, appleIsLeftAlone
    }

    private let store = FaultyStore()

    private func begin(_ circumstance: Circumstance, _ setup: AppleSetup) throws {
        switch circumstance {
        case .usual: break
        case .storeIsAway: store.fail(after: 0)
        case .appleIsLeftAlone:
            setup.apple.goDown()
            for _ in 0..<5 {
                let form = setup.credentialForm(try setup.apple.credential())
                #expect(try setup.post("credential", form).status == 503)
            }
        }
    }

    /// The name that the app gets with the user's next credential, once all is well again.
    private func nextName(_ setup: AppleSetup) throws -> String? {
        store.fail(after: nil)
        setup.apple.goDown(false)
        setup.installation.letTimePass(seconds: 62)
        // A credential of another second is another one.
        setup.installation.clock.advance(by: 1)
        let response = try setup.post("credential", setup.credentialForm(try setup.apple.credential()))
        #expect(response.status == 200, "\(response.text)")
        return try response.json()["user"]?.objectValue?["name"]?.text?.makeString()
    }

    @Test(.attack(.unsignedAppleUser), arguments: Circumstance.allCases)
    func `a credential that was used before plants no name`(circumstance: Circumstance) throws {
        let setup = try AppleSetup(store: store)
        let credential = try setup.apple.credential()
        #expect(try setup.post("credential", setup.credentialForm(credential)).status == 200)
        try begin(circumstance, setup)
        let again = try setup.post("credential", setup.credentialForm(credential, user: Self.planted))
        #expect(again.status == (circumstance == .usual ? 400 : 503))
        #expect(try nextName(setup) == nil)
    }

    @Test(.attack(.unsignedAppleUser), arguments: Circumstance.allCases)
    func `a callback that came before plants no name`(circumstance: Circumstance) throws {
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let app = AppClient.shop
        let fields = try setup.authenticate(&browser, app)
        let jar = browser.jar
        let location = try Location(try browser.bringForm(fields))
        let response = try setup.installation.redeem(try #require(location["code"]), app)
        #expect(response.status == 200, "\(response.text)")
        #expect(try response.json()["user"] != nil)
        try begin(circumstance, setup)
        browser.jar = jar
        _ = try browser.bringForm(fields.map { ($0.0, $0.0 == "user" ? Self.planted : $0.1) })
        #expect(try nextName(setup) == nil)
    }
}
