// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import OIDCBrokerTesting

/// The provider of a measurement: one listener, one or more issuers, and responses that are prepared in advance.
///
/// It performs the checks that a provider must (client, PKCE, single use of codes) and nothing that costs time. Only codes
/// of visitors (`VisitorCode`), which say who signs in, are signed for when they are redeemed.
final class FastProvider: Sendable {
    /// The configuration of a provider.
    struct Configuration: Sendable {
        var algorithm: SignatureAlgorithm
        /// The number of issuers. With more than one, each identifies itself in its response (RFC 9207).
        var issuerCount = 1
        var latency = TimeAmount.zero
        /// The certificate for HTTPS; `nil` for plain HTTP.
        var certificate: DevelopmentCertificate?
        /// The port; 0 for any free one.
        var port = 0
    }

    /// The scheme, host and port.
    let origin: String
    let port: Int
    /// The issuers, by number.
    let issuers: [String]
    let signIns: PreparedSignIns
    /// The signer of ID tokens.
    let signer: TokenSigner
    private let service: ProviderService
    private let channel: any Channel

    private init(
        origin: String, port: Int, issuers: [String], signIns: PreparedSignIns, signer: TokenSigner,
        service: ProviderService, channel: any Channel
    ) {
        self.origin = origin
        self.port = port
        self.issuers = issuers
        self.signIns = signIns
        self.signer = signer
        self.service = service
        self.channel = channel
    }

    /// The number of token requests that were answered with tokens.
    var tokenCount: UInt64 { service.tokenCount }

    /// The number of opened connections.
    var connectionCount: UInt64 { service.connectionCount }

    /// Stops accepting connections. Existing ones end with their clients or with the event loops.
    func stop() async {
        try? await channel.close().get()
    }

    /// Starts the provider on the given event loops.
    static func start(
        _ configuration: Configuration, on group: any EventLoopGroup
    ) async throws -> FastProvider {
        let signer = try TokenSigner(configuration.algorithm)
        let tls = try configuration.certificate.map { try NIOSSLContext(configuration: $0.serverConfiguration()) }
        // The documents contain the port, so it is chosen before the listener is started.
        let port = try await configuration.port == 0 ? FreePort.find(on: group) : configuration.port
        let origin = (tls == nil ? "http" : "https") + "://127.0.0.1:\(port)"
        let paths = (0..<max(configuration.issuerCount, 1)).map { "/p\($0)" }
        let announcesIssuer = paths.count > 1
        let issuers = paths.map { origin + $0 }
        let signIns = PreparedSignIns(issuers: issuers, signer: signer, announcesIssuer: announcesIssuer)
        let service = ProviderService(
            documents: ProviderDocuments(
                origin: origin, issuerPaths: paths, algorithm: configuration.algorithm.rawValue,
                keySet: signer.keySet, announcesIssuer: announcesIssuer),
            signIns: signIns, issuerPaths: paths, latency: configuration.latency)
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(ChannelOptions.backlog, value: 4096)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
                    try pipeline.addHandler(ProviderConnectionHandler(provider: service))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        return FastProvider(
            origin: origin, port: port, issuers: issuers, signIns: signIns, signer: signer, service: service,
            channel: channel)
    }
}
