// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
package import NIOCore

/// What is written where every response is ours, on the standalone server's HTTP/1 connections and HTTP/2 streams: heads
/// stay as the broker made them, and a complete response is one part.
package enum ServerResponsePart: Sendable {
    /// A head alone: an informational one, or one whose body follows.
    case head(HTTPResponse)
    /// Bytes of the body.
    case body(ByteBuffer)
    /// The end of the response.
    case end
    /// All of it at once. ``BrokerChannelHandler`` writes this; behind it, only who has no close to announce: of this part
    /// it sees no more than that the response ended.
    case whole(HTTPResponse, body: ByteBuffer?)
}
