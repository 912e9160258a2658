// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore

/// A response part on the standalone server's HTTP/1 connections and HTTP/2 streams, where the broker writes every
/// response: heads remain as the broker made them, and a complete response is one part.
package enum ServerResponsePart: Sendable {
    /// A head alone: an informational one, or one that a body follows.
    case head(HTTPResponse)
    /// Bytes of the body.
    case body(ByteBuffer)
    /// The end of the response.
    case end
    /// A complete response. ``BrokerChannelHandler`` writes it. A handler after that one may write it only if it does
    /// not announce a close, because the broker's handler sees no more of it than the end of a response.
    case whole(HTTPResponse, body: ByteBuffer?)
}
