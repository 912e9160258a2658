// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What the keys that a provider publishes are worth.
@Suite struct KeyChecksTests {
    private func checks(
        _ keys: [JSONObject], _ configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> [LiveCheck] {
        let provider = try TestProvider()
        let set = try KeySet(json: (["keys": .array(keys.map { .object($0) })] as JSONObject).serialized())
        return UnpluggedSession(provider, configure).party.checks(
            of: set, try metadata(provider.issuer), provider: "acme")
    }

    @Test func `a key for the algorithm is enough, and is named`() throws {
        let key = try SigningKey.generate(.es256)
        let checks = try checks([key.publicJWK])
        #expect(checks.map(\.verdict) == [.ok])
        #expect(checks.first?.found == "1 of 1 keys usable: \(key.keyID)")
        #expect(checks.first?.wanted == "a key for ES256")
    }

    @Test func `without a key for the algorithm no ID token is accepted`() throws {
        #expect(try checks([]).map(\.verdict) == [.wrong])
        #expect(try checks([SigningKey.generate(.eddsa).publicJWK]).map(\.verdict) == [.wrong])
    }

    @Test func `an HMAC needs no key of the provider`() throws {
        let checks = try checks([]) {
            $0.idTokenAlgorithms = ["HS256"]
            $0.clientSecret = Secret(String(repeating: "s", count: 32))
        }
        #expect(checks.map(\.verdict) == [.ok])
    }

    @Test func `each skipped key is named with its reason, and one that is published whole is wrong`() throws {
        let good = try SigningKey.generate(.es256).publicJWK
        var encryption = try SigningKey.generate(.es256).publicJWK
        encryption["use"] = "enc"
        encryption["kid"] = "for\nencryption"
        var whole = try SigningKey.generate(.es256).publicJWK
        whole["d"] = "AAAA"
        let unknown: JSONObject = ["kty": "AKP", "kid": "new"]
        let checks = try checks([encryption, good, whole, unknown])
        #expect(checks.map(\.subject) == [.keys, .skippedKey, .skippedKey, .skippedKey])
        #expect(checks.map(\.verdict) == [.ok, .ok, .wrong, .unknown])
        #expect(checks[1].found == "key 1, kid for?encryption: skipped: not for verifying signatures")
        #expect(checks[2].found.hasSuffix("private members published"))
        #expect(checks[3].found == "key 4, kid new: skipped: unsupported kty")
    }
}
