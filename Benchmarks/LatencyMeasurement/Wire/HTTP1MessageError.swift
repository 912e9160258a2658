// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not an HTTP/1.1 message.
package enum HTTP1MessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The head or the body is longer than the reader accepts.
    case tooLong
    /// The first line of a response is not a status line (RFC 9112 section 4).
    case malformedStatusLine
    /// A length is not a number.
    case malformedLength
    /// A chunk is malformed.
    case malformedChunk
    /// The connection ended within a message.
    case cutOff

    package var description: String {
        switch self {
        case .tooLong: "a message is too long"
        case .malformedStatusLine: "a response has no status line"
        case .malformedLength: "a Content-Length is not a number"
        case .malformedChunk: "a chunk is malformed"
        case .cutOff: "the connection ended inside a message"
        }
    }
}
