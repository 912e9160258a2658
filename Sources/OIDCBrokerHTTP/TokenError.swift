// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import JOSE

/// An error response of the token endpoint (RFC 6749 section 5.2).
package struct TokenError: Error {
    private let code: String
    private let errorDescription: String
    private let status: HTTPResponse.Status
    private var challenges = false

    /// Creates an error.
    /// - Parameters:
    ///   - code: The registered code.
    ///   - errorDescription: A sentence for the developer of the app, without any value of a request.
    package init(_ code: String, _ errorDescription: String, status: HTTPResponse.Status = .badRequest) {
        self.code = code
        self.errorDescription = errorDescription
        self.status = status
    }

    /// The code is unknown, expired, used, or that of another app. The response does not distinguish these.
    package static let invalidGrant = TokenError("invalid_grant", "The code is not valid.")

    /// The broker cannot do it now, for example because its store cannot be reached.
    package static let unavailable = TokenError(
        "temporarily_unavailable", "The broker is not available.", status: .serviceUnavailable)

    /// The app is not authenticated.
    package static func invalidClient(challenges: Bool) -> TokenError {
        var error = TokenError("invalid_client", "The client authentication failed.", status: .unauthorized)
        error.challenges = challenges
        return error
    }

    /// Returns the response for a client, or an app, that has exceeded its limits (RFC 6585 section 4).
    package static func tooManyRequests(
        retryAfter: Int64, _ errorDescription: String = "Too many requests came from the client's network."
    ) -> BrokerResponse {
        var response = TokenError("temporarily_unavailable", errorDescription, status: .tooManyRequests).response
        response.head.headerFields[.retryAfter] = String(retryAfter)
        return response
    }

    /// The response to the app.
    package var response: BrokerResponse {
        let body: JSONObject = ["error": .string(code), "error_description": .string(errorDescription)]
        var response = BrokerResponse.json(body.serialized(), status: status)
        if challenges { response.head.headerFields[.wwwAuthenticate] = "Basic realm=\"token\"" }
        // What is away is asked for again all the time: RFC 9110 section 10.2.3.
        if status == .serviceUnavailable { response.head.headerFields[.retryAfter] = "1" }
        return response
    }
}
