// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOSSL
import OIDCBrokerServer
import OIDCBrokerTesting

/// Starts of sign-ins, each on a new TLS 1.3 connection in memory, through the pipeline of a server with the default
/// configuration: handshake, protocol, request, response and close. What the client does is not counted.
struct NewConnection {
    /// The number of connections before those that are counted.
    private static let warmUp = 8

    private let broker: MicroBroker
    private let initializer: ConnectionInitializer
    private let client: NIOSSLContext
    private let messages: NewConnectionMessages

    init(_ version: NewConnectionMessages.Version) throws {
        broker = try MicroBroker(scheme: "https")
        messages = try NewConnectionMessages(version)
        let certificate = try DevelopmentCertificate.make(hosts: ["127.0.0.1"])
        var server = try certificate.serverConfiguration()
        server.applicationProtocols = ["h2", "http/1.1"]
        initializer = ConnectionInitializer(
            broker: broker.broker, tls: try NIOSSLContext(configuration: server), logger: broker.logger)
        var client = TLSConfiguration.makeClientConfiguration()
        client.minimumTLSVersion = .tlsv13
        client.applicationProtocols = [version.rawValue]
        client.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(certificate.certificatePEM.utf8)))
        client.certificateVerification = .noHostnameVerification
        self.client = try NIOSSLContext(configuration: client)
    }

    /// Makes connections.
    /// - Returns: A value that depends on every one.
    func run(_ iterations: Int) throws -> Int {
        var sum = 0
        for number in 0..<(Self.warmUp + iterations) {
            sum += try connect(from: WholeSignIn.address(number), isCounted: number >= Self.warmUp)
        }
        return sum
    }

    private func connect(from address: SocketAddress, isCounted: Bool) throws -> Int {
        let server = NewConnectionServer(initializer, on: broker.eventLoop)
        let client = EmbeddedChannel(handler: try NIOSSLClientHandler(context: self.client, serverHostname: nil))
        var received = ByteBuffer()
        /// Moves bytes to and fro until there are none.
        func exchange() throws {
            var hasMoved = true
            while hasMoved {
                hasMoved = false
                while let bytes = try client.readOutbound(as: ByteBuffer.self) {
                    hasMoved = true
                    try server.take(.received(bytes), isCounted: isCounted)
                }
                while let bytes = try server.next() {
                    hasMoved = true
                    try client.writeInbound(bytes)
                }
                while var bytes = try client.readInbound(as: ByteBuffer.self) { received.writeBuffer(&bytes) }
            }
        }
        try server.take(.opened(from: address), isCounted: isCounted)
        client.connect(to: address, promise: nil)
        // TLS keeps it until the handshake is done.
        client.writeAndFlush(messages.request, promise: nil)
        try exchange()
        let length = try messages.locationLength(in: received)
        if let acknowledgment = messages.acknowledgment { client.writeAndFlush(acknowledgment, promise: nil) }
        client.close(promise: nil)
        try exchange()
        try server.take(.ended, isCounted: isCounted)
        _ = try? client.finish(acceptAlreadyClosed: true)
        return length
    }
}
