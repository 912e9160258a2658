// SPDX-License-Identifier: Apache-2.0

/// An error response of an endpoint that clients call (RFC 6749 section 5.2).
struct TokenRefusal: Error {
    let response: SentResponse
    /// The violation by the client; `nil` if there is none. It contains no secret.
    let reason: String?

    /// Returns the error of a client that did not authenticate. The status is always 401, with a challenge (RFC 9110
    /// section 15.5.2). The response does not contain the reason, which is available to tests.
    static func invalidClient(_ reason: String) -> TokenRefusal {
        var response = SentResponse.error(
            "invalid_client", "the client is not known, or its proof is wrong", status: 401)
        response.headers.append(("www-authenticate", "Basic realm=\"token endpoint\""))
        return TokenRefusal(response: response, reason: reason)
    }

    /// Returns the error of an invalid request.
    static func invalidRequest(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_request", description), reason: description)
    }

    /// Returns the error of a code or refresh token that is invalid or belongs to another client.
    static func invalidGrant(_ description: String) -> TokenRefusal {
        TokenRefusal(response: .error("invalid_grant", description), reason: description)
    }
}

extension ProviderState {
    /// Returns the response of an error, and records its reason.
    mutating func refuse(_ request: ReceivedRequest, _ refusal: TokenRefusal) -> SentResponse {
        if let reason = refusal.reason { violate(request, reason) }
        return refusal.response
    }
}
