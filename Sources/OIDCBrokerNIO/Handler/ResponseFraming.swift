// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import OIDCBroker

/// The fields of a response that belong to its connection and not to the broker.
enum ResponseFraming {
    /// Frames a complete response.
    ///
    /// `HTTPField` turns CR, LF and NUL of a value into spaces and `HTTPField.Name` takes tokens only, so that no
    /// response can be split by what stands in one.
    ///
    /// - Parameters:
    ///   - request: `nil` if the request could not be translated.
    ///   - isLast: The connection closes behind it.
    /// - Returns: The head, and the body if one is sent.
    static func frame(
        _ response: consuming BrokerResponse, for request: RequestFraming?, isHTTP2: Bool, isLast: Bool
    ) -> (head: HTTPResponse, body: ByteBuffer?) {
        // Looked for before anything is removed, so that the fields are not copied where nothing is.
        if response.head.headerFields.contains(where: { isOfConnection($0.name) }) {
            response.head.headerFields.removeAll { isOfConnection($0.name) }
        }

        // RFC 9110 sections 8.6, 15.3.5 and 15.4.5: no length where there is never content.
        let status = response.head.status
        let mayHaveContent = status != .noContent && status != .notModified
        let length = response.body.readableBytes
        if mayHaveContent {
            response.head.headerFields.append(HTTPField(name: .contentLength, value: String(length)))
        }
        // RFC 9113 section 8.2.2: HTTP/2 has no connection-specific fields.
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

    /// Whether a field is the connection's to say.
    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        // Few names are as long as one of these: to compare texts is rarely needed.
        switch name.canonicalName.utf8.count {
        case 7: name == .upgrade
        case 10: name == .connection
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }

    /// The answer to a request that does not reach the broker.
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

    /// What is sent for what the broker never does: a future that fails, a head that is not final.
    static func failure() -> BrokerResponse {
        .plain(status: .internalServerError, "Something went wrong\n")
    }
}
