// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A creator of signed authorization responses (JARM section 2.1).
struct ResponseMint: Sendable {
    /// The lifetime of a response, in seconds.
    private static let lifetime: Int64 = 300

    let issuer: String
    let clientID: String
    let keys: ProviderKeys
    /// The current time, in seconds since 1970.
    let now: Int64
    let misbehavior: Misbehavior

    /// Returns the JWT with the parameters of a response.
    func token(_ parameters: [(String, String)]) throws -> String {
        var claims = JSONObject()
        for (name, value) in parameters { claims[name] = .string(value) }
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(clientID)
        claims["exp"] = .number(JSONNumber(now + Self.lifetime))
        bend(&claims)
        let key = keys.current
        let draft = TokenDraft(algorithm: key.algorithm.rawValue, keyID: key.keyID, payload: claims.serialized())
        guard misbehavior != .responseAlgorithmNone else { return draft.unsigned(algorithm: "none") }
        let signature = try key.signature(over: draft.signingInput)
        return draft.token(
            signature: misbehavior == .responseWrongSignature ? signature.map { $0 ^ 0x5A } : signature)
    }

    private func bend(_ claims: inout JSONObject) {
        switch misbehavior {
        case .responseWrongIssuer: claims["iss"] = .string(issuer + "1")
        case .responseMissingIssuer: claims["iss"] = nil
        case .responseWrongAudience: claims["aud"] = .string(clientID + "1")
        case .responseMissingAudience: claims["aud"] = nil
        case .responseExpired: claims["exp"] = .number(JSONNumber(now - 360))
        case .responseMissingExpiry: claims["exp"] = nil
        default: break
        }
    }
}
