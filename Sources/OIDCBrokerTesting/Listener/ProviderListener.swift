// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The listener of a provider or of a mock Apple: HTTP/1.1 with keep-alive, with TLS if there is a certificate.
package final class ProviderListener: Sendable {
    /// The purpose of a listener.
    package enum Purpose: Sendable {
        /// Browsers and clients.
        case ordinary
        /// Clients that present a certificate. Others do not complete the handshake.
        case mutualTLS
    }

    package let port: Int
    private let channel: any Channel
    private let connections: OpenConnections

    private init(port: Int, channel: any Channel, connections: OpenConnections) {
        self.port = port
        self.channel = channel
        self.connections = connections
    }

    /// Binds the listener without accepting connections before ``accept()``.
    /// - Parameters:
    ///   - port: The port; 0 for any free one.
    ///   - certificate: The certificate; `nil` for plain http.
    package static func bind(
        host: String,
        port: Int,
        certificate: DevelopmentCertificate?,
        for purpose: Purpose = .ordinary,
        responder: any RequestResponder,
        on group: any EventLoopGroup
    ) async throws -> ProviderListener {
        let tls = try certificate.map { try tlsContext($0, purpose) }
        let connections = OpenConnections()
        guard let bootstrap = ServerBootstrap(validatingGroup: group) else {
            throw OpenIDProviderError.unsupportedEventLoopGroup
        }
        let channel =
            try await bootstrap
            .serverChannelOption(ChannelOptions.backlog, value: 1024)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(ChannelOptions.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    connections.insert(channel)
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(Self.tlsHandler(tls, purpose)) }
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(ProviderChannelHandler(responder: responder, purpose: purpose))
                }
            }
            .bind(host: host, port: port)
            .get()
        guard let port = channel.localAddress?.port else {
            try await channel.close().get()
            throw OpenIDProviderError.notListening
        }
        return ProviderListener(port: port, channel: channel, connections: connections)
    }

    /// Begins to accept connections.
    package func accept() async throws {
        try await channel.setOption(ChannelOptions.autoRead, value: true).get()
    }

    /// Stops listening and closes all connections. Returns when they are closed.
    package func close() async {
        // The only errors are that the listener is already closed and that the peer did not send close_notify.
        try? await channel.close().get()
        for closed in connections.closeAll() { try? await closed.get() }
    }

    /// Every client certificate is accepted in the handshake. Whether it is the registered one is checked with the
    /// request.
    private static func tlsHandler(_ context: NIOSSLContext, _ purpose: Purpose) -> NIOSSLServerHandler {
        switch purpose {
        case .ordinary: NIOSSLServerHandler(context: context)
        case .mutualTLS:
            NIOSSLServerHandler(
                context: context, customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) })
        }
    }

    private static func tlsContext(
        _ certificate: DevelopmentCertificate, _ purpose: Purpose
    ) throws -> NIOSSLContext {
        var configuration = try certificate.serverConfiguration()
        if purpose == .mutualTLS {
            configuration.certificateVerification = .noHostnameVerification
            configuration.trustRoots = .certificates([])
        }
        return try NIOSSLContext(configuration: configuration)
    }
}
