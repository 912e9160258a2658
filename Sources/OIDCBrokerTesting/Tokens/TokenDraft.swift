// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A compact JWS (RFC 7515 section 7.1) put together piece by piece, so that each piece can lie.
struct TokenDraft: Sendable {
    var header: JSONObject
    /// Whether `alg` stands there twice, both times the same.
    var addsAlgorithmTwice = false
    let payload: [UInt8]

    init(algorithm: String, keyID: String?, payload: [UInt8]) {
        header = ["alg": .string(algorithm)]
        header["kid"] = keyID.map { .string($0) }
        self.payload = payload
    }

    /// What a signature is over.
    var signingInput: [UInt8] { Array(text(header).utf8) }

    /// The whole with a signature.
    func token(signature: [UInt8]) -> String {
        text(header) + "." + Base64URL.encode(signature)
    }

    /// The whole without one (RFC 7519 section 6).
    func unsigned(algorithm: String) -> String {
        text(["alg": .string(algorithm), "typ": "JWT"]) + "."
    }

    private func text(_ header: JSONObject) -> String {
        var bytes = header.serialized()
        if addsAlgorithmTwice, let algorithm = header["alg"] {
            bytes = bytes.appendingMember("alg", algorithm)
        }
        return Base64URL.encode(bytes) + "." + Base64URL.encode(payload)
    }
}

/// Who signs: a key that is published, or a secret that both sides know.
enum TokenSigner: Sendable {
    case key(SigningKey)
    /// HMAC with SHA-256, whatever the secret's length.
    case secret([UInt8], keyID: String?)

    /// `alg`.
    var algorithm: String {
        switch self {
        case .key(let key): key.algorithm.rawValue
        case .secret: "HS256"
        }
    }

    /// `kid`, where there is one.
    var keyID: String? {
        switch self {
        case .key(let key): key.keyID
        case .secret(_, let keyID): keyID
        }
    }

    /// The signature over bytes.
    func signature(over bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .key(let key): try key.signature(over: bytes)
        case .secret(let secret, _): Hash.AuthenticationKey(secret).code(for: bytes)
        }
    }
}
