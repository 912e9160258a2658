// SPDX-License-Identifier: Apache-2.0

/// A part of a response that a handler behind ours writes, as far as it matters for the order of responses.
package enum NeutralResponsePart: Sendable, Hashable {
    /// A 1xx head other than 101: a final one follows.
    case informationalHead
    /// A 101 head (RFC 9110 section 15.2.2): what follows is not HTTP.
    case switchingProtocols
    /// A final head: the status code, and whether it says that the connection closes behind it.
    case head(status: Int, announcesClose: Bool)
    /// Bytes of the body.
    case body
    /// The end of the response.
    case end
}

extension NeutralResponsePart {
    /// A head of that status.
    /// - Parameter announcesClose: whether a final one says that the connection closes behind it; not asked of others.
    init(status: Int, announcesClose: @autoclosure () -> Bool) {
        switch status {
        case 101: self = .switchingProtocols
        case 100..<200: self = .informationalHead
        default: self = .head(status: status, announcesClose: announcesClose())
        }
    }
}
