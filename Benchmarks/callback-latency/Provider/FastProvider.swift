// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import NIOSSL
import OIDCBrokerTesting

/// The provider of a measurement: one listener, one or more issuers, answers that are ready before they are asked for.
///
/// It checks what a provider must (client, PKCE, each code once) and nothing that costs time.
final class FastProvider: Sendable {
    /// What a provider is like.
    struct Configuration: Sendable {
        var algorithm: SignatureAlgorithm
        /// How many issuers there are; with more than one each says who it is in its response (RFC 9207).
        var issuerCount = 1
        var latency = TimeAmount.zero
        /// Set: HTTPS with this certificate.
        var certificate: DevelopmentCertificate?
        /// 0: any free port.
        var port = 0
    }

    /// Scheme, host and port.
    let origin: String
    let port: Int
    /// The issuers by their numbers.
    let issuers: [String]
    let signIns: PreparedSignIns
    private let service: ProviderService
    private let channel: any Channel

    private init(
        origin: String, port: Int, issuers: [String], signIns: PreparedSignIns, service: ProviderService,
        channel: any Channel
    ) {
        self.origin = origin
        self.port = port
        self.issuers = issuers
        self.signIns = signIns
        self.service = service
        self.channel = channel
    }

    /// How many token requests were answered with tokens.
    var tokenCount: UInt64 { service.tokenCount }

    /// How many connections were opened.
    var connectionCount: UInt64 { service.connectionCount }

    /// Lets nobody in any more. Connections end with those who opened them, or with the event loops.
    func stop() async {
        try? await channel.close().get()
    }

    /// Starts it on some event loops.
    static func start(
        _ configuration: Configuration, on group: any EventLoopGroup
    ) async throws -> FastProvider {
        let signer = try TokenSigner(configuration.algorithm)
        let tls = try configuration.certificate.map { try ServerTLS.context($0) }
        // The documents hold the port: it is taken first, and given to the listener that answers.
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
            origin: origin, port: port, issuers: issuers, signIns: signIns, service: service, channel: channel)
    }
}
