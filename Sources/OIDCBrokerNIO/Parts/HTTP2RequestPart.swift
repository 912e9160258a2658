// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// A part of a request on one of the standalone server's HTTP/2 streams.
package enum HTTP2RequestPart: Sendable {
    /// The start of the request.
    case head(HTTP2RequestHead)
    /// Bytes of the body.
    case body(ByteBuffer)
    /// The end, with trailers or without.
    case end
}
