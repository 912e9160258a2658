// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix

/// A connection to the listener for operators, on which a test writes and reads bytes itself. For one task.
final class OperatorConnection {
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

    /// Connects, runs a body and closes.
    static func open<Value: Sendable>(
        port: Int, _ body: (OperatorConnection) async throws -> Value
    ) async throws -> Value {
        let connected = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let channel = connected.channel
        return try await connected.executeThenClose { inbound, outbound in
            try await body(OperatorConnection(channel, inbound, outbound))
        }
    }

    /// Asks once, and returns everything that comes until the close.
    static func ask(port: Int, _ request: String) async throws -> OperatorResponse {
        try await open(port: port) { connection in
            try await connection.send(request)
            return OperatorResponse(await connection.rest())
        }
    }

    /// Asks for a path.
    static func get(_ path: String, port: Int, accept: String = "*/*") async throws -> OperatorResponse {
        try await ask(port: port, "GET \(path) HTTP/1.1\r\nHost: a\r\nAccept: \(accept)\r\n\r\n")
    }

    /// Writes.
    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    /// Writes the last there is, and closes this half of the connection behind it.
    func sendLast(_ text: String) async throws {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        try await channel.close(mode: .output)
    }

    /// Writes the same again and again, until the connection closes.
    func trickle(_ text: String, every interval: TimeAmount) {
        let channel = channel
        channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { task in
            guard channel.isActive else { return task.cancel() }
            channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
        }
    }

    /// Waits until the listener closes; everything that came. A reset is a close too.
    func rest() async -> String {
        while let bytes = try? await inbound.next() { received += bytes.readableBytesView }
        return String(decoding: received, as: UTF8.self)
    }
}

/// What the listener answered.
struct OperatorResponse: Sendable {
    /// Everything as it came.
    let text: String
    /// The status line and the fields.
    let head: String
    let body: String

    init(_ text: String) {
        self.text = text
        let end = text.range(of: "\r\n\r\n")
        head = end.map { String(text[..<$0.lowerBound]) } ?? text
        body = end.map { String(text[$0.upperBound...]) } ?? ""
    }

    var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }

    /// Whether there is a field of this name with this value.
    func has(_ name: String, _ value: String) -> Bool {
        head.lowercased().contains("\r\n\(name.lowercased()): \(value.lowercased())")
    }
}
