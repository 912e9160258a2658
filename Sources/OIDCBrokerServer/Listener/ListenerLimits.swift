// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1
package import NIOHTTP2

/// The limits of a connection in size and time. They are not configurable, so no option weakens them.
package struct ListenerLimits: Sendable {
    /// The time limit for the first request head of a connection, including the TLS handshake, and for every later head
    /// from its first byte. An idle timeout alone would be reset by every byte that trickles in.
    package var requestHeadDeadline: TimeAmount = .seconds(10)
    /// The time limit of a request on an HTTP/2 stream from its head to its end, after which the stream is reset. On
    /// HTTP/1 the broker's own limit for bodies applies, which is reached first here too.
    package var requestDeadline: TimeAmount = .seconds(10)
    /// The time limit for the client to read a response: on an HTTP/2 stream from the response's last frame until the
    /// windows allow sending it, on any connection from a write until the socket accepted it. Then the connection is
    /// closed.
    package var responseDeadline: TimeAmount = .seconds(30)
    /// The maximum length of a header field, name and value together, in bytes.
    package var maximumFieldBytes = 16 * 1024
    /// The maximum length of a request head, in bytes. On HTTP/2 it is 16 KB, NIO's default, until the peer has
    /// acknowledged the settings that announce it. A longer head ends the connection.
    package var maximumHeadBytes = 32 * 1024
    /// The maximum number of fields in a request head.
    package var maximumFields = 100
    /// The maximum time of an HTTP/1 connection without the start of a head, a part of a request or the end of a
    /// response, and of an HTTP/2 connection without a stream.
    package var idleTimeout: TimeAmount = .seconds(60)
    /// The maximum number of concurrent streams on an HTTP/2 connection.
    package var maximumConcurrentStreams = 100
    /// The maximum number of streams that a peer may reset, and of stream errors that it may cause, within 30 s (rapid
    /// reset, CVE-2023-44487).
    package var maximumStreamResets = 100
    /// The maximum number of frames on an HTTP/2 connection for each request, and before the first, of whatever type
    /// (CVE-2019-9512, CVE-2019-9513, CVE-2019-9515). A client that opens both windows for each DATA frame of the
    /// longest response sends some ten, and one that pings each second some seventy before an unused connection ends.
    package var maximumFramesPerRequest = 100
    /// The maximum number of bytes of response bodies on an HTTP/2 connection that the client has not read. Beyond it,
    /// streams are reset.
    package var maximumUnreadBytes = 4 * 1024 * 1024
    /// The time limit of requests in flight once the server drains, after which connections are closed.
    package var drainDeadline: TimeAmount = .seconds(30)
    /// The maximum number of connections to the loopback listener. They do not count among those of the other listeners,
    /// so that neither keeps the other's clients out.
    package var loopbackConnections = 64
    /// The time limit for a request head on the loopback listener, whose clients are on this machine: a silent
    /// connection has no place for long, since a web page can open many.
    package var loopbackHeadDeadline: TimeAmount = .seconds(2)
    /// The interval at which the TLS files, and the files of providers' keys, are read.
    package var certificateRefreshInterval: Duration = .seconds(30)

    /// Creates the default limits.
    package init() {}

    /// The limits of the HTTP/1 decoder. NIO's own defaults are 80 KB per field, 2 MB in total and 256 fields.
    package var http1Decoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = maximumFieldBytes
        limits.maxHeaderListSize = maximumHeadBytes
        limits.maxHeaderFieldCount = maximumFields
        return limits
    }

    /// The configuration of HTTP/2 connections.
    package var http2Connection: NIOHTTP2Handler.ConnectionConfiguration {
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumConcurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: maximumHeadBytes),
        ]
        // Both validations compare received values as text, in quadratic time. `HTTP2StreamHandler` validates them
        // instead.
        configuration.headerBlockValidation = .disabled
        configuration.contentLengthValidation = .disabled
        return configuration
    }

    /// The configuration of HTTP/2 streams.
    package var http2Stream: NIOHTTP2Handler.StreamConfiguration {
        var configuration = NIOHTTP2Handler.StreamConfiguration()
        configuration.streamResetFrameRateLimit.maximumCount = maximumStreamResets
        configuration.streamErrorRateLimit.maximumCount = maximumStreamResets
        return configuration
    }

    /// The configuration of the lifetime of HTTP/2 connections: idle and draining ones end with GOAWAY.
    package var http2Life: NIOHTTP2ServerConnectionManagementHandler.Configuration {
        .init(maxIdleTime: idleTimeout, maxAge: nil, maxGraceTime: drainDeadline, keepalive: nil)
    }

    /// The maximum time of an HTTP/2 connection without a frame of a request. It is longer than the maximum time
    /// without a stream, so that GOAWAY is sent first; this one is for peers that do not respond to it.
    package var http2SilenceTimeout: TimeAmount { idleTimeout + requestHeadDeadline }
}
