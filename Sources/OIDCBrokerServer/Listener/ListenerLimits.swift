// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1
package import NIOHTTP2

/// What a connection may take and how long it may take it. Not configurable: no option weakens them.
package struct ListenerLimits: Sendable {
    /// How long a connection may take to deliver its first request head, the TLS handshake included, and every later
    /// head from its first byte. An idle timeout alone would be reset by every byte that trickles in.
    package var requestHeadDeadline: TimeAmount = .seconds(10)
    /// How long a request on an HTTP/2 stream may take from its head to its end; then the stream is reset. On HTTP/1 the
    /// broker's own limit for bodies does it, which comes first here too.
    package var requestDeadline: TimeAmount = .seconds(10)
    /// How long a response may wait for its client to take it: on an HTTP/2 stream from the response's last frame until
    /// windows let it out, on any connection from a write until the socket took it. Then the connection is closed.
    package var responseDeadline: TimeAmount = .seconds(30)
    /// The longest header field, in bytes, name and value together.
    package var maximumFieldBytes = 16 * 1024
    /// The longest request head, in bytes. On HTTP/2 it is 16 KB, NIO's own default, until the peer has acknowledged
    /// the settings that say so; a longer one ends the connection.
    package var maximumHeadBytes = 32 * 1024
    /// The most fields in a request head.
    package var maximumFields = 100
    /// How long an HTTP/1 connection may be without a byte in either direction; and an HTTP/2 connection without a stream.
    package var idleTimeout: TimeAmount = .seconds(60)
    /// The most streams at once on an HTTP/2 connection.
    package var maximumConcurrentStreams = 100
    /// The most streams a peer may reset, and the most stream errors it may cause, in 30 s (rapid reset,
    /// CVE-2023-44487).
    package var maximumStreamResets = 100
    /// How long requests in flight may take once the server drains; then connections are closed.
    package var drainDeadline: TimeAmount = .seconds(30)
    /// How often the TLS files, and the files of providers' keys, are looked at.
    package var certificateRefreshInterval: Duration = .seconds(30)

    /// The limits of `DESIGN.md`.
    package init() {}

    /// For the HTTP/1 decoder; NIO's own defaults are 80 KB a field, 2 MB in all and 256 fields.
    package var http1Decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumFieldBytes
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }

    /// For HTTP/2 connections.
    package var http2Connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumConcurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: maximumHeadBytes),
        ]
        // Both compare as text what a peer sent, in time by the square of its length: `HTTP2StreamHandler` does it.
        configuration.headerBlockValidation = .disabled
        configuration.contentLengthValidation = .disabled
        return configuration
    }

    /// For HTTP/2 streams.
    package var http2Stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = maximumStreamResets
        configuration.streamErrorRateLimit.maximumCount = maximumStreamResets
        return configuration
    }

    /// For the life of HTTP/2 connections: idle ones and draining ones end with GOAWAY.
    package var http2Life: NIOHTTP2ServerConnectionManagementHandler.Configuration {
        .init(maxIdleTime: idleTimeout, maxAge: nil, maxGraceTime: drainDeadline, keepalive: nil)
    }

    /// How long an HTTP/2 connection may be without a frame of a request: longer than without a stream, so that GOAWAY
    /// comes first; for peers that do not answer it.
    package var http2SilenceTimeout: TimeAmount { idleTimeout + requestHeadDeadline }
}
