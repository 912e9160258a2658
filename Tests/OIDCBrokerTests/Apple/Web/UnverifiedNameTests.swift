// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import OpenIDConnect
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The name that Apple sends once, without a signature.
@Suite struct UnverifiedNameTests {
    private static let adaExample: JSONValue = [
        "given_name": "Ada", "family_name": "Example", "name": "Ada Example",
    ]

    /// A callback whose app never redeems, or whose store fails, so that no app has the name.
    private func bring(
        _ setup: AppleSetup, _ change: (inout [(String, String)]) -> Void = { _ in }
    ) throws -> Location {
        var browser = Browser(setup.installation)
        var fields = try setup.authenticate(&browser)
        change(&fields)
        return try Location(try browser.bringForm(fields))
    }

    @Test(.attack(.unsignedAppleUser)) func `it stands beside the ID token, at the first sign-in only`() throws {
        let setup = try AppleSetup()
        let first = try setup.signIn()
        #expect(first["user"] == Self.adaExample)
        let claims = try setup.claims(of: first)
        for name in ["name", "given_name", "family_name", "user"] { #expect(claims[name] == nil, "\(name)") }
        #expect(try setup.signIn()["user"] == nil)
    }

    @Test(.attack(.unsignedAppleUser))
    func `it is handed over again until a redemption that carried it succeeded`() throws {
        let setup = try AppleSetup()
        let app = AppClient.shop
        // The app gets a code and loses it; the next one is burnt by a wrong verifier.
        _ = try bring(setup)
        let code = try #require(try bring(setup)["code"])
        #expect(try setup.installation.redeem(code, app).status == 400)
        #expect(try setup.signIn()["user"] == Self.adaExample)
        #expect(try setup.signIn()["user"] == nil)
    }

    @Test(.attack(.unsignedAppleUser)) func `a store that fails at the last step does not lose it`() throws {
        let store = FaultyStore()
        let setup = try AppleSetup(store: store)
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        // The claim of the login and the name are stored, the hand-off is not.
        store.fail(after: 2)
        #expect(try Location(try browser.bringForm(fields))["error"] == "temporarily_unavailable")
        store.fail(after: nil)
        setup.installation.letTimePass(seconds: 1)
        #expect(try setup.signIn()["user"] == Self.adaExample)
    }

    @Test(
        .attack(.unsignedAppleUser), arguments: [MockApple.Misbehavior.tokenEndpointUnavailable, .refusesClientSecrets])
    func `an exchange that fails does not lose it: the ID token beside the code says whose it is`(
        misbehavior: MockApple.Misbehavior
    ) throws {
        let setup = try AppleSetup()
        setup.apple.behave(misbehavior)
        #expect(try bring(setup)["code"] == nil)
        setup.apple.behave(.none)
        #expect(try setup.signIn()["user"] == Self.adaExample)
    }

    @Test(.attack(.unsignedAppleUser)) func `the name of a refused sign-in is not kept`() throws {
        let setup = try AppleSetup()
        // The ID token is invalid, so its subject may be that of another user.
        setup.apple.behave(.wrongSignature)
        #expect(try bring(setup)["error"] == "server_error")
        setup.apple.behave(.none)
        #expect(try setup.signIn()["user"] == nil)
    }

    @Test(.attack(.unsignedAppleUser)) func `it lives a day`() throws {
        for (seconds, isThere) in [(86_399, true), (86_400, false)] as [(Int64, Bool)] {
            let setup = try AppleSetup()
            _ = try bring(setup)
            setup.installation.clock.advance(by: seconds)
            let user = try setup.signIn()["user"]
            #expect(user == (isThere ? Self.adaExample : nil))
        }
    }

    @Test(
        .attack(.unsignedAppleUser),
        arguments: [MockApple.Misbehavior.malformedUser, .otherEmailInUser, .scriptInUser, .longUser])
    func `whatever stands in it does no harm`(misbehavior: MockApple.Misbehavior) throws {
        let setup = try AppleSetup()
        setup.apple.behave(misbehavior)
        let response = try setup.signIn()
        let user = response["user"]?.objectValue
        switch misbehavior {
        case .malformedUser:
            #expect(user == nil)
        case .scriptInUser:
            // Text, for the app to show as text: JSON has no markup.
            #expect(user?["given_name"]?.text?.makeString() == "<script>alert(1)</script>")
        case .longUser:
            #expect(user?["given_name"]?.text?.makeString().unicodeScalars.count == 255)
        default:
            #expect(user?["name"]?.text?.makeString() == "Ada Example")
        }
        #expect(user?["email"] == nil)
        // The address is the ID token's, whatever the field says.
        #expect(try setup.claims(of: response)["email"]?.text?.makeString() == "ada@example.com")
        #expect(!"\(response)".contains("victim@example.com"))
    }

    @Test(.attack(.unsignedAppleUser)) func `no page shows it unescaped, and no log line shows it at all`() throws {
        let setup = try AppleSetup()
        setup.apple.behave(.scriptInUser)
        var browser = Browser(setup.installation)
        browser.withholdsCrossSiteCookies = true
        let page = try browser.bringForm(try setup.authenticate(&browser))
        #expect(!page.text.contains("<script"))
        #expect(!page.text.contains("<img"))
        _ = try browser.submit(page)
        #expect(!setup.installation.log.text.contains("alert(1)"))
    }

    @Test(.attack(.unsignedAppleUser), arguments: [0, 65_536 - 200, 65_536])
    func `a field of any length within the body's limit is read or passed over`(length: Int) throws {
        let setup = try AppleSetup()
        let text = #"{"name":{"firstName":""# + String(repeating: "x", count: length) + #"y"}}"#
        let response = try setup.signIn { fields in
            for index in fields.indices where fields[index].0 == "user" { fields[index].1 = text }
        }
        let isRead = text.utf8.count <= 65_536
        #expect((response["user"] != nil) == isRead)
    }

    @Test(.attack(.unsignedAppleUser))
    func `a duplicate field ends the callback, and uses nothing up`() throws {
        let setup = try AppleSetup()
        var browser = Browser(setup.installation)
        let fields = try setup.authenticate(&browser)
        #expect(try browser.bringForm(fields + [("user", "{}")]).status == 400)
        #expect(setup.installation.log.outcomes == ["unreadable"])
        #expect(try browser.bringForm(fields).status == 303)
    }

    @Test(.attack(.unsignedAppleUser)) func `it waits with a credential for the user's Continue`() throws {
        let setup = try AppleSetup()
        let app = AppClient.desk
        var browser = Browser(setup.installation)
        let page = try browser.bringForm(try setup.authenticate(&browser, app))
        let location = try Location(try browser.submit(page))
        let response = try setup.installation.redeem(try #require(location["code"]), app).json()
        #expect(response["user"] == Self.adaExample)
    }

    @Test(.attack(.unsignedAppleUser)) func `another provider's user field is not a name`() throws {
        let installation = try Installation { $0.providers[0].configuration.responseMode = .formPost }
        var browser = Browser(installation)
        let app = AppClient.shop
        let fields = try browser.authenticate(app)
        let user = #"{"name":{"firstName":"Mallory"}}"#
        let location = try Location(try browser.bringForm(fields + [("user", user)]))
        let response = try installation.redeem(try #require(location["code"]), app).json()
        #expect(response["user"] == nil)
    }
}
