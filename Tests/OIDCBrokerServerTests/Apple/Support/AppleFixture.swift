// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import BrowserTesting
import Logging
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

/// Broker, mock Apple and browser, all on real sockets with TLS; clock in the test's hand. To a browser they are
/// two sites: Apple is 127.0.0.1, the broker `localhost`.
struct AppleFixture: Sendable {
    static let teamID = "TEAM123456"
    static let servicesID = "com.example.web"
    /// The client id of the app `shop`, which is public, on its platform.
    static let bundleID = "com.example.shop"
    /// The same of the app `desk`, which is confidential and may have Apple's own tokens.
    static let otherBundleID = "com.example.desk"
    /// Shares the address.
    static let ada = MockApple.Person.mock[0]
    /// Hides it.
    static let grace = MockApple.Person.mock[1]

    /// What a test is about.
    struct Options: Sendable {
        /// No interaction; ``ada`` signs in.
        var interaction = OpenIDProvider.Interaction.automatic(0)
        var responseType = ResponseType.codeIDToken
        var writesBooleansAsText = false
        var version = HTTPClient.Configuration.HTTPVersion.automatic
        /// Nil: the key is configuration and no file. Else how often its files are looked at.
        var keyFileInterval: Duration?
        var notificationHandler: (any NotificationHandler)?
        var webhook: BrokerConfiguration.Webhook?
        var domainAssociation: [UInt8]?
        var logger = Logger.quiet
    }

    let apple: MockApple
    /// The key the broker begins with.
    let key: MockApple.DeveloperKey
    let broker: Broker
    let publicURL: PublicURL
    let directory: TemporaryDirectory
    let clock: TestClock
    let http: HTTPClient

    /// The broker's issuer.
    var issuer: String { publicURL.origin + BrokerConfiguration.defaultPathPrefix }
    /// Where Apple's page posts to.
    var callbackURL: String { issuer + "/handler" }

    /// A browser without cookies.
    func browser() -> HTTPBrowser { HTTPBrowser(http) }

    /// Replaces the key's files; with ``Options/keyFileInterval`` only.
    func write(_ key: MockApple.DeveloperKey) throws { try Self.write(key, to: directory) }

    static let keyFile = "apple.p8"
    static let keyIDFile = "apple.kid"

    static func write(_ key: MockApple.DeveloperKey, to directory: TemporaryDirectory) throws {
        try directory.write(keyIDFile, key.keyID.utf8)
        try directory.write(keyFile, key.privateKey.exposed.utf8)
    }
}
