// SPDX-License-Identifier: Apache-2.0

import JOSE

/// An ID token that only the client can read: a signed token nested in a JWE (RFC 7516, OpenID Connect Core 1.0 section
/// 16.14: first signed, then encrypted).
struct EncryptedIDToken: Sendable {
    let encryption: OpenIDProvider.Client.Encryption
    let misbehavior: Misbehavior

    /// Encrypts a token.
    ///
    /// - Parameters:
    ///   - signed: The signed token.
    ///   - payload: The claims of the token, for a misbehavior that does not nest it.
    func token(signed: String, payload: [UInt8]) throws -> String {
        let recipient = try JSONParser.object(Array(encryption.key.utf8), limits: JSONLimits(maximumBytes: 16384))
        var header: JSONObject = [:]
        var plaintext = Array(signed.utf8)
        switch misbehavior {
        case .encryptedUnsigned:
            plaintext = Array(
                TokenDraft(algorithm: "none", keyID: nil, payload: payload).unsigned(algorithm: "none").utf8)
        case .encryptedClaims: plaintext = payload
        case .encryptedCompressed: header["zip"] = "DEF"
        case .encryptedRSA15: header["alg"] = "RSA1_5"
        case .encryptedPBES2:
            header["alg"] = "PBES2-HS256+A128KW"
            header["p2s"] = .string(Base64URL.encode(SecureRandom.bytes(16)))
            header["p2c"] = .number(JSONNumber(2_147_483_647))
        default: break
        }
        let token = try JSONWebEncryption.encrypt(
            plaintext, to: recipient, keyManagement: encryption.keyManagement,
            contentEncryption: encryption.contentEncryption, header: header)
        return misbehavior == .encryptedWrongTag ? Self.withWrongTag(token) : token
    }

    private static func withWrongTag(_ token: String) -> String {
        let segments = token.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = segments.last, let tag = Base64URL.decode(last.utf8) else { return token }
        return (segments.dropLast() + [Substring(Base64URL.encode(tag.map { $0 ^ 0x5A }))]).joined(separator: ".")
    }
}
