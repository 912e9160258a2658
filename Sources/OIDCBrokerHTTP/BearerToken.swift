// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import JOSE
import NIOCore
import OpenIDConnect

/// The access token of a request (RFC 6750 section 2): in the Authorization field, or in the form of a POST request. A
/// token in a query is not accepted, since queries are logged.
package enum BearerToken {
    /// The maximum length of an access token of the broker, in characters.
    package static let maximumLength = 8192
    /// The maximum length of the Authorization field, in bytes: a token of maximum length and its scheme.
    package static let longestField = maximumLength + 16

    /// Returns the token of a request.
    /// - Throws: An error that also tells an app without a token which scheme to use.
    package static func read(_ request: BrokerRequest) throws(BearerError) -> WireText {
        let field = try inField(request.headerFields)
        guard let form = try inForm(request) else {
            guard let field else { throw .missingToken }
            return field
        }
        guard field == nil else { throw .invalidRequest("There are two access tokens.") }
        return form
    }

    private static func inField(_ fields: HTTPFields) throws(BearerError) -> WireText? {
        guard let field = fields[.authorization] else { return nil }
        guard fields[values: .authorization].count == 1 else {
            throw .invalidRequest("There is more than one Authorization field.")
        }
        return try token(in: field, atMost: longestField)
    }

    /// - Parameter maximumLength: The maximum length of the field, in bytes.
    fileprivate static func token(in field: String, atMost maximumLength: Int) throws(BearerError) -> WireText {
        guard let text = WireText(field).printableASCII(atMost: maximumLength) else { throw .invalidToken }
        let scheme = text.utf8.prefix { $0 != UInt8(ascii: " ") }
        // Behind one space or several (RFC 6750 section 2.1).
        let token = text.utf8.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
        guard Substring(scheme).lowercased() == "bearer", !token.isEmpty else {
            throw .invalidRequest("The Authorization field must have the scheme Bearer.")
        }
        return WireText(Substring(token))
    }

    private static func inForm(_ request: BrokerRequest) throws(BearerError) -> WireText? {
        guard request.method == .post, FormBody.isForm(request.headerFields) else { return nil }
        do {
            return try FormURLEncoding.parse(request.body.readableBytesView).nonEmptyValue("access_token")
        } catch {
            // The name of a duplicate field is not repeated in a header field.
            throw .invalidRequest("The form cannot be read.")
        }
    }
}

extension HTTPFields {
    /// Returns the bearer token of the one Authorization field (RFC 6750 section 2.1); `nil` if there is none.
    /// - Parameter maximumLength: The maximum length of the token, in bytes.
    package func bearerToken(atMost maximumLength: Int) -> WireText? {
        let fields = self[values: .authorization]
        guard fields.count == 1, let field = fields.first else { return nil }
        let scheme = "Bearer ".utf8.count
        return try? BearerToken.token(in: field, atMost: scheme + maximumLength)
    }
}

/// An error response of an endpoint with an access token (RFC 6750 section 3).
package struct BearerError: Error {
    /// The error; `nil` if the request has no token, to which no error code is told.
    private let error: (code: String, description: String)?
    private let status: HTTPResponse.Status

    /// The request has no token.
    package static let missingToken = BearerError(error: nil, status: .unauthorized)
    /// The token is not one of the broker's, has expired, or was ended. The response does not distinguish these.
    package static let invalidToken = BearerError(
        error: ("invalid_token", "The access token is not valid."), status: .unauthorized)

    /// The request has no token in the form of RFC 6750 section 2.
    package static func invalidRequest(_ description: String) -> BearerError {
        BearerError(error: ("invalid_request", description), status: .badRequest)
    }

    /// The response to the request.
    package var response: BrokerResponse {
        let challenge = "Bearer realm=\"userinfo\""
        guard let error else {
            var response = BrokerResponse.plain(status: status, "An access token is required.\n")
            response.head.headerFields[.wwwAuthenticate] = challenge
            return response
        }
        let body: JSONObject = ["error": .string(error.code), "error_description": .string(error.description)]
        var response = BrokerResponse.json(body.serialized(), status: status)
        response.head.headerFields[.wwwAuthenticate] =
            challenge + ", error=\"\(error.code)\", error_description=\"\(error.description)\""
        return response
    }
}
