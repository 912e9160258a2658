// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A compact JWS (RFC 7515 section 7.1) assembled from parts. Each part can be invalid.
struct TokenDraft: Sendable {
    var header: JSONObject
    /// Whether `alg` occurs twice, with the same value.
    var addsAlgorithmTwice = false
    let payload: [UInt8]

    init(algorithm: String, keyID: String?, payload: [UInt8]) {
        header = ["alg": .string(algorithm)]
        header["kid"] = keyID.map { .string($0) }
        self.payload = payload
    }

    /// The bytes that are signed.
    var signingInput: [UInt8] { Array(text(header).utf8) }

    /// Returns the token with a signature.
    func token(signature: [UInt8]) -> String {
        text(header) + "." + Base64URL.encode(signature)
    }

    /// Returns the token without a signature (RFC 7519 section 6).
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

/// A signer: a published key, or a secret shared with the client.
enum TokenSigner: Sendable {
    case key(SigningKey)
    /// HMAC with SHA-256 and a secret of any length.
    case secret([UInt8], keyID: String?)

    /// The `alg`.
    var algorithm: String {
        switch self {
        case .key(let key): key.algorithm.rawValue
        case .secret: "HS256"
        }
    }

    /// The `kid`; `nil` if there is none.
    var keyID: String? {
        switch self {
        case .key(let key): key.keyID
        case .secret(_, let keyID): keyID
        }
    }

    /// Returns the signature over bytes.
    func signature(over bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .key(let key): try key.signature(over: bytes)
        case .secret(let secret, _): Hash.AuthenticationKey(secret).code(for: bytes)
        }
    }
}
