// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDRelyingParty

/// A mint of ID tokens as an app gets them from a provider's own library, with the provider's key.
///
/// They are signed before the load. Each has its own nonce, and the token has its hash.
struct NativeTokenMint: Sendable {
    /// A token with the nonce that the app kept.
    struct Token: Sendable {
        let subject: String
        let idToken: String
        let rawNonce: String
    }

    private let signer: TokenSigner
    private let issuer: String

    /// Creates the mint of an issuer.
    init(signer: TokenSigner, issuer: String) {
        self.signer = signer
        self.issuer = issuer
    }

    /// Returns a new token of a user.
    ///
    /// - Parameters:
    ///   - person: The number of the user, who has a subject and an address of their own.
    ///   - spoiling: The error in the token; `nil` for none.
    func token(of person: Int, spoiling: Spoiling? = nil) throws -> Token {
        let digits = String(person)
        // 21 digits, like the subjects of Google.
        let subject = "1" + String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
        let rawNonce = Base64URL.encode(SecureRandom.bytes(32))
        let nonce = Self.hexadecimal(Hash.sha256(rawNonce.utf8))
        let issuedAt = SystemUnixClock().now() - (spoiling == .expiry ? 90_000 : 0)
        let audience = spoiling == .audience ? "somebody-else" : AccountsSetup.nativeAudience
        let claims: JSONObject = [
            "iss": .string(spoiling == .issuer ? issuer + "-other" : issuer),
            "azp": .string(audience),
            "aud": .string(audience),
            "sub": .string(subject),
            "email": .string("person-\(person)@example.com"),
            "email_verified": .bool(true),
            "name": "Jane Doe",
            "given_name": "Jane",
            "family_name": "Doe",
            "picture": "https://images.example.com/a/picture-of-a-usual-length-AAcHTtdb0123456789=s96-c",
            "nonce": .string(spoiling == .nonce ? "other" + nonce : nonce),
            "iat": .number(JSONNumber(issuedAt)),
            "exp": .number(JSONNumber(issuedAt + 3600)),
        ]
        var signed = signer.encodedHeader
        signed.append(contentsOf: Base64URL.encode(claims.serialized()).utf8)
        var signature = try signer.signature(over: signed)
        if spoiling == .signature, let last = signature.popLast() { signature.append(last ^ 1) }
        return Token(
            subject: subject, idToken: String(decoding: signed, as: UTF8.self) + "." + Base64URL.encode(signature),
            rawNonce: rawNonce)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
