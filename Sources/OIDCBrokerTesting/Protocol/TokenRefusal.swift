// SPDX-License-Identifier: Apache-2.0

/// What an endpoint that clients call answers instead of what was asked for (RFC 6749 section 5.2).
struct TokenRefusal: Error {
    let response: SentResponse
    /// What the client did wrong; `nil` if it did nothing wrong. Never holds a secret.
    let reason: String?

    /// The client did not prove itself. Always 401, always with a challenge (RFC 9110 section 15.5.2). The client is
    /// not told what was wrong; the test is.
    static func invalidClient(_ reason: String) -> TokenRefusal {
        var response = SentResponse.error(
            "invalid_client", "the client is not known, or its proof is wrong", status: 401)
        response.headers.append(("www-authenticate", "Basic realm=\"token endpoint\""))
        return TokenRefusal(response: response, reason: reason)
    }

    /// The request itself is not in order.
    static func invalidRequest(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_request", description), reason: description)
    }

    /// The code or refresh token is not good, or not for this client.
    static func invalidGrant(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_grant", description), reason: description)
    }
}

extension ProviderState {
    /// Answers with a refusal, and remembers why.
    mutating func refuse(_ request: ReceivedRequest, _ refusal: TokenRefusal) -> SentResponse {
        if let reason = refusal.reason { violate(request, reason) }
        return refusal.response
    }
}
