// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration

/// The `.p8` is replaced while sign-ins run.
@Suite struct AppleKeyReplacementTests {
    private func keyID(_ secret: String?) throws -> String? {
        let header = try #require(secret?.split(separator: ".").first.flatMap { Base64URL.decode(String($0)) })
        return try JSONParser.object(header, limits: JSONLimits(maximumBytes: 4096))["kid"]?.text?.makeString()
    }

    private func keyIDs(_ setup: AppleSetup) throws -> [String?] {
        try setup.apple.forms("/auth/token").map { try keyID($0["client_secret"]) }
    }

    @Test(.attack(.applePrivateKey)) func `the next request has the new key, and no sign-in under way fails`() throws {
        let setup = try AppleSetup()
        let next = MockApple.DeveloperKey.make(teamID: StubApple.teamID)
        try setup.apple.register(next)
        var browsers: [(Browser, [(String, String)])] = []
        for _ in 0..<20 {
            var browser = Browser(setup.installation)
            let fields = try setup.authenticate(&browser)
            browsers.append((browser, fields))
        }
        for number in browsers.indices {
            if number == 10 {
                try setup.installation.broker.replaceAppleKey(
                    provider: "apple", keyID: next.keyID, privateKey: next.privateKey)
                setup.apple.withdraw(keyID: setup.apple.developerKey.keyID)
            }
            let fields = browsers[number].1
            let location = try Location(try browsers[number].0.bringForm(fields))
            #expect(location["code"] != nil, "\(number)")
        }
        let used = try keyIDs(setup)
        #expect(used[..<10].allSatisfy { $0 == setup.apple.developerKey.keyID })
        #expect(used[10...].allSatisfy { $0 == next.keyID })
        #expect(setup.apple.counts.refusedClientSecrets == 0)
        // Nothing else was made anew: metadata and keys were fetched once.
        #expect(setup.apple.paths.filter { $0 == "/.well-known/openid-configuration" }.count == 1)
        #expect(setup.apple.paths.filter { $0 == "/auth/keys" }.count == 1)
    }

    @Test(.attack(.applePrivateKey))
    func `a reload with another key does the same; with another provider it makes it anew`() throws {
        let setup = try AppleSetup()
        _ = try setup.signIn()
        let next = MockApple.DeveloperKey.make(teamID: StubApple.teamID)
        try setup.apple.register(next)
        var configuration = setup.installation.configuration
        configuration.providers[0].apple?.keyID = next.keyID
        configuration.providers[0].apple?.privateKey = next.privateKey
        try setup.installation.broker.reload(configuration)
        _ = try setup.signIn()
        #expect(try keyIDs(setup) == [setup.apple.developerKey.keyID, next.keyID])
        #expect(setup.apple.paths.filter { $0 == "/auth/keys" }.count == 1)
        configuration.providers[0].configuration.clockSkew = .seconds(30)
        try setup.installation.broker.reload(configuration)
        _ = try setup.signIn()
        #expect(setup.apple.paths.filter { $0 == "/auth/keys" }.count == 2)
    }

    @Test(.attack(.applePrivateKey)) func `a replaced key is a part of the configuration from then on`() throws {
        let setup = try AppleSetup()
        let next = MockApple.DeveloperKey.make(teamID: StubApple.teamID)
        try setup.apple.register(next)
        try setup.installation.broker.replaceAppleKey(
            provider: "apple", keyID: next.keyID, privateKey: next.privateKey)
        #expect(setup.installation.broker.current.configuration.providers[0].apple?.keyID == next.keyID)
        _ = try setup.signIn()
        #expect(try keyIDs(setup) == [next.keyID])
    }

    @Test(.attack(.applePrivateKey))
    func `an invalid key is refused with the reason, and the last valid one stays`() throws {
        let setup = try AppleSetup(providers: ["acme"])
        func errors(_ body: () throws -> Void) throws -> [String] {
            do {
                try body()
                return []
            } catch let error as BrokerConfigurationError {
                #expect(!"\(error)".contains("no-key-at-all"))
                return error.errors.map(\.key)
            }
        }
        let broker = setup.installation.broker
        let garbage = try errors {
            try broker.replaceAppleKey(provider: "apple", privateKey: Secret("no-key-at-all"))
        }
        #expect(garbage == ["auth.provider.apple.private-key"])
        let identifier = try errors {
            try broker.replaceAppleKey(
                provider: "apple", keyID: "short", privateKey: setup.apple.developerKey.privateKey)
        }
        #expect(identifier == ["auth.provider.apple.key-id"])
        for provider in ["acme", "nobody"] {
            let found = try errors {
                try broker.replaceAppleKey(provider: provider, privateKey: setup.apple.developerKey.privateKey)
            }
            #expect(found == ["auth.provider.\(provider).kind"])
        }
        var app = AppClient.shop
        app.provider = "apple"
        _ = try setup.signIn(app)
        #expect(try keyIDs(setup) == [setup.apple.developerKey.keyID])
    }

    @Test(.attack(.applePrivateKey)) func `many replace and reload at once: none of it is lost`() async throws {
        let (broker, configuration) = try Self.parts()
        let keys = (0..<8).map { _ in MockApple.DeveloperKey.make(teamID: StubApple.teamID) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for key in keys {
                group.addTask {
                    try broker.replaceAppleKey(provider: "apple", keyID: key.keyID, privateKey: key.privateKey)
                }
            }
            try await group.waitForAll()
        }
        let apple = try #require(broker.current.configuration.providers[0].apple)
        // The id and the key of one of them, together.
        #expect(keys.contains { $0.keyID == apple.keyID && $0.privateKey == apple.privateKey })
        try broker.reload(configuration)
        #expect(broker.current.configuration.providers[0].apple?.keyID == configuration.providers[0].apple?.keyID)
    }

    /// Not async: an embedded event loop stays on its thread.
    private static func parts() throws -> (Broker, BrokerConfiguration) {
        let setup = try AppleSetup()
        return (setup.installation.broker, setup.installation.configuration)
    }
}
