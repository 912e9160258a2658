// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import JOSE
import Testing
import TestingSupport

/// RFC 8725 sections 2.1 and 3.1: the header's `alg` is a claim, the key decides.
@Suite struct AlgorithmTests {
    @Test func `the algorithms are these, three of them symmetric`() {
        let asymmetric = [
            "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
        ]
        #expect(JSONWebAlgorithm.allCases.map(\.rawValue) == asymmetric + ["HS256", "HS384", "HS512"])
        #expect(JSONWebAlgorithm.allCases.filter(\.isSymmetric) == [.hs256, .hs384, .hs512])
        #expect(JSONWebAlgorithm.asymmetric == Set(asymmetric.compactMap(JSONWebAlgorithm.init(rawValue:))))
    }

    @Test(arguments: TestKeys.algorithms)
    func `a token of every algorithm verifies, changed in any part it does not`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let token = try key.sign(["sub": "a", "n": 1], type: "JWT")
        let keys = try KeySet(key.publicJWK)
        let signature = try JSONWebSignature(compact: token)
        #expect(signature.algorithm == algorithm)
        #expect(signature.keyID?.makeString() == key.keyID)
        #expect(signature.type == "JWT")
        let payload = try signature.verified(by: keys, algorithms: [algorithm])
        #expect(payload.claims == ["sub": "a", "n": 1])
        #expect(payload.algorithm == algorithm)

