// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty
import Testing

@testable import OIDCBroker

@Suite("Sealed state between brokers and over a change of keys")
struct SealingKeyTests {
    private static let unknown = "This link does not work"

    private func reload(_ installation: Installation, _ keys: String...) throws {
        var configuration = installation.configuration
        configuration.sealingKeys = keys.map { Secret($0) }
        try installation.broker.reload(configuration)
    }

    @Test("S23 a bit flipped in any byte of the state: a page, no token request, nothing used up")
    func bitFlips() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let answer = try browser.authenticate()
        let sealed = try #require(Base64URL.decode(answer[1].1))
        for position in sealed.indices {
            var flipped = sealed
            flipped[position] ^= 1
            let page = try browser.bring([answer[0], ("state", Base64URL.encode(flipped)), answer[2]])
            #expect(page.status == 400)
            #expect(page.heading == Self.unknown, "byte \(position)")
        }
        let truncated = try browser.bring([answer[0], ("state", String(answer[1].1.dropLast())), answer[2]])
        #expect(truncated.heading == Self.unknown)
        #expect(installation.provider.count("/token") == 0)
        #expect(try browser.bring(answer).status == 303)
    }

    @Test("S23 the old key opens while it stands second, and no longer when it is gone")
    func rotation() throws {
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

    @Test("S23 a key that is only second seals nothing")
    func added() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        try reload(installation, Installation.sealingKey, Installation.secondSealingKey)
        let answer = try browser.authenticate()
        try reload(installation, Installation.sealingKey)
        #expect(try browser.bring(answer).status == 303)
    }

    @Test("S24 start on A, return on B, which shares the sealing key only")
    func replicas() throws {
        let first = try Installation()
        let second = try Installation(stubs: first.providers, clock: first.clock) {
            $0.signingKey = Secret(ReplicaKey.signingKey)
        }
        var browser = Browser(first)
        let app = AppClient.shop
        let answer = try browser.authenticate(app)
        browser.installation = second
        let location = try Location(try browser.bring(answer))
        let code = try #require(location["code"])
        // The code is where the return was.
        #expect(try first.redeem(code, app).status == 400)
        #expect(try second.redeem(code, app).status == 200)
    }

    @Test("a state of another broker does not open, even where it has the same key")
    func otherBroker() throws {
        let installation = try Installation()
        let other = try Installation(stubs: installation.providers, clock: installation.clock) {
            $0.publicURL = try #require(PublicURL("https://other.example.com"))
        }
        var browser = Browser(other)
        let answer = try browser.authenticate()
        browser.installation = installation
        #expect(try browser.bring(answer).heading == Self.unknown)
        #expect(installation.log.outcomes == ["unknown_state"])
    }
}
