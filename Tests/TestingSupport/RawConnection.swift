// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOPosix
package import NIOSSL
package import OIDCBrokerTesting
import Synchronization

/// A connection on which a test writes and reads bytes itself. For one task.
package final class RawConnection {
    /// What the server answered.
    package struct Response: Sendable {
        /// The status of the status line; 0 where there is none.
        package let status: Int
        /// Names in lower case.
        package let fields: [(name: String, value: String)]
        /// As many bytes as `Content-Length` says.
        package let body: String

        /// The first field of this name.
        package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    /// The server closed the connection where a response was expected.
    package struct Closed: Error {
        /// What had come so far.
        package let received: String
    }

    /// How the connection is secured.
    package struct TLS: Sendable {
        /// The server's certificate, which is the only trust root.
        package var certificate: DevelopmentCertificate
        /// What is offered by ALPN.
        package var protocols: [String]
        /// The lowest version that is offered.
        package var minimumVersion: TLSVersion
        /// The highest version that is offered; `nil` for the highest there is.
        package var maximumVersion: TLSVersion?

        /// TLS of these versions and with these protocols.
        package init(
            certificate: DevelopmentCertificate, protocols: [String] = ["http/1.1"],
            minimumVersion: TLSVersion = .tlsv12, maximumVersion: TLSVersion? = nil
        ) {
            self.certificate = certificate
            self.protocols = protocols
            self.minimumVersion = minimumVersion
            self.maximumVersion = maximumVersion
        }
    }

    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received: [UInt8] = []

    private init(
        _ channel: any Channel, _ inbound: NIOAsyncChannelInboundStream<ByteBuffer>,
        _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.channel = channel
        self.inbound = inbound.makeAsyncIterator()
        self.outbound = outbound
    }

    /// Connects to a port of 127.0.0.1, runs a body and closes.
    /// - Parameter source: The address to connect from, in 127.0.0.0/8.
    package static func open<Value: Sendable>(
        port: Int, from source: String? = nil, tls: TLS? = nil, _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
        let context = try tls.map { tls in
            var configuration = try tls.certificate.clientConfiguration()
            configuration.applicationProtocols = tls.protocols
            configuration.minimumTLSVersion = tls.minimumVersion
            configuration.maximumTLSVersion = tls.maximumVersion
            return try NIOSSLContext(configuration: configuration)
        }
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
        let connected = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let context {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"))
                }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        let channel = connected.channel
        return try await connected.executeThenClose { inbound, outbound in
            try await body(RawConnection(channel, inbound, outbound))
        }
    }

    /// Connects to a Unix domain socket, runs a body and closes.
    package static func open<Value: Sendable>(
        unixSocket path: String, _ body: (RawConnection) async throws -> Value
    ) async throws -> Value {
        let connected = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(
            unixDomainSocketPath: path
        ) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        let channel = connected.channel
        return try await connected.executeThenClose { inbound, outbound in
            try await body(RawConnection(channel, inbound, outbound))
        }
    }

    /// Writes.
    package func send(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    /// Writes bytes.
    package func send(bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Writes the last there is, and closes this half of the connection behind it.
    package func sendLast(_ text: String) async throws {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        try await channel.close(mode: .output)
    }

    /// Reads one response with a `Content-Length`.
    /// - Throws: ``Closed`` if the connection ends before.
    package func response(toHEAD isHEAD: Bool = false) async throws -> Response {
        let separator = Array("\r\n\r\n".utf8)
        var end = received.firstRange(of: separator)
        while end == nil {
            try await readMore()
            end = received.firstRange(of: separator)
        }
        guard let end else { throw Closed(received: "") }
        let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let fields = lines.dropFirst().map { line -> (name: String, value: String) in
            let pair = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (pair[0].lowercased(), pair.count == 2 ? String(pair[1].drop { $0 == " " }) : "")
        }
        let length = isHEAD ? 0 : fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        while received.count < end.upperBound + length { try await readMore() }
        let body = String(decoding: received[end.upperBound..<(end.upperBound + length)], as: UTF8.self)
        received.removeSubrange(..<(end.upperBound + length))
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return Response(status: status, fields: fields, body: body)
    }

    /// Reads frames of HTTP/2 until the response on a stream is complete; all that came on the connection.
    /// - Throws: ``Closed`` if the connection ends before.
    package func frames(toEndOf stream: UInt8) async throws -> [HTTP2Wire.Frame] {
        while true {
            let frames = HTTP2Wire.frames(received)
            // DATA or HEADERS with END_STREAM.
            if frames.contains(where: { $0.type <= 1 && $0.flags & 1 == 1 && $0.stream == stream }) { return frames }
            try await readMore()
        }
    }

    /// Waits until the server closes; all frames of HTTP/2 that came on the connection.
    package func framesUntilClose() async -> [HTTP2Wire.Frame] {
        _ = await rest()
        return HTTP2Wire.frames(received)
    }

    /// Waits until the server closes; what came before and is in no response.
    package func rest() async -> String {
        // A reset is a close too.
        while (try? await readMore()) != nil {}
        return String(decoding: received, as: UTF8.self)
    }

    /// Completes the TLS handshake, and reads what the server sends on its own.
    /// - Throws: ``Closed`` if the connection ends before.
    package func waitForBytes() async throws { try await readMore() }

    /// Writes the same again and again, until the connection closes.
    ///
    /// - Returns: how often it was written so far.
    @discardableResult
    package func trickle(_ text: String, every interval: TimeAmount) -> Trickle {
        let trickle = Trickle()
        let channel = channel
        channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { task in
            guard channel.isActive else { return task.cancel() }
            trickle.count()
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
        return trickle
    }

    /// Counts what a trickle has written.
    package final class Trickle: Sendable {
        private let times = Mutex(0)
        /// How often the text was written.
        package var writes: Int { times.withLock { $0 } }
        fileprivate func count() { times.withLock { $0 += 1 } }
    }

    private func readMore() async throws {
        guard let bytes = try await inbound.next() else {
            throw Closed(received: String(decoding: received, as: UTF8.self))
        }
        received += bytes.readableBytesView
    }
}
