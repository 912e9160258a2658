// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// Providers whose keys have no `kid`.
@Suite struct KeyWithoutIDTests {
    /// Publishes these keys without `kid`, and signs with the last.
    private static func publish(_ keys: [SigningKey], at provider: TestProvider) {
        let published = keys.map { key in
            var jwk = key.publicJWK
            jwk["kid"] = nil
            return JSONValue.object(jwk)
        }
        provider.answer(
            "/jwks", String(decoding: (["keys": .array(published)] as JSONObject).serialized(), as: UTF8.self))
        provider.behave { behavior in
            if let key = keys.last { behavior.signingKey = key }
            behavior.changeToken = { token, _ in
                // The header without its kid; the signature is made anew.
                let payload = try #require(Base64URL.decode(Array(token.split(separator: ".")[1].utf8)))
                let key = try #require(keys.last)
                return try key.sign(header: ["alg": .string(key.algorithm.rawValue)], payload: payload)
            }
        }
    }

    @Test func `a token without kid is verified by the one key, and by the right one of several`() throws {
        let keys = try (0..<3).map { _ in try SigningKey.generate(.es256) }
        for count in [1, 3] {
            let provider = try TestProvider()
            Self.publish(Array(keys[..<count]), at: provider)
            #expect(try UnpluggedSession(provider).signIn().subject == "person-ada")
            #expect(provider.paths.filter { $0 == "/jwks" }.count == 1)
        }
    }

    @Test func `keys without kid that were rotated are fetched again within the same sign-in, and seldom`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let old = try SigningKey.generate(.es256)
        let new = try SigningKey.generate(.es256)
        Self.publish([old], at: provider)
        #expect(try session.refusal() == nil)
        Self.publish([new], at: provider)
        #expect(try session.refusal() == nil)
        #expect(provider.paths.filter { $0 == "/jwks" }.count == 2)
        // A forged one right afterwards is not fetched for.
        Self.publish([try SigningKey.generate(.es256)], at: provider)
        provider.answer("/jwks", #"{"keys":[]}"#)
        #expect(try session.refusal()?.step == .idToken)
        #expect(provider.paths.filter { $0 == "/jwks" }.count == 2)
        provider.clock.advance(by: 30)
        #expect(try session.refusal()?.step == .idToken)
        #expect(provider.paths.filter { $0 == "/jwks" }.count == 3)
    }

    @Test(.attack(.unknownKeyFlood)) func `a token that names a key is never tried with another`() throws {
        let provider = try TestProvider()
        provider.behave { behavior in behavior.header = ["kid": "unknown"] }
        #expect(try UnpluggedSession(provider).refusal()?.step == .idToken)
        #expect(provider.paths.filter { $0 == "/jwks" }.count == 1)
    }
}
