// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import JOSE
import JWTKit
import Testing

/// jwt-kit as the independent other side: our code on both sides would hide an error made twice.
@Suite struct JWTKitOracleTests {
    struct Payload: JWTPayload, Equatable {
        var iss: String
        var sub: String
        var exp: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private let payload = Payload(iss: "https://issuer.example", sub: "ü/\"sub\"", exp: 1_700_000_000)
    private let claims: JSONObject = ["iss": "https://issuer.example", "sub": "ü/\"sub\"", "exp": 1_700_000_000]

    /// Signs with jwt-kit and verifies with this implementation.
    private func expectVerified(
        _ collection: JWTKeyCollection, _ jwk: JSONObject, _ algorithm: JSONWebAlgorithm
    ) async throws {
        let token = try await collection.sign(payload, kid: "oracle")
        let keys = try KeySet(jwk)
        let signature = try JSONWebSignature(compact: token)
        #expect(signature.algorithm == algorithm)
        #expect(signature.keyID?.makeString() == "oracle")
        #expect(signature.type == "JWT")
        #expect(try signature.verified(by: keys, algorithms: [algorithm]).claims == claims)
        let other = try KeySet(TestKeys.strangerJWK(for: algorithm, keyID: "oracle"))
        #expect(throws: JSONWebSignatureError.badSignature) {
            try signature.verified(by: other, algorithms: [algorithm])
        }
    }

