// SPDX-License-Identifier: Apache-2.0

import Crypto
import JOSE

/// The public half of a developer key, as registered at Apple.
struct RegisteredKey: Sendable {
    let teamID: String
    let keyID: String
    let keySet: KeySet

    init(_ key: MockApple.DeveloperKey) throws {
        teamID = key.teamID
        keyID = key.keyID
        let point = Array(key.publicKey.rawRepresentation)
        let jwk: JSONValue = [
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": .string(key.keyID),
            "x": .string(Base64URL.encode(point[..<32])), "y": .string(Base64URL.encode(point[32...])),
        ]
        let set: JSONObject = ["keys": [jwk]]
        keySet = try KeySet(json: set.serialized())
    }

    /// Returns the reason why Apple refuses a client secret; `nil` if it is valid.
    static func refusal(
        of secret: String,
        client: MockApple.Client,
        keys: [RegisteredKey],
        issuer: String,
        now: Int64
    ) -> String? {
        guard let signature = try? JSONWebSignature(compact: secret) else { return "not a JWT" }
        guard signature.algorithm == .es256 else { return "alg is not ES256" }
        guard let keyID = signature.keyID else { return "kid is missing" }
        guard let key = keys.first(where: { keyID.hasSameBytes(as: $0.keyID) }) else { return "kid is unknown" }
        guard key.teamID.hasSameBytes(as: client.teamID) else { return "the key is another team's" }
        // The signature must be r and s of 32 bytes each, not the DER that many libraries create (RFC 7518 section
        // 3.4).
        let segment = secret.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last
        guard segment.flatMap({ Base64URL.decode($0) })?.count == 64 else { return "the signature is not 64 bytes" }
        guard let claims = try? signature.verified(by: key.keySet, algorithms: [.es256]).claims else {
            return "the signature is wrong"
        }
        guard claims["iss"]?.text?.hasSameBytes(as: client.teamID) == true else { return "iss is not the team" }
        guard claims["sub"]?.text?.hasSameBytes(as: client.id) == true else { return "sub is not the client" }
        guard claims["aud"]?.text?.hasSameBytes(as: issuer) == true else { return "aud is not the issuer" }
        guard let issuedAt = claims["iat"]?.integerValue, let expiry = claims["exp"]?.integerValue else {
            return "iat or exp is missing"
        }
        guard issuedAt <= now + 60 else { return "iat is in the future" }
        guard expiry > now else { return "it has expired" }
        return expiry - issuedAt <= 15_777_000 ? nil : "it lives longer than six months"
    }
}
