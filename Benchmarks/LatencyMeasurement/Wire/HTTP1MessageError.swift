// SPDX-License-Identifier: Apache-2.0

/// Why bytes are no HTTP/1.1 message.
package enum HTTP1MessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The head or the body is longer than the reader takes.
    case tooLong
    /// The first line of a response is no status line (RFC 9112 section 4).
    case malformedStatusLine
    /// A length that is no number.
    case malformedLength
    /// A chunk that is none.
    case malformedChunk
    /// The connection ended inside a message.
    case cutOff

    package var description: String {
        switch self {
        case .tooLong: "a message is too long"
        case .malformedStatusLine: "a response has no status line"
        case .malformedLength: "a Content-Length is no number"
        case .malformedChunk: "a chunk is malformed"
        case .cutOff: "the connection ended inside a message"
        }
    }
}
