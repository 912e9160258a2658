// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import OIDCBrokerTesting

/// The standard pipeline of SwiftNIO on one event loop, without OpenID Connect and its cryptography: HTTP/1.1, or HTTP/2
/// with NIOSSL and NIOHTTP2 as they are. With TLS it has no HTTP/1.1, so that no handler must wait for the protocol.
struct FloorServer: Sendable {
    let port: Int
    let issuer: String
    /// The certificate for TLS; `nil` for plain HTTP.
    let certificate: DevelopmentCertificate?

    /// Serves until the process ends.
    func serve() async throws {
        guard let providerPort = LoadPlan.port(of: issuer), issuer.hasPrefix("http://127.0.0.1:") else {
            throw LatencyToolError("the issuer must be http://127.0.0.1:port/…")
        }
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: providerPort)
        let path = URLText.requestTarget(of: issuer) + "/token"
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
        let upstream = try await eventLoop.submit {
            NIOLoopBound(FloorUpstream(address: address, path: path, eventLoop: eventLoop), eventLoop: eventLoop)
        }.get()
        let tls = try certificate.map { try Self.context($0) }
        let scheme = tls == nil ? "http" : "https"
        let redirect =
            "\(issuer)/authorize?response_type=code&client_id=\(ProviderClient.id)&scope=openid"
            + "&redirect_uri=\(URLText.percentEncoded("\(scheme)://127.0.0.1:\(port)/callback"))"
            + "&state=floor-state-0123456789&nonce=floor-nonce-0123456789"
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(ChannelOptions.backlog, value: 4096)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    guard let tls else {
                        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
                        try pipeline.addHandler(FloorHandler(redirect: redirect, upstream: upstream.value))
                        return
                    }
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: NIOHTTP2Handler.ConnectionConfiguration(),
                        streamConfiguration: NIOHTTP2Handler.StreamConfiguration()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandlers(
                                HTTP2FramePayloadToHTTP1ServerCodec(),
                                FloorHandler(redirect: redirect, upstream: upstream.value))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        try await channel.closeFuture.get()
    }

    private static func context(_ certificate: DevelopmentCertificate) throws -> NIOSSLContext {
        var configuration = try certificate.serverConfiguration()
        configuration.applicationProtocols = ["h2"]
        return try NIOSSLContext(configuration: configuration)
    }
}
