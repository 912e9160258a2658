// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import Synchronization
import TestingSupport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An HTTP/1.1 server on a free loopback port that responds with exactly the bytes of a test, so that a test can send
/// what no HTTP library would, and see every byte that it received.
final class ScriptedServer: Sendable {
    /// A request as it arrived.
    struct Request: Sendable {
        /// Request line and header fields, without the empty line.
        let head: [String]
        let body: String

        var line: String { head.first ?? "" }

        /// The values of a header field, which is given in lower case.
        func header(_ name: String) -> [String] {
            head.dropFirst().compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name else { return nil }
                return String(parts[1].drop { $0 == " " })
            }
        }
    }

    /// What is done with a request.
    enum Response: Sendable {
        /// These pieces, each in a write of its own; the connection stays open.
        case send([String])
        /// This, and then the connection is closed.
        case sendAndClose(String)
        /// The connection is torn down, as by a crash: RST.
        case reset
        /// Nothing, ever.
        case silence
    }

    private struct State {
        var requests: [Request] = []
        var connections: [any Channel] = []
        var receivedBytes = 0
    }

    let port: Int
    private let listener: any Channel
    private let record: Record
    /// Each accepted connection.
    private let accepted: AsyncStream<any Channel>

    private init(port: Int, listener: any Channel, record: Record, accepted: AsyncStream<any Channel>) {
        self.port = port
        self.listener = listener
        self.record = record
        self.accepted = accepted
    }

    /// Runs a test with a server and shuts it down.
    /// - Parameter prepare: puts what a test needs in front of the server on each connection, such as TLS.
    static func run(
        _ response: @escaping @Sendable (Request) -> Response,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in },
        _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        let record = Record()
        let (accepted, continuation) = AsyncStream.makeStream(of: (any Channel).self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    record.state.withLock { $0.connections.append(channel) }
                    try prepare(channel)
                    try channel.pipeline.syncOperations.addHandler(Handler(record: record, response: response))
                    continuation.yield(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let server = ScriptedServer(
            port: listener.localAddress?.port ?? 0, listener: listener, record: record, accepted: accepted)
        try await attempt {
            try await body(server)
        } finally: {
            await server.shutdown()
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { record.state.withLock { $0.requests } }
    var connectionCount: Int { record.state.withLock { $0.connections.count } }
    var receivedBytes: Int { record.state.withLock { $0.receivedBytes } }

    /// Returns when the first connection was accepted and is closed again, with everything that came over it read.
    func firstConnectionClosed() async throws {
        for await channel in accepted {
            try await channel.closeFuture.get()
            return
        }
    }

    private func shutdown() async {
        // What is closed already cannot be closed again.
        try? await listener.close().get()
        for connection in record.state.withLock({ $0.connections }) { try? await connection.close().get() }
    }

    private final class Record: Sendable {
        let state = Mutex(State())
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let record: Record
        private let response: @Sendable (Request) -> Response
        private var received = ""

        init(record: Record, response: @escaping @Sendable (Request) -> Response) {
            self.record = record
            self.response = response
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            received += String(buffer: buffer)
            record.state.withLock { $0.receivedBytes += buffer.readableBytes }
            while let request = nextRequest() {
                record.state.withLock { $0.requests.append(request) }
                perform(response(request), context)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func nextRequest() -> Request? {
            let bytes = Array(received.utf8)
            let mark = Array("\r\n\r\n".utf8)
            guard
                let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) })
            else { return nil }
            let head = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
            let length = Request(head: head, body: "").header("content-length").first.flatMap { Int($0) } ?? 0
            let rest = bytes[(end + mark.count)...]
            guard rest.count >= length else { return nil }
            received = String(decoding: rest.dropFirst(length), as: UTF8.self)
            return Request(head: head, body: String(decoding: rest.prefix(length), as: UTF8.self))
        }

        private func perform(_ response: Response, _ context: ChannelHandlerContext) {
            switch response {
            case .send(let pieces):
                for piece in pieces { context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: piece)), promise: nil) }
            case .sendAndClose(let text):
                let channel = context.channel
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text))).whenComplete { _ in
                    channel.close(promise: nil)
                }
            case .reset:
                let channel = context.channel
                let torn = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
                torn?.whenComplete { _ in channel.close(promise: nil) }
            case .silence:
                break
            }
        }
    }
}
