// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The parameters that an app may pass on, by provider.
struct AuthorizationPassingTests {
    private func location(
        _ additions: [(String, String)], _ changes: [String: String?] = [:],
        configure: (inout BrokerConfiguration) throws -> Void = { _ in }
    ) throws -> Location {
        try Location(try Installation(configure: configure).get(AppClient.shop.target(changes, adding: additions)))
    }

    @Test func `the default list is passed on`() throws {
        let values = [
            ("login_hint", "ada@people.example"), ("ui_locales", "de en"), ("prompt", "login"), ("max_age", "60"),
            ("acr_values", "urn:x"), ("language", "de"), ("locale", "de"), ("hd", "people.example"),
            ("domain_hint", "people.example"),
        ]
        let location = try self.location(values)
        for (name, value) in values { #expect(location[name] == value) }
        #expect(location.query.names.count == 8 + values.count)
    }

    @Test func `a list of one's own takes the place of the default`() throws {
        let location = try self.location([("login_hint", "ada"), ("theme", "dark")]) {
            $0.providers[0].appParameters = ["theme"]
        }
        #expect(location["theme"] == "dark")
        #expect(location["login_hint"] == nil)
    }

    @Test(arguments: ["a\r\nb", "\u{0}", "\u{7f}"])
    func `control characters are not passed on`(value: String) throws {
        #expect(try location([("login_hint", value)])["error"] == "invalid_request")
    }

    @Test func `an empty value is not passed on, and none takes the place of what the operator fixed`() throws {
        let configure: (inout BrokerConfiguration) -> Void = {
            $0.providers[0].configuration.authorizationParameters = [
                .init(name: "prompt", value: "login"), .init(name: "hd", value: "corp.example"),
                .init(name: "max_age", value: "600"),
            ]
        }
        let values = ["", "consent", "select_account"].map { [("prompt", $0)] } + [[], [("hd", "evil.example")]]
        for value in values {
            let location = try location(value, configure: configure)
            #expect(location["prompt"] == "login")
            #expect(location["hd"] == "corp.example")
            #expect(location.query.names.count { $0 == "prompt" || $0 == "hd" } == 2)
        }
        // A visitor must not get the sign-in of the user who used this browser before.
        #expect(try location([("prompt", "none")], configure: configure)["error"] == "interaction_required")
        // Of max_age the smaller one holds.
        for (asked, sent) in [("60", "60"), ("6000", "600")] {
            #expect(try location([], ["max_age": asked], configure: configure)["max_age"] == sent)
        }
    }

    @Test func `scopes beyond the configured ones go on only where app-scopes names them`() throws {
        #expect(try location([], ["scope": "openid email calendar"])["scope"] == "openid email profile")
        let location = try self.location([], ["scope": "openid email phone profile"]) {
            $0.providers[0].configuration.scopes = ["openid", "profile"]
            $0.providers[0].appScopes = ["email", "profile"]
        }
        #expect(location["scope"] == "openid profile email")
    }

    @Test func `max_age goes on even where app-parameters does not name it`() throws {
        let location = try self.location([], ["max_age": "60"]) { $0.providers[0].appParameters = ["login_hint"] }
        #expect(location["max_age"] == "60")
        #expect(location.query.names.filter { $0 == "max_age" }.count == 1)
    }

    @Test func `a response mode that is configured is sent, the default one too`() throws {
        #expect(try location([])["response_mode"] == nil)
        let location = try self.location([]) { $0.providers[0].configuration.sendsDefaultResponseMode = true }
        #expect(location["response_mode"] == "query")
    }

    @Test(arguments: [(3600, true), (60, false)])
    func `a max_age that was sent is held against auth_time`(age: Int, isFresh: Bool) throws {
        let installation = try Installation()
        installation.provider.behave { $0.claims = ["auth_time": .number(.init(installation.clock.now() - 200))] }
        var browser = Browser(installation)
        let request = try Location(try browser.get(AppClient.shop.target(["max_age": "\(age)"])))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect((location["code"] != nil) == isFresh)
        #expect((location["error"] == "server_error") == !isFresh)
    }

    @Test func `a configured max_age is held against auth_time as well`() throws {
        let installation = try Installation {
            $0.providers[0].configuration.authorizationParameters = [.init(name: "max_age", value: "60")]
        }
        installation.provider.behave { $0.claims = ["auth_time": .number(.init(installation.clock.now() - 3600))] }
        var browser = Browser(installation)
        #expect(try browser.signIn()["error"] == "server_error")
    }

    @Test(
        arguments: [("30", "30"), ("60", "60"), ("1000000", "60"), (nil, "60")] as [(String?, String)])
    func `an app may ask for a fresher authentication than the configuration does, never for a staler one`(
        asked: String?, sent: String
    ) throws {
        let installation = try Installation {
            $0.providers[0].configuration.authorizationParameters = [.init(name: "max_age", value: "60")]
        }
        installation.provider.behave { $0.claims = ["auth_time": .number(.init(installation.clock.now() - 3600))] }
        var browser = Browser(installation)
        let parameters = asked.map { ["max_age": $0] } ?? [:]
        let request = try Location(try browser.get(AppClient.shop.target(parameters)))
        #expect(request["max_age"] == sent)
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location["error"] == "server_error")
    }

    @Test(arguments: ["globex", "oidc.globex"])
    func `a provider is named by its name or its id`(name: String) throws {
        let installation = try Installation(providers: ["acme", "globex"])
        let location = try Location(try installation.get(AppClient.shop.target(["provider": name])))
        #expect(location.base == "https://login.globex.example/authorize")
    }

    @Test(
        arguments: [
            "initech", "Globex", "globex", "https://login.acme.example", "oidc.globex", "..", "acme ", "oidc.",
        ])
    func `a provider that is not there, or not for this app, is refused`(name: String) throws {
        let installation = try Installation(providers: ["acme", "globex"]) { $0.apps[0].providers = ["acme"] }
        let location = try Location(try installation.get(AppClient.shop.target(["provider": name])))
        #expect(location.base == "https://shop.example/callback")
        #expect(location["error"] == "invalid_request")
        #expect(location["state"] == "state-of-the-app")
        #expect(location["iss"] == Installation.issuer)
    }

    // A third party that starts a login has no way but the app's own request: there is no initiate_login_uri.
    @Test(.attack(.thirdPartyStart))
    func `what a third party adds to a start is ignored: issuer, target, scopes, account`() throws {
        let installation = try Installation(providers: ["acme", "globex"]) { $0.apps[0].providers = ["acme"] }
        let more = [
            ("iss", "https://login.globex.example"), ("target_link_uri", "https://evil.example/"),
            ("scp", "admin"), ("account", "x"), ("redirect", "https://evil.example/"),
        ]
        var browser = Browser(installation)
        let target = AppClient.shop.target(["scope": "openid admin offline_access"], adding: more)
        let request = try Location(try browser.get(target))
        #expect(request.base == "https://login.acme.example/authorize")
        #expect(request["scope"] == "openid email profile")
        #expect(request.query.names.count == 8)
        #expect(!request.text.contains("evil.example"))
        let location = try Location(try browser.bring(installation.provider.signIn(request)))
        #expect(location.base == "https://shop.example/callback")
        #expect(try installation.get("/__/auth/login?iss=https://login.acme.example").status == 404)
    }
}
