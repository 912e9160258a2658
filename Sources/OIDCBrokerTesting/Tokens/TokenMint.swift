// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Makes the answer of the token endpoint. A pure value: it signs where and when its owner wants.
struct TokenMint: ProviderMint {
    /// How long an access token is good for, in seconds.
    static let accessTokenLifetime: Int64 = 3600

    let scopes: [String]
    let accessToken: String
    let refreshToken: String?
    let idToken: IDTokenMint
    let misbehaviour: Misbehaviour

    /// Signs the ID token and answers (OpenID Connect Core 1.0 section 3.1.3.3).
    func response() -> SentResponse {
        var answer: JSONObject = [
            "access_token": .string(accessToken),
            "token_type": "Bearer",
            "expires_in": .number(JSONNumber(Self.accessTokenLifetime)),
            "scope": .string(scopes.joined(separator: " ")),
        ]
        if let refreshToken { answer["refresh_token"] = .string(refreshToken) }
        let token: String
        do {
            token = try idToken.token()
        } catch {
            return .error("server_error", "the ID token could not be signed", status: 500)
        }
        answer["id_token"] = .string(token)
        bend(&answer)
        var response = SentResponse.json(answer)
        switch misbehaviour {
        case .doubledTokenMember: response.body = response.body.appendingMember("id_token", .string(token))
        case .contentEncodingGzip:
            response.headers.append(("content-encoding", "gzip"))
            response.body = GzipEncoding.encode(response.body)
        default: break
        }
        return response
    }

    private func bend(_ answer: inout JSONObject) {
        switch misbehaviour {
        case .missingIDToken: answer["id_token"] = nil
        case .nullIDToken: answer["id_token"] = .null
        case .errorBesideTokens: answer["error"] = "server_error"
        case .omitsTokenType: answer["token_type"] = nil
        case .unknownTokenType: answer["token_type"] = "mac"
        case .oddTokenTypeCase: answer["token_type"] = "bEARER"
        case .omitsExpiresIn: answer["expires_in"] = nil
        case .emptyScope: answer["scope"] = ""
        case .oversizedTokenAnswer: answer["padding"] = .string(String(repeating: "x", count: 512 * 1024))
        default: break
        }
    }
}
