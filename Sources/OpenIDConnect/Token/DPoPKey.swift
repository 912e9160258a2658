// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// The key pair of one login, to which the provider binds access tokens, and its proofs (RFC 9449 section 4). It is P-256,
/// whose algorithm, ES256, every provider with DPoP supports.
package struct DPoPKey: Sendable, Unprinted {
    private let key: SigningKey
    private let header: JSONObject

    /// Creates the key from the first candidate that is a private scalar of P-256. All but one of 2^32 are.
    /// - Parameter candidate: Returns 32 bytes for a counter from 0, which are as secret as the key.
    /// - Throws: ``SigningKeyError/notP256`` if no candidate is a scalar.
    package init(_ candidate: (_ counter: UInt8) -> [UInt8]) throws(SigningKeyError) {
        var counter: UInt8 = 0
        while true {
            do throws(SigningKeyError) {
                key = try SigningKey(p256Scalar: candidate(counter))
                break
            } catch {
                guard counter < .max else { throw error }
                counter += 1
            }
        }
        var jwk = JSONObject()
        for name in ["kty", "crv", "x", "y"] { jwk[name] = key.publicJWK[name] }
        header = ["typ": "dpop+jwt", "alg": "ES256", "jwk": .object(jwk)]
    }

    /// Creates the key of a login whose session keeps a seed.
    /// - Parameter seed: At least 32 random bytes.
    package init(seed: [UInt8]) throws(SigningKeyError) {
        let derivation = Hash.AuthenticationKey(seed)
        try self.init { derivation.code(for: [$0]) }
    }

    /// The thumbprint of the public key, which `dpop_jkt` is (RFC 9449 section 10).
    package var thumbprint: String { key.keyID }

    /// Returns the proof for one request (RFC 9449 section 4.2).
    /// - Parameters:
    ///   - method: The method of the request.
    ///   - url: The URL of the request, whose query is no part of a proof.
    ///   - accessToken: The access token that the request carries; `nil` if it carries none.
    ///   - nonce: The nonce that the server provided; `nil` if it provided none.
    ///   - now: The current time by the clock of the server, in seconds since 1970.
    /// - Throws: An error of the library.
    package func proof(
        method: String, url: AbsoluteURL, accessToken: String?, nonce: String?, now: Int64
    ) throws -> String {
        var claims: JSONObject = [
            "jti": .string(Base64URL.encode(SecureRandom.bytes(16))),
            "htm": .string(method),
            "htu": .string(url.origin + url.path),
            "iat": .number(JSONNumber(IssuedAt.claim(now: now))),
        ]
        if let accessToken { claims["ath"] = .string(Base64URL.encode(Hash.sha256(accessToken.utf8))) }
        if let nonce { claims["nonce"] = .string(nonce) }
        return try key.sign(header: header, payload: claims.serialized())
    }
}
