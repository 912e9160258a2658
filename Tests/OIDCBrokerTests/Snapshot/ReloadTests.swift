// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerPages

/// A reload.
struct ReloadTests {
    private static let again = "Please start again"

    /// A sign-in is under way when the configuration changes: how it ends.
    private func ending(_ change: (inout BrokerConfiguration) -> Void) throws -> (BrokerResponse, Installation) {
        let installation = try Installation(providers: ["acme", "globex"])
        var browser = Browser(installation)
        var app = AppClient.shop
        app.provider = "acme"
        let response = try browser.authenticate(app)
        var configuration = installation.configuration
        change(&configuration)
        try installation.broker.reload(configuration)
        return (try browser.bring(response), installation)
    }

    @Test func `of the same configuration changes nothing and keeps what was fetched`() throws {
        let (response, installation) = try ending { _ in }
        #expect(response.status == 303)
        #expect(installation.provider.count("/.well-known/openid-configuration") == 1)
    }

    @Test func `of another provider, app or key keeps this provider's caches`() throws {
        let (response, installation) = try ending {
            $0.providers[1].configuration.clientID = "another"
            $0.apps.removeLast()
            $0.sealingKeys.insert(.init(Installation.secondSealingKey), at: 0)
        }
        #expect(response.status == 303)
        #expect(installation.provider.count("/.well-known/openid-configuration") == 1)
    }

    @Test func `of the day on which a client secret ends keeps this provider's caches, and shows the new day`() throws {
        let end: Int64 = 1_900_000_000
        let (response, installation) = try ending { $0.providers[0].clientSecretExpires = end }
        #expect(response.status == 303)
        #expect(installation.provider.count("/.well-known/openid-configuration") == 1)
        #expect(installation.broker.configuration.providers[0].clientSecretExpires == end)
        let entry = installation.broker.current.provider(name: "acme")
        #expect(entry?.configuration.clientSecretExpires == end)
    }

    @Test func `of what need not be the same at the callback lets the login finish, with metadata fetched anew`() throws
    {
        let (response, installation) = try ending { $0.providers[0].configuration.scopes = ["openid", "email"] }
        #expect(response.status == 303)
        #expect(installation.provider.count("/.well-known/openid-configuration") == 2)
    }

    @Test(arguments: 0..<8)
    func `of the login's provider or app ends in "start again", and nothing is sent`(number: Int) throws {
        let changes: [(inout BrokerConfiguration) -> Void] = [
            { $0.providers[0].configuration.issuer = "https://login.elsewhere.example" },
            { $0.providers[0].configuration.clientID = "another" },
            { $0.providers[0].configuration.responseMode = .formPost },
            { $0.providers[0].callbackPath = "/__/auth/acme" },
            { $0.providers[0].name = "renamed" },
            { $0.apps[0].name = "renamed" },
            { $0.apps[0].redirectURIs = ["https://shop.example/elsewhere"] },
            { $0.apps[0].providers = ["globex"] },
        ]
        let (page, installation) = try ending(changes[number])
        #expect(page.status == 400)
        #expect(page.heading == Self.again)
        #expect(page.head.headerFields[.location] == nil)
        #expect(installation.log.outcomes == ["changed"])
        #expect(installation.provider.count("/token") == 0)
    }

    @Test func `with errors changes nothing, and reports all of them`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        var configuration = installation.configuration
        configuration.providers[0].configuration.issuer = "http://login.acme.example"
        configuration.apps[0].redirectURIs = []
        do {
            try installation.broker.reload(configuration)
            Issue.record("it was taken")
        } catch {
            #expect(error.errors.map(\.key) == ["auth.provider.acme.issuer", "auth.app.shop.redirect-uris"])
        }
        #expect(try browser.bring(response).status == 303)
    }

    @Test func `what is under way keeps the configuration it began with`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        installation.provider.behave { $0.latePaths = ["/token"] }
        let pending = try browser.bringWithoutWaiting(response)
        var configuration = installation.configuration
        configuration.providers[0].configuration.clientID = "another"
        try installation.broker.reload(configuration)
        #expect(pending.response == nil)
        installation.provider.answerWaiting()
        installation.eventLoop.run()
        #expect(pending.response?.status == 303)
    }
}
