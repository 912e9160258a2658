// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A creator of the token endpoint's response.
struct TokenMint: Sendable {
    /// The lifetime of an access token, in seconds.
    static let accessTokenLifetime: Int64 = 3600

    let scopes: [String]
    let accessToken: String
    let refreshToken: String?
    let idToken: IDTokenMint
    let misbehavior: Misbehavior
    /// Whether the access token is bound to the key of a proof.
    var isBoundToKey = false
    /// The nonce for the next proof.
    var dpopNonce: String?

    /// Signs the ID token and returns the response (OpenID Connect Core 1.0 section 3.1.3.3).
    func response() -> SentResponse {
        var members: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": isBoundToKey ? "DPoP" : "Bearer",
            "expires_in": .number(JSONNumber(Self.accessTokenLifetime)),
            "scope": .string(scopes.joined(separator: " ")),
        ]
        if let refreshToken { members["refresh_token"] = .string(refreshToken) }
        let token: String
        do {
            token = try idToken.token()
        } catch {
            return .error("server_error", "the ID token could not be signed", status: 500)
        }
        members["id_token"] = .string(token)
        bend(&members)
        var response = SentResponse.json(members)
        if let dpopNonce { response.headers.append(("dpop-nonce", dpopNonce)) }
        switch misbehavior {
        case .duplicateTokenMember: response.body = response.body.appendingMember("id_token", .string(token))
        case .contentEncodingGzip:
            response.headers.append(("content-encoding", "gzip"))
            response.body = GzipEncoding.encode(response.body)
        default: break
        }
        return response
    }

    private func bend(_ members: inout JSONObject) {
        switch misbehavior {
        case .missingIDToken: members["id_token"] = nil
        case .nullIDToken: members["id_token"] = .null
        case .errorBesideTokens: members["error"] = "server_error"
        case .omitsTokenType: members["token_type"] = nil
        case .unknownTokenType: members["token_type"] = "mac"
        case .oddTokenTypeCase: members["token_type"] = isBoundToKey ? "dpOP" : "bEARER"
        case .bearerDespiteProof: members["token_type"] = "Bearer"
        case .omitsExpiresIn: members["expires_in"] = nil
        case .emptyScope: members["scope"] = ""
        case .oversizedTokenResponse: members["padding"] = .string(String(repeating: "x", count: 512 * 1024))
        default: break
        }
    }
}
