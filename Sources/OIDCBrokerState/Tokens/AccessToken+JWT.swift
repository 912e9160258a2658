// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OIDCBrokerConfiguration
import OpenIDConnect
package import Signing

/// An access token for an API, which verifies it with the published keys: a JWT (RFC 9068).
extension AccessToken {
    /// The `typ`, which no other token of the broker has (RFC 9068 section 2.1).
    package static let type = "at+jwt"

    /// Returns the payload of a token.
    /// - Parameters:
    ///   - resource: The API.
    ///   - id: The identifier of the token, 16 bytes.
    ///   - expiry: The time from which the token is not valid, in seconds since 1970.
    ///   - sessionID: The session with which the token ends at the broker, 16 bytes; `nil` for none.
    /// - Returns: `nil` if the claims that the resource lists are too long.
    package static func payload(
        of record: HandOffRecord, for resource: BrokerConfiguration.Resource, id: [UInt8], expiry: Int64,
        sessionID: [UInt8]?, now: Int64
    ) -> JSONObject? {
        guard let claims = record.claims.object, let listed = HandedClaims.listed(resource.claims, in: claims) else {
            return nil
        }
        var payload: JSONObject = [
            "iss": .string(record.issuer), "aud": .string(resource.identifier),
            "client_id": .string(record.clientID), "jti": .string(Base64URL.encode(id)),
            "iat": .number(JSONNumber(IssuedAt.claim(now: now))), "exp": .number(JSONNumber(expiry)),
            "scope": .string(record.scopes.text),
        ]
        // An account is named so that the end of its sessions is the end of the token at UserInfo.
        for name in ["sub", "auth_time", "account"] { payload[name] = claims[name] }
        for member in listed.members { payload[member.name] = member.value }
        payload[sessionClaim] = sessionID.map { .string(Base64URL.encode($0)) }
        return payload
    }

    /// Returns a token.
    /// - Throws: ``TokenIssuer/TokenTooLong``, or an error of signing.
    package static func sign(_ payload: JSONObject, by key: SigningKey) throws -> String {
        let token = try key.sign(payload, type: type)
        guard token.utf8.count <= TokenIssuer.maximumTokenLength else { throw TokenIssuer.TokenTooLong() }
        return token
    }

    /// Reads a token, expired or not; `nil` if it was not signed here as an access token for an API.
    package init?(_ text: WireText, signedBy keys: SigningKeys, issuer: String) {
        guard let compact = text.visibleASCII(atMost: TokenIssuer.maximumTokenLength),
            let signature = try? JSONWebSignature(compact: compact),
            signature.type?.hasSameBytes(asASCII: Self.type) == true,
            let claims = try? signature.verified(by: keys.keySet, algorithms: Set(keys.algorithms)).claims,
            claims["iss"]?.text?.hasSameBytes(as: issuer) == true,
            let id = claims["jti"]?.text.flatMap({ Base64URL.decode($0) }), id.count == 16,
            let clientID = claims["client_id"]?.text?.printableASCII(atMost: 256),
            let resource = claims["aud"]?.text?.visibleASCII(
                atMost: BrokerConfiguration.Resource.longestIdentifier),
            let issuedAt = claims["iat"]?.secondsValue, let expiry = claims["exp"]?.secondsValue
        else { return nil }
        self.init(
            id: id, clientID: clientID, issuedAt: issuedAt + IssuedAt.allowance, expiry: expiry,
            claims: JSONObjectText(claims))
        self.resource = resource
    }
}

extension HandedClaims {
    /// The maximum length of the claims that a resource lists, in bytes of JSON.
    package static let maximumListedLength = 2048

    /// Returns those claims of an ID token that a resource lists. None is left out for its length: an API that decides by
    /// one would decide without it.
    /// - Returns: `nil` if they are too long.
    static func listed(_ names: [String], in claims: JSONObject) -> JSONObject? {
        var listed: JSONObject = [:]
        for name in names { listed[name] = claims[name] }
        return listed.serialized().count <= maximumListedLength ? listed : nil
    }
}