    @Test func `RS256, RS384, RS512 and PS256, PS384, PS512 signed by jwt-kit`() async throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let primitives = try key.publicKey.getKeyPrimitives()
        let jwk: JSONObject = [
            "kty": "RSA", "kid": "oracle", "n": .string(Base64URL.encode(primitives.modulus)),
            "e": .string(Base64URL.encode(primitives.publicExponent)),
        ]
        let signer = try JWTKit.Insecure.RSA.PrivateKey(backing: key)
        let cases: [(DigestAlgorithm, JSONWebAlgorithm, JSONWebAlgorithm)] = [
            (.sha256, .rs256, .ps256), (.sha384, .rs384, .ps384), (.sha512, .rs512, .ps512),
        ]
        for (digest, pkcs1, pss) in cases {
            let first = JWTKeyCollection()
            await first.add(rsa: signer, digestAlgorithm: digest, kid: "oracle")
            try await expectVerified(first, jwk, pkcs1)
            let second = JWTKeyCollection()
            await second.add(pss: signer, digestAlgorithm: digest, kid: "oracle")
            try await expectVerified(second, jwk, pss)
        }
    }

    private func jwk(_ curve: String, _ point: [UInt8]) -> JSONObject {
        [
            "kty": "EC", "kid": "oracle", "crv": .string(curve),
            "x": .string(Base64URL.encode(point[..<(point.count / 2)])),
            "y": .string(Base64URL.encode(point[(point.count / 2)...])),
        ]
    }

    @Test func `ES256 signed by jwt-kit`() async throws {
        let key = P256.Signing.PrivateKey()
        let collection = JWTKeyCollection()
        await collection.add(ecdsa: try ES256PrivateKey(backing: key), kid: "oracle")
        try await expectVerified(collection, jwk("P-256", Array(key.publicKey.rawRepresentation)), .es256)
    }

    @Test func `ES384 signed by jwt-kit`() async throws {
        let key = P384.Signing.PrivateKey()
        let collection = JWTKeyCollection()
        await collection.add(ecdsa: try ES384PrivateKey(backing: key), kid: "oracle")
        try await expectVerified(collection, jwk("P-384", Array(key.publicKey.rawRepresentation)), .es384)
    }

    @Test func `ES512 signed by jwt-kit`() async throws {
        let key = P521.Signing.PrivateKey()
        let collection = JWTKeyCollection()
        await collection.add(ecdsa: try ES512PrivateKey(backing: key), kid: "oracle")
        try await expectVerified(collection, jwk("P-521", Array(key.publicKey.rawRepresentation)), .es512)
    }

    @Test func `EdDSA signed by jwt-kit`() async throws {
        let key = Curve25519.Signing.PrivateKey()
        let collection = JWTKeyCollection()
        await collection.add(eddsa: EdDSA.PrivateKey(backing: key), kid: "oracle")
        let jwk: JSONObject = [
            "kty": "OKP", "kid": "oracle", "crv": "Ed25519",
            "x": .string(Base64URL.encode(key.publicKey.rawRepresentation)),
        ]
        try await expectVerified(collection, jwk, .eddsa)
    }

    /// jwt-kit 5 does not read a key whose `alg` is `Ed25519` (RFC 9864), which is `EdDSA` by its polymorphic name.
    @Test(arguments: TestKeys.algorithms.filter { $0 != .ed25519 })
    func `what our keys sign, jwt-kit verifies with our public JWK`(algorithm: JSONWebAlgorithm) async throws {
        let key = try TestKeys.key(algorithm)
        let collection = JWTKeyCollection()
        let set: JSONObject = ["keys": [.object(key.publicJWK)]]
        try await collection.add(jwksJSON: String(decoding: set.serialized(), as: UTF8.self))
        let token = try key.sign(claims, type: "JWT")
        let verified = try await collection.verify(token, as: Payload.self)
        #expect(verified == payload)
        // The oracle tells good from bad at all.
        let stranger = JWTKeyCollection()
        let strangers: JSONObject = [
            "keys": [.object(try TestKeys.strangerJWK(for: algorithm, keyID: key.keyID))]
        ]
        try await stranger.add(jwksJSON: String(decoding: strangers.serialized(), as: UTF8.self))
        await #expect(throws: JWTError.self) { try await stranger.verify(token, as: Payload.self) }
    }

    private static let symmetric: [(JSONWebAlgorithm, DigestAlgorithm)] = [
        (.hs256, .sha256), (.hs384, .sha384), (.hs512, .sha512),
    ]

    @Test func `HS256, HS384 and HS512 signed by jwt-kit, and by us`() async throws {
        let octets = Array("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef".utf8)
        let secret = try #require(SharedSecretKey(octets))
        let stranger = try #require(SharedSecretKey(octets.reversed()))
        for (algorithm, digest) in Self.symmetric {
            let collection = JWTKeyCollection()
            await collection.add(hmac: HMACKey(from: octets), digestAlgorithm: digest, kid: "oracle")
            let theirs = try await collection.sign(payload, kid: "oracle")
            let signature = try JSONWebSignature(compact: theirs)
            #expect(signature.algorithm == algorithm)
            #expect(try signature.verified(by: secret, algorithms: [algorithm]).claims == claims)
            #expect(throws: JSONWebSignatureError.badSignature) {
                try signature.verified(by: stranger, algorithms: [algorithm])
            }
            let ours = secret.sign(claims, algorithm: algorithm, header: ["typ": "JWT", "kid": "oracle"])
            let verified = try await collection.verify(ours, as: Payload.self)
            #expect(verified == payload)
            let forged = stranger.sign(claims, algorithm: algorithm, header: ["kid": "oracle"])
            await #expect(throws: JWTError.self) { try await collection.verify(forged, as: Payload.self) }
        }
    }

    @Test func `a key read from PEM signs what jwt-kit, reading the same text, verifies`() async throws {
        for (algorithm, pem) in PrivateKeyTexts.all {
            let key = try SigningKey(pem: pem, algorithm: algorithm)
            let collection = JWTKeyCollection()
            switch algorithm {
            case .es256: await collection.add(ecdsa: try ES256PrivateKey(pem: pem), kid: "oracle")
            case .es384: await collection.add(ecdsa: try ES384PrivateKey(pem: pem), kid: "oracle")
            case .es512: await collection.add(ecdsa: try ES512PrivateKey(pem: pem), kid: "oracle")
            case .rs256:
                await collection.add(
                    rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha256, kid: "oracle")
            case .ps512:
                await collection.add(
                    pss: try JWTKit.Insecure.RSA.PrivateKey(pem: pem), digestAlgorithm: .sha512, kid: "oracle")
            default: continue
            }
            let token = try key.sign(claims, header: ["kid": "oracle"])
            let verified = try await collection.verify(token, as: Payload.self)
            #expect(verified == payload)
        }
    }
}
