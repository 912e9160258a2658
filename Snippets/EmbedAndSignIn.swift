// SPDX-License-Identifier: Apache-2.0

//! A server that embeds the broker and signs its own visitors in. In README.md.

import Configuration
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerNIO
import OpenIDRelyingParty

// snippet.hide

final class ApplicationHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
}

struct Sessions: Sendable {
    func begin(_ signIn: CompletedSignIn) -> SignInResponse { .redirect() }
}

func embed(on group: MultiThreadedEventLoopGroup, sessions: Sessions, logger: Logger) async throws {
    // snippet.show
    let configuration = try await BrokerConfiguration(config: ConfigReader(provider: EnvironmentVariablesProvider()))
    let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
    let broker = try Broker(
        configuration: configuration, transport: transport,
        signInHandlers: ["site": SignInHandler { sessions.begin($0) }], logger: logger)

    let bootstrap = ServerBootstrap(group: group).childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addBroker(broker, logger: logger)
            try channel.pipeline.syncOperations.addHandler(ApplicationHandler())
        }
    }
    // snippet.hide
    _ = try await bootstrap.bind(host: "127.0.0.1", port: 8080).get()
}
