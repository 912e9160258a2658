// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
import Testing

/// The key of a login and its proofs (RFC 9449).
struct DPoPKeyTests {
    private static let url = AbsoluteURL("https://issuer.example/token?tenant=1")

    private static func claims(_ proof: String, of key: DPoPKey) throws -> (header: JSONObject, claims: JSONObject) {
        let parts = proof.split(separator: ".")
        let header = try JSONParser.object(
            try #require(Base64URL.decode(Array(parts[0].utf8))), limits: JSONLimits(maximumBytes: 1024))
        let jwk = try #require(header["jwk"]?.objectValue)
        #expect(JSONWebKeyThumbprint.sha256(of: jwk) == key.thumbprint)
        let keys: JSONObject = ["keys": [.object(jwk)]]
        let verified = try JSONWebSignature(compact: proof).verified(
            by: try KeySet(json: keys.serialized()), algorithms: [.es256])
        return (header, verified.claims)
    }

    @Test func `the first candidate that is a scalar of P-256 is the key`() throws {
        // The order of the curve (FIPS 186-4 appendix D.1.2.3) is the first number that is no scalar again.
        let order: [UInt8] =
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
            + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
        let one = [UInt8](repeating: 0, count: 31) + [1]
        let candidates = [[UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 0xFF, count: 32), one]
        let key = try DPoPKey { candidates[Int($0)] }
        // The public key of the scalar 1 is the base point.
        let base: JSONObject = [
            "kty": "EC", "crv": "P-256", "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
            "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
        ]
        #expect(key.thumbprint == JSONWebKeyThumbprint.sha256(of: base))
        #expect(throws: SigningKeyError.notP256) { try DPoPKey { _ in order } }
    }

    @Test func `a seed gives one key`() throws {
        let first = try DPoPKey(seed: Array(0..<32))
        #expect(try DPoPKey(seed: Array(0..<32)).thumbprint == first.thumbprint)
        #expect(try DPoPKey(seed: Array(1..<33)).thumbprint != first.thumbprint)
    }

    @Test func `a proof names method, URL without query, time and, if there are any, nonce and token`() throws {
        let key = try DPoPKey(seed: Array(0..<32))
        let url = try #require(Self.url)
        let plain = try key.proof(method: "POST", url: url, accessToken: nil, nonce: nil, now: 1_800_000_000)
        let (header, claims) = try Self.claims(plain, of: key)
        #expect(header.members.map(\.name) == ["typ", "alg", "jwk"])
        #expect(header["typ"] == "dpop+jwt" && header["alg"] == "ES256")
        #expect(header["jwk"]?.objectValue?.members.map(\.name) == ["kty", "crv", "x", "y"])
        #expect(claims.members.map(\.name) == ["jti", "htm", "htu", "iat"])
        #expect(claims["htm"] == "POST" && claims["htu"] == "https://issuer.example/token")
        #expect(claims["iat"]?.secondsValue == 1_799_999_995)
        let whole = try key.proof(
            method: "GET", url: url, accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU", nonce: "n",
            now: 1_800_000_000)
        let second = try Self.claims(whole, of: key).claims
        #expect(second["nonce"] == "n" && second["htm"] == "GET")
        // The example of RFC 9449 section 7.1.
        #expect(second["ath"] == "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
        #expect(second["jti"] != claims["jti"])
    }

    @Test func `the key is not printed`() throws {
        #expect("\(try DPoPKey(seed: Array(0..<32)))" == "DPoPKey")
    }
}
