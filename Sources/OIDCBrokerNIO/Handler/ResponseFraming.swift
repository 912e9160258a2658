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
        _ response: BrokerResponse, for request: ReceivedRequest?, isHTTP2: Bool, isLast: Bool
    ) -> (head: HTTPResponse, body: ByteBuffer?) {
        var head = response.head
        head.headerFields[.connection] = nil
        head.headerFields[.transferEncoding] = nil
        head.headerFields[.upgrade] = nil
        head.headerFields[.contentLength] = nil

        // RFC 9110 sections 8.6, 15.3.5 and 15.4.5: no length where there is never content.
        let mayHaveContent = head.status != .noContent && head.status != .notModified
        if mayHaveContent {
            head.headerFields[.contentLength] = String(response.body.readableBytes)
        }
        // RFC 9113 section 8.2.2: HTTP/2 has no connection-specific fields.
        if !isHTTP2 {
            if isLast {
                head.headerFields[.connection] = "close"
            } else if request?.isHTTP10 == true {
                head.headerFields[.connection] = "keep-alive"
            }
        }
        let sendsBody = mayHaveContent && request?.head.method != .head && response.body.readableBytes > 0
        return (head, sendsBody ? response.body : nil)
    }

    /// The answer to a request that does not reach the broker.
    static func refusal(_ refusal: ClaimStateMachine.Refusal) -> BrokerResponse {
        switch refusal {
        case .badRequest: return .plain(status: .badRequest, "Bad request\n")
        case .requestTimeout: return .plain(status: .requestTimeout, "The request took too long\n")
        case .contentTooLarge: return .plain(status: .contentTooLarge, "The request is too large\n")
        }
    }

    /// What is sent for what the broker never does: a future that fails, a head that is not final.
    static func failure() -> BrokerResponse {
        .plain(status: .internalServerError, "Something went wrong\n")
    }
}
