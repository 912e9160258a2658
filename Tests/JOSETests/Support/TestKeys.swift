// SPDX-License-Identifier: Apache-2.0

import JOSE

/// One key per algorithm, made once per test process.
enum TestKeys {
    /// The algorithms that a private key signs with, in a fixed order.
    static let algorithms = JSONWebAlgorithm.allCases.filter { !$0.isSymmetric }

    private static let keys: [JSONWebAlgorithm: Result<SigningKey, any Error>] = Dictionary(
        uniqueKeysWithValues: algorithms.map { algorithm in
            (algorithm, Result { try SigningKey.generate(algorithm) })
        })

    struct Missing: Error {}

    static func key(_ algorithm: JSONWebAlgorithm) throws -> SigningKey {
        guard let key = keys[algorithm] else { throw Missing() }
        return try key.get()
    }

    /// The public JWK of a key that has nothing to do with ``key(_:)`` of the same algorithm, under a name of choice.
    ///
    /// RSA keys take long to generate, so each of the six is also used as the wrong key for another.
    static func strangerJWK(for algorithm: JSONWebAlgorithm, keyID: String) throws -> JSONObject {
        let stranger: SigningKey =
            switch algorithm {
            case .rs256: try key(.rs384)
            case .rs384: try key(.rs512)
            case .rs512: try key(.ps256)
            case .ps256: try key(.ps384)
            case .ps384: try key(.ps512)
            case .ps512: try key(.rs256)
            case .es256, .es384, .es512, .eddsa, .ed25519: try SigningKey.generate(algorithm)
            case .hs256, .hs384, .hs512: throw Missing()
            }
        return stranger.jwk(("kid", .string(keyID)), ("alg", .string(algorithm.rawValue)))
    }
}

extension SigningKey {
    /// The public JWK with members replaced, added or (by `nil`) removed.
    func jwk(_ changes: (String, JSONValue?)...) -> JSONObject {
        var jwk = publicJWK
        for (name, value) in changes {
            jwk[name] = value
        }
        return jwk
    }

    /// The bytes of a member of the public JWK.
    func octets(_ name: String) throws -> [UInt8] {
        guard let bytes = publicJWK[name]?.text.flatMap({ Base64URL.decode($0) }) else {
            throw TestKeys.Missing()
        }
        return bytes
    }

    /// A token whose header is exactly this text, duplicates and all, signed by this key.
    func token(header: String, payload: String = #"{"sub":"a"}"#) throws -> String {
        try token(headerBytes: Array(header.utf8), payloadBytes: Array(payload.utf8))
    }

    func token(headerBytes: [UInt8], payloadBytes: [UInt8]) throws -> String {
        let input = Base64URL.encode(headerBytes) + "." + Base64URL.encode(payloadBytes)
        return input + "." + Base64URL.encode(try signature(over: Array(input.utf8)))
    }
}

extension KeySet {
    init(_ jwks: JSONObject...) throws(KeySetError) {
        try self.init(entries: jwks.map { .object($0) })
    }

    init(entries: [JSONValue]) throws(KeySetError) {
        try self.init(json: (["keys": .array(entries)] as JSONObject).serialized())
    }
}

/// Takes a token apart and verifies it, every algorithm allowed unless said otherwise.
func verify(
    _ token: String, with keys: KeySet, algorithms: Set<JSONWebAlgorithm> = Set(JSONWebAlgorithm.allCases)
) throws(JSONWebSignatureError) -> VerifiedPayload {
    try JSONWebSignature(compact: token).verified(by: keys, algorithms: algorithms)
}

/// The bytes that a hexadecimal text stands for; a foreign character counts as zero.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
