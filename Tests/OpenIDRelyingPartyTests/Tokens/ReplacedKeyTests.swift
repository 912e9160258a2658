// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

/// A provider that signs with another key of the same `kid`, and attackers who sign with other keys.
@Suite struct ReplacedKeyTests {
    /// What an observer heard.
    private final class Heard: RelyingPartyObserver {
        let expired = Mutex<[RelyingPartyError]>([])
        let published = Mutex<[[String]]>([])

        func expiredKeysServe(_ error: RelyingPartyError) { expired.withLock { $0.append(error) } }
        func privateKeysPublished(_ keyIDs: [String]) { published.withLock { $0.append(keyIDs) } }
    }

    /// Publishes a key as `k`. All tokens name `k`, whatever key signs them.
    private static func publish(_ key: SigningKey, _ changes: (String, JSONValue)..., at provider: TestProvider) {
        var jwk = key.publicJWK
        jwk["kid"] = "k"
        for (name, value) in changes { jwk[name] = value }
        let set: JSONObject = ["keys": [.object(jwk)]]
        provider.answer("/jwks", String(decoding: set.serialized(), as: UTF8.self))
        provider.behave { behavior in behavior.header = ["kid": "k"] }
    }

    private static func fetches(_ provider: TestProvider) -> Int { provider.paths.count { $0 == "/jwks" } }

    @Test(arguments: [JSONWebAlgorithm.es256, .ed25519])
    func `a key replaced under its kid is fetched within the same sign-in`(algorithm: JSONWebAlgorithm) throws {
        let provider = try TestProvider(.es256)
        provider.behave { $0.metadata["id_token_signing_alg_values_supported"] = ["ES256", "Ed25519"] }
        let session = UnpluggedSession(provider)
        let old = try SigningKey.generate(.es256)
        Self.publish(old, at: provider)
        provider.behave { $0.signingKey = old }
        #expect(try session.refusal() == nil)
        let new = try SigningKey.generate(algorithm)
        Self.publish(new, at: provider)
        provider.behave { $0.signingKey = new }
        // Keys that came moments ago are not asked for again.
        provider.clock.advance(by: 29)
        #expect(try session.refusal()?.step == .idToken)
        #expect(Self.fetches(provider) == 1)
        provider.clock.advance(by: 1)
        #expect(try session.refusal() == nil)
        #expect(Self.fetches(provider) == 2)
        #expect(try session.refusal() == nil)
        #expect(Self.fetches(provider) == 2)
    }

    @Test(arguments: [ResponseType.code, .codeIDToken])
    func `forged signatures cause one fetch per cooldown, and delay no sign-in`(type: ResponseType) throws {
        let provider = try TestProvider(.es256)
        let session = UnpluggedSession(provider, type)
        let honest = try SigningKey.generate(.es256)
        let stranger = try SigningKey.generate(.es256)
        Self.publish(honest, at: provider)
        provider.behave { $0.signingKey = honest }
        #expect(try session.refusal() == nil)
        #expect(Self.fetches(provider) == 1)
        for round in 1...3 {
            provider.clock.advance(by: 30)
            for _ in 0..<20 {
                provider.behave { $0.signingKey = stranger }
                #expect(try session.refusal()?.step == .idToken)
                #expect(Self.fetches(provider) == 1 + round)
            }
            provider.behave { $0.signingKey = honest }
            #expect(try session.refusal() == nil)
            #expect(Self.fetches(provider) == 1 + round)
        }
    }

    @Test func `signed UserInfo is verified by a key that was replaced under its kid`() throws {
        let provider = try TestProvider(.es256)
        let session = UnpluggedSession(provider) { $0.userInfo = true }
        let old = try SigningKey.generate(.es256)
        Self.publish(old, at: provider)
        provider.behave { behavior in
            behavior.signingKey = old
            behavior.signsUserInfo = true
        }
        #expect(try session.refusal() == nil)
        let new = try SigningKey.generate(.es256)
        Self.publish(new, at: provider)
        provider.clock.advance(by: 30)
        // The ID token is still the old key's.
        provider.behave { behavior in
            behavior.signingKey = new
            behavior.changeToken = { token, _ in
                let payload = try #require(Base64URL.decode(Array(token.split(separator: ".")[1].utf8)))
                return try old.sign(header: ["alg": "ES256", "kid": "k"], payload: payload)
            }
        }
        #expect(try session.refusal() == nil)
        #expect(Self.fetches(provider) == 2)
    }

    @Test func `expired keys serve for an hour, and the observer is told of each failed fetch`() throws {
        let provider = try TestProvider(.es256)
        let heard = Heard()
        let session = UnpluggedSession(provider, observer: heard)
        let key = try SigningKey.generate(.es256)
        Self.publish(key, at: provider)
        provider.behave { $0.signingKey = key }
        #expect(try session.refusal() == nil)
        provider.behave { $0.responses["/jwks"] = .failure(.unreachable) }
        provider.clock.advance(by: 3599)
        #expect(try session.refusal() == nil)
        #expect(heard.expired.withLock { $0.isEmpty })
        provider.clock.advance(by: 61)
        for _ in 0..<5 { #expect(try session.refusal() == nil) }
        #expect(heard.expired.withLock { $0 } == [.transport(.keySet, .unreachable)])
        #expect(heard.expired.withLock { $0.first?.description.contains("https://issuer.example/jwks") } == true)
        // The last second of the hour, and the first one beyond it.
        provider.clock.advance(by: 3539)
        #expect(try session.refusal() == nil)
        provider.clock.advance(by: 1)
        #expect(try session.refusal()?.step == .keySet)
    }

    @Test(arguments: ["d", "p", "k"])
    func `a key whose private half is published verifies nothing, and its kid is reported`(member: String) throws {
        let provider = try TestProvider(.es256)
        let heard = Heard()
        let session = UnpluggedSession(provider, observer: heard)
        let key = try SigningKey.generate(.es256)
        Self.publish(key, (member, "AQAB"), at: provider)
        provider.behave { $0.signingKey = key }
        let error = try #require(try session.refusal())
        #expect(error.step == .idToken)
        #expect(!error.description.contains("AQAB"))
        #expect(heard.published.withLock { $0.first } == ["k"])
        #expect(heard.expired.withLock { $0.isEmpty })
    }
}
