// SPDX-License-Identifier: Apache-2.0

import JOSE
import Signing

extension AccountTokens {
    /// Verifies a token: its form, its signature, its issuer, its audience, its times and that every claim which
    /// ``VerifiedAccountToken`` has is there (RFC 7519 section 7.2, OpenID Connect Core 1.0 section 3.1.3.7).
    ///
    /// It reads nothing but its parameters. It does not say whether the session still exists: a token outlives its
    /// session by at most ``lifetime``. A server that must know asks the store.
    /// - Parameters:
    ///   - token: The token as it was received.
    ///   - now: The current time, in seconds since 1970. A token is valid until the second before its `exp`.
    /// - Throws: ``AccountTokenError``.
    public func verify(_ token: String, now: Int64) throws(AccountTokenError) -> VerifiedAccountToken {
        try verify(token, now: now, afterExpiry: 0)
    }

    /// Verifies a token that may have expired a while ago.
    /// - Parameters:
    ///   - token: The token as it was received.
    ///   - now: The current time, in seconds since 1970.
    ///   - afterExpiry: How long after its `exp` the token is taken, in seconds.
    /// - Throws: ``AccountTokenError``.
    package func verify(
        _ token: String, now: Int64, afterExpiry: Int64
    ) throws(AccountTokenError) -> VerifiedAccountToken {
        let claims = try signedClaims(of: token)
        guard claims["iss"]?.text?.hasSameBytes(as: issuer) == true else { throw AccountTokenError(.issuer) }
        // A text and not an array: a token for a second audience is not such a token.
        guard claims["aud"]?.text?.hasSameBytes(as: projectID) == true else { throw AccountTokenError(.audience) }
        let verified = try VerifiedAccountToken(claims)
        guard now < verified.expiry + afterExpiry else { throw AccountTokenError(.expired) }
        guard verified.issuedAt - Self.clockSkew <= now else { throw AccountTokenError(.notYetValid) }
        return verified
    }

    /// Returns the claims of a token that one of the keys signed.
    private func signedClaims(of token: String) throws(AccountTokenError) -> JSONObject {
        guard token.utf8.count <= Self.maximumLength else { throw AccountTokenError(.tooLong) }
        do throws(JSONWebSignatureError) {
            // Refuses `crit` and `b64`, and every algorithm that is not known, as `none`.
            let signature = try JSONWebSignature(compact: token)
            // Another type of token must not pass for one of these (RFC 8725 section 3.11).
            if let type = signature.type {
                guard type.hasSameBytes(asASCII: "JWT") else { throw JSONWebSignatureError.malformed("typ is not JWT") }
            }
            // A key set lets a token without `kid` try every key, and calls the wrong algorithm an unknown key.
            guard let keyID = signature.keyID,
                let key = keys.all.first(where: { keyID.hasSameBytes(asASCII: $0.keyID) })
            else { throw JSONWebSignatureError.unknownKey }
            guard signature.algorithm == key.algorithm else { throw JSONWebSignatureError.algorithmNotAllowed }
            return try signature.verified(by: keys.keySet, algorithms: [key.algorithm]).claims
        } catch {
            throw AccountTokenError(signature: error)
        }
    }
}
