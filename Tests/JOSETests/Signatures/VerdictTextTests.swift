// SPDX-License-Identifier: Apache-2.0

import JOSE
import Testing

/// An error says what was expected and found, in constant words without text of the token.
@Suite struct VerdictTextTests {
    private func text(_ token: String, _ algorithms: Set<JSONWebAlgorithm>, _ keys: KeySet) throws -> String {
        let error = try #require(throws: JSONWebSignatureError.self) {
            try verify(token, with: keys, algorithms: algorithms)
        }
        return "\(error)"
    }

    @Test func `the algorithm`() throws {
        let key = try TestKeys.key(.es256)
        let keys = try KeySet(key.publicJWK)
        #expect(
            try text(key.sign([:]), [.rs256, .eddsa, .hs256], keys)
                == "signature algorithm not allowed: expected EdDSA, RS256, found ES256")
        #expect(
            try text(key.sign([:]), [], keys) == "signature algorithm not allowed: expected none, found ES256")
        #expect(
            try text(key.sign([:], header: ["alg": "nOnE"]), [.es256], keys)
                == "signature algorithm not allowed: expected a signature, found none")
        #expect(
            try text(key.sign([:], header: ["alg": "s3cr3t"]), [.es256], keys)
                == "signature algorithm not allowed: expected a signature, found an unknown one")
        #expect(
            try text(key.sign([:], header: ["alg": "ML-DSA-44"]), [.es256], keys)
                == "signature algorithm not allowed: expected a signature, found ML-DSA-44, which is not supported")
    }

    @Test func `the key and the signature`() throws {
        let key = try TestKeys.key(.es256)
        let token = try key.sign([:], header: ["kid": "s3cr3t"])
        #expect(
            try text(token, [.es256], KeySet(key.publicJWK))
                == "no key for this token: expected a key for ES256 with the token's kid, found none among 1")
        let unnamed = try key.token(header: #"{"alg":"ES256"}"#)
        #expect(
            try text(unnamed, [.es256], KeySet(TestKeys.key(.rs256).publicJWK))
                == "no key for this token: expected a key for ES256, found none among 1")
        #expect(
            try text(unnamed, [.es256], KeySet(SigningKey.generate(.es256).publicJWK))
                == "wrong signature: expected ES256 by a trusted key, found another")
    }

    @Test func `the shared secret`() throws {
        let secret = try #require(SharedSecretKey([UInt8](repeating: 1, count: 32)))
        let other = try #require(SharedSecretKey([UInt8](repeating: 2, count: 64)))
        let wrong = try #require(throws: JSONWebSignatureError.self) {
            try JSONWebSignature(compact: other.sign([:], algorithm: .hs256)).verified(by: secret, algorithms: [.hs256])
        }
        #expect("\(wrong)" == "wrong signature: expected HS256 by the shared secret, found another")
        let tooLong = try #require(throws: JSONWebSignatureError.self) {
            try JSONWebSignature(compact: other.sign([:], algorithm: .hs512))
                .verified(by: secret, algorithms: [.hs256, .hs512])
        }
        #expect("\(tooLong)" == "signature algorithm not allowed: expected HS256, found HS512")
    }

    @Test func `errors are equal by their reason, hash included`() throws {
        let key = try TestKeys.key(.es256)
        let found = try #require(throws: JSONWebSignatureError.self) {
            try verify(key.sign([:]), with: KeySet(key.publicJWK), algorithms: [.rs256])
        }
        #expect(found == .algorithmNotAllowed)
        #expect(Set([found, .algorithmNotAllowed]).count == 1)
        #expect(found != .unknownKey)
        #expect(JSONWebSignatureError.malformed("a") != .malformed("b"))
        #expect(JSONWebSignatureError.payload(.syntax) != .payload(.tooDeep))
    }
}
