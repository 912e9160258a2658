// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP

/// The header fields of a response that belong to its connection rather than to the broker.
enum ResponseFraming {
    /// Frames a complete response.
    ///
    /// `HTTPField` replaces CR, LF and NUL in values by spaces and `HTTPField.Name` accepts only tokens, so a field
    /// cannot split a response.
    ///
    /// - Parameters:
    ///   - request: The request; `nil` if it could not be translated.
    ///   - isLast: Whether the connection closes after the response.
    /// - Returns: The head, and the body if one is sent.
    static func frame(
        _ response: consuming BrokerResponse, for request: RequestFraming?, isHTTP2: Bool, isLast: Bool
    ) -> (head: HTTPResponse, body: ByteBuffer?) {
        // Checked before anything is removed, so that the fields are usually not copied.
        if response.head.headerFields.contains(where: { isOfConnection($0.name) }) {
            response.head.headerFields.removeAll { isOfConnection($0.name) }
        }

        // Responses that never have content have no length either (RFC 9110 sections 8.6, 15.3.5 and 15.4.5).
        let status = response.head.status
        let mayHaveContent = status != .noContent && status != .notModified
        let length = response.body.readableBytes
        if mayHaveContent {
            response.head.headerFields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        // HTTP/2 has no connection-specific fields (RFC 9113 section 8.2.2).
        if !isHTTP2 {
            if isLast {
                response.head.headerFields.append(HTTPField(name: .connection, value: "close"))
            } else if request?.isHTTP10 == true {
                response.head.headerFields.append(HTTPField(name: .connection, value: "keep-alive"))
            }
        }
        let sendsBody = mayHaveContent && request?.isHEAD != true && length > 0
        return (response.head, sendsBody ? response.body : nil)
    }

    /// Whether only the connection may set a field.
    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        // Few names have the length of one of these, so texts are rarely compared.
        switch name.canonicalName.utf8.count {
        case 7: name == .upgrade
        case 10: name == .connection
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }

    /// The response to a request that does not reach the broker.
    static func refusal(_ refusal: ClaimStateMachine.Refusal) -> BrokerResponse {
        switch refusal {
        case .badRequest: return .plain(status: .badRequest, "Bad request\n")
        case .requestTimeout: return .plain(status: .requestTimeout, "The request took too long\n")
        case .contentTooLarge: return .plain(status: .contentTooLarge, "The request is too large\n")
        case .noRoom:
            var response = BrokerResponse.plain(status: .serviceUnavailable, "Too many long requests at once\n")
            response.head.headerFields[.retryAfter] = "10"
            return response
        }
    }

    /// The response if the broker violates its contract: its future fails, or its head is not final.
    static func failure() -> BrokerResponse {
        .plain(status: .internalServerError, "Something went wrong\n")
    }
}
