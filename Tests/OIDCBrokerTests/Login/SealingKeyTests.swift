// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerPages

/// Sealed state between brokers and over a change of keys.
struct SealingKeyTests {
    private static let unknown = "This link does not work"

    private func reload(_ installation: Installation, _ keys: String...) throws {
        var configuration = installation.configuration
        configuration.sealingKeys = keys.map { Secret($0) }
        try installation.broker.reload(configuration)
    }

    @Test(.attack(.tamperedState))
    func `a bit flipped in any byte of the state: a page, no token request, nothing used up`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let response = try browser.authenticate()
        let sealed = try #require(Base64URL.decode(response[1].1))
        for position in sealed.indices {
            var flipped = sealed
            flipped[position] ^= 1
            let page = try browser.bring([response[0], ("state", Base64URL.encode(flipped)), response[2]])
            #expect(page.status == 400)
            #expect(page.heading == Self.unknown, "byte \(position)")
        }
        let truncated = try browser.bring([response[0], ("state", String(response[1].1.dropLast())), response[2]])
        #expect(truncated.heading == Self.unknown)
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bring(response).status == 303)
    }

    @Test(.attack(.tamperedState))
    func `the old key opens while it stands second, and no longer when it is gone`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let first = try browser.authenticate()
        let second = try browser.authenticate()
        try reload(installation, Installation.secondSealingKey, Installation.sealingKey)
        let third = try browser.authenticate()
        #expect(try browser.bring(first).status == 303)
        try reload(installation, Installation.secondSealingKey)
        #expect(try browser.bring(second).heading == Self.unknown)
        #expect(try browser.bring(third).status == 303)
    }

    @Test(.attack(.tamperedState)) func `a key that is only second seals nothing`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        try reload(installation, Installation.sealingKey, Installation.secondSealingKey)
        let response = try browser.authenticate()
        try reload(installation, Installation.sealingKey)
        #expect(try browser.bring(response).status == 303)
    }

    @Test(.attack(.callbackAtAnotherReplica))
    func `start on A, callback on B, which shares only the sealing key`() throws {
        let first = try Installation()
        let second = try Installation(stubs: first.providers, clock: first.clock) {
            $0.signingKeys = [Secret(ReplicaKey.signingKey)]
        }
        var browser = Browser(first)
        let app = AppClient.shop
        let response = try browser.authenticate(app)
        browser.installation = second
        let location = try Location(try browser.bring(response))
        let code = try #require(location["code"])
        // The code is where the callback was.
        #expect(try first.redeem(code, app).status == 400)
        #expect(try second.redeem(code, app).status == 200)
    }

    @Test func `a state of another broker does not open, even where it has the same key`() throws {
        let installation = try Installation()
        let other = try Installation(stubs: installation.providers, clock: installation.clock) {
            $0.publicURL = try #require(PublicURL("https://other.example.com"))
        }
        var browser = Browser(other)
        let response = try browser.authenticate()
        browser.installation = installation
        #expect(try browser.bring(response).heading == Self.unknown)
        #expect(installation.log.outcomes == ["unknown_state"])
    }
}