        let parts = token.split(separator: ".").map(String.init)
        let otherPayload = Base64URL.encode(Array(#"{"sub":"b","n":1}"#.utf8))
        #expect(throws: JSONWebSignatureError.badSignature) {
            try verify("\(parts[0]).\(otherPayload).\(parts[2])", with: keys)
        }
        let header = #"{"alg":"\#(algorithm.rawValue)","kid":"\#(key.keyID)"}"#
        #expect(throws: JSONWebSignatureError.badSignature) {
            try verify("\(Base64URL.encode(Array(header.utf8))).\(parts[1]).\(parts[2])", with: keys)
        }
        var bytes = try #require(Base64URL.decode(parts[2]))
        bytes[bytes.count / 2] ^= 1
        let changed = Base64URL.encode(bytes)
        #expect(throws: JSONWebSignatureError.badSignature) {
            try verify("\(parts[0]).\(parts[1]).\(changed)", with: keys)
        }
    }

    @Test(arguments: TestKeys.algorithms)
    func `another key of the same kind and kid does not verify`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let token = try key.sign(["sub": "a"])
        let stranger = try KeySet(TestKeys.strangerJWK(for: algorithm, keyID: key.keyID))
        #expect(stranger.keys.count == 1)
        #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, with: stranger) }
    }

    @Test(
        .attack(.unsignedToken),
        arguments: [
            "none", "None", "NONE", "nOnE", "", "rs256", "RS256 ", "hs256", "HS1", "RS1", "ES256K", "Ed448",
        ])
    func `alg none in any spelling, and any unknown alg, even over a good signature`(name: String) throws {
        let key = try TestKeys.key(.rs256)
        let keys = try KeySet(key.publicJWK)
        let header = #"{"alg":"\#(name)","kid":"\#(key.keyID)"}"#
        let signed = try key.token(header: header)
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(signed, with: keys) }
        let unsigned = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array("{}".utf8)) + "."
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(unsigned, with: keys) }
    }

    @Test(
        .attack(.unsignedToken),
        arguments: ["{}", #"{"alg":null}"#, #"{"alg":256}"#, #"{"alg":["RS256"]}"#, #"{"alg":{"a":"RS256"}}"#])
    func `alg missing or no string`(header: String) throws {
        let key = try TestKeys.key(.rs256)
        let token = try key.token(header: header)
        #expect(throws: JSONWebSignatureError.malformed("alg is not a string")) {
            try verify(token, with: KeySet(key.publicJWK))
        }
    }

    @Test(.attack(.unsignedToken), arguments: TestKeys.algorithms)
    func `an empty signature`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let token = try key.sign(["sub": "a"])
        let unsigned = token.prefix(through: try #require(token.lastIndex(of: ".")))
        #expect(throws: JSONWebSignatureError.malformed("signature is not base64url")) {
            try verify(String(unsigned), with: KeySet(key.publicJWK))
        }
    }

    @Test(.attack(.algorithmConfusion), arguments: ["HS256", "HS384", "HS512"])
    func `an HMAC name over a good RSA signature, or over none`(name: String) throws {
        let key = try TestKeys.key(.rs256)
        let keys = try KeySet(key.publicJWK)
        let signed = try key.token(header: #"{"alg":"\#(name)","kid":"\#(key.keyID)"}"#)
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(signed, with: keys) }
        let unsigned = try signed.prefix(through: #require(signed.lastIndex(of: ".")))
        #expect(throws: JSONWebSignatureError.malformed("signature is not base64url")) {
            try verify(String(unsigned), with: keys)
        }
    }

    @Test(.attack(.algorithmConfusion)) func `HS256 keyed with the RSA public key as PEM, DER or modulus`() throws {
        let key = try TestKeys.key(.rs256)
        let modulus = try key.octets("n")
        let exponent = try key.octets("e")
        let publicKey = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        let secrets: [[UInt8]] = [
            Array(publicKey.pemRepresentation.utf8), Array((publicKey.pemRepresentation + "\n").utf8),
            Array(publicKey.derRepresentation), Array(publicKey.pkcs1DERRepresentation), modulus,
            key.publicJWK.serialized(),
        ]
        let header = Base64URL.encode(Array(#"{"alg":"HS256","kid":"\#(key.keyID)"}"#.utf8))
        for secret in secrets {
            let input = header + "." + Base64URL.encode(Array(#"{"sub":"a"}"#.utf8))
            let code = Hash.AuthenticationKey(secret).code(for: Array(input.utf8))
            #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
                try verify(input + "." + Base64URL.encode(code), with: KeySet(key.publicJWK))
            }
        }
    }

    @Test(.attack(.algorithmConfusion)) func `a symmetric key published in the key set verifies nothing`() throws {
        let secret = Array("0123456789abcdef0123456789abcdef".utf8)
        let keys = try KeySet(["kty": "oct", "k": .string(Base64URL.encode(secret)), "kid": "o", "alg": "HS256"])
        let input =
            Base64URL.encode(Array(#"{"alg":"HS256","kid":"o"}"#.utf8)) + "." + Base64URL.encode(Array("{}".utf8))
        let token = input + "." + Base64URL.encode(Hash.AuthenticationKey(secret).code(for: Array(input.utf8)))
        #expect(keys.keys.isEmpty)
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) { try verify(token, with: keys) }
    }

    @Test(.attack(.unregisteredSecretSignature)) func `HS256 keyed with the client secret`() throws {
        let key = try TestKeys.key(.rs256)
        let input = Base64URL.encode(Array(#"{"alg":"HS256"}"#.utf8)) + "." + Base64URL.encode(Array("{}".utf8))
        let code = Hash.AuthenticationKey(Array("a client secret of more than 32 bytes".utf8))
            .code(for: Array(input.utf8))
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
            try verify(input + "." + Base64URL.encode(code), with: KeySet(key.publicJWK), algorithms: [.rs256])
        }
    }

    @Test(.attack(.unexpectedAlgorithm), arguments: TestKeys.algorithms)
    func `an algorithm that was not asked for`(algorithm: JSONWebAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let token = try key.sign(["sub": "a"])
        let others = Set(JSONWebAlgorithm.allCases).subtracting([algorithm])
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
            try verify(token, with: KeySet(key.publicJWK), algorithms: others)
        }
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
            try verify(token, with: KeySet(key.publicJWK), algorithms: [])
        }
    }

    @Test(.attack(.unexpectedAlgorithm)) func `a key whose JWK names one algorithm serves no other`() throws {
        let key = try TestKeys.key(.ps256)
        let token = try key.sign(["sub": "a"])
        let misnamed = try KeySet(key.jwk(("alg", "RS256")))
        #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: misnamed) }
        let unnamed = try KeySet(key.jwk(("alg", nil)))
        #expect(try verify(token, with: unnamed).claims["sub"] == "a")
    }

    @Test(.attack(.wrongKeyForAlgorithm), arguments: TestKeys.algorithms)
    func `a key supports the algorithms of its type and curve only`(algorithm: JSONWebAlgorithm) throws {
        let jwk = try TestKeys.key(algorithm).jwk(("alg", nil))
        let key = try VerificationKey(jwk: jwk)
        // The symmetric ones are asked for too: no public key supports them.
        let supported = JSONWebAlgorithm.allCases.filter { key.supports($0) }
        switch jwk["kty"] {
        case "RSA": #expect(supported == [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512])
        case "OKP": #expect(supported == [.eddsa, .ed25519])
        default: #expect(supported == [algorithm])
        }
    }

    @Test(arguments: [JSONWebAlgorithm.eddsa, .ed25519], ["EdDSA", "Ed25519", nil])
    func `RFC 9864 a key under either name verifies a token under either`(
        algorithm: JSONWebAlgorithm, published: String?
    ) throws {
        let key = try TestKeys.key(algorithm)
        let keys = try KeySet(key.jwk(("alg", published.map { .string($0) })))
        let token = try key.sign(["sub": "a"])
        #expect(try verify(token, with: keys, algorithms: [algorithm]).algorithm == algorithm)
        // What the token's header says must be allowed by its own name.
        let other: JSONWebAlgorithm = algorithm == .eddsa ? .ed25519 : .eddsa
        #expect(throws: JSONWebSignatureError.algorithmNotAllowed) {
            try verify(token, with: keys, algorithms: [other])
        }
    }

    @Test(.attack(.wrongKeyForAlgorithm)) func `header and key that do not go together`() throws {
        for (signer, claimed) in [
            (JSONWebAlgorithm.es384, "ES256"), (.es256, "EdDSA"), (.es256, "Ed25519"), (.ed25519, "ES256"),
            (.es256, "RS256"),
            (.rs256, "ES256"),
            (.es512, "ES384"),
        ] {
            let key = try TestKeys.key(signer)
            let token = try key.token(header: #"{"alg":"\#(claimed)","kid":"\#(key.keyID)"}"#)
            let keys = try KeySet(key.jwk(("alg", nil)))
            #expect(throws: JSONWebSignatureError.unknownKey) { try verify(token, with: keys) }
        }
    }

    @Test func `RSA signatures of one padding or hash are invalid for another`() throws {
        for (signer, claimed) in [(JSONWebAlgorithm.rs256, "PS256"), (.ps256, "RS256"), (.rs256, "RS384")] {
            let key = try TestKeys.key(signer)
            let token = try key.token(header: #"{"alg":"\#(claimed)"}"#)
            let keys = try KeySet(key.jwk(("alg", nil)))
            #expect(throws: JSONWebSignatureError.badSignature) { try verify(token, with: keys) }
        }
    }

    @Test func `RSA signatures of another length than the modulus`() throws {
        let key = try TestKeys.key(.rs256)
        let verifier = try VerificationKey(jwk: key.publicJWK)
        let input = Array("input".utf8)
        let good = try key.signature(over: input)
        #expect(verifier.isValid(signature: good, for: input, algorithm: .rs256))
        for bad in [[0] + good, good + [0], Array(good.dropLast()), Array(good.dropFirst()), [], [1]] as [[UInt8]] {
            #expect(!verifier.isValid(signature: bad, for: input, algorithm: .rs256))
        }
        #expect(!verifier.isValid(signature: good, for: input, algorithm: .ps256))
        #expect(!verifier.isValid(signature: good, for: input, algorithm: .es256))
    }

    /// RFC 7515 appendix A.3 and RFC 8037 appendix A.4: signatures from other code.
    @Test func `published examples verify`() throws {
        let curve = try KeySet([
            "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ])
        let token =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ij"
            + "p0cnVlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
        let claims = try verify(token, with: curve).claims
        #expect(claims == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])

        let edwards = try VerificationKey(jwk: [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ])
        let signature = try #require(
            Base64URL.decode(
                "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
        let input = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        #expect(edwards.isValid(signature: signature, for: input, algorithm: .eddsa))
        #expect(edwards.isValid(signature: signature, for: input, algorithm: .ed25519))
        #expect(!edwards.isValid(signature: Array(signature.dropLast()), for: input, algorithm: .eddsa))
        #expect(!edwards.isValid(signature: signature + [0], for: input, algorithm: .eddsa))
    }
}
