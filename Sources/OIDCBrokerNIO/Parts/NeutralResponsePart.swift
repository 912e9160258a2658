// SPDX-License-Identifier: Apache-2.0

/// A part of a response that a handler after the broker's writes, reduced to what determines the order of responses.
package enum NeutralResponsePart: Sendable, Hashable {
    /// A 1xx head other than 101, which a final one follows.
    case informationalHead
    /// A 101 head (RFC 9110 section 15.2.2), after which the connection does not use HTTP.
    case switchingProtocols
    /// A final head: the status code, and whether it announces the close of the connection.
    case head(status: Int, announcesClose: Bool)
    /// Bytes of the body.
    case body
    /// The end of the response.
    case end
}

extension NeutralResponsePart {
    /// Creates a head with the given status.
    /// - Parameter announcesClose: Whether a final head announces the close of the connection. Evaluated only for
    ///   those.
    init(status: Int, announcesClose: @autoclosure () -> Bool) {
        switch status {
        case 101: self = .switchingProtocols
        case 100..<200: self = .informationalHead
        default: self = .head(status: status, announcesClose: announcesClose())
        }
    }
}
