// SPDX-License-Identifier: Apache-2.0

import LatencyMeasurement
import NIOCore
import NIOHTTP1
import NIOPosix

/// The standard HTTP/1.1 pipeline of SwiftNIO on one event loop, without OpenID Connect and cryptography.
struct FloorServer: Sendable {
    let port: Int
    let issuer: String

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
        let redirect =
            "\(issuer)/authorize?response_type=code&client_id=\(ProviderClient.id)&scope=openid"
            + "&redirect_uri=\(URLText.percentEncoded("http://127.0.0.1:\(port)/callback"))"
            + "&state=floor-state-0123456789&nonce=floor-nonce-0123456789"
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(ChannelOptions.backlog, value: 4096)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    try channel.pipeline.syncOperations.addHandler(
                        FloorHandler(redirect: redirect, upstream: upstream.value))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        try await channel.closeFuture.get()
    }
}
