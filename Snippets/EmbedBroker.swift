// SPDX-License-Identifier: Apache-2.0

//! The broker as a channel handler of a SwiftNIO server. In README.md, Examples/README.md and the page OIDCBrokerNIO.
// snippet.hide

import Configuration
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypesHTTP2
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerNIO
import OpenIDRelyingParty

final class ApplicationHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
}

final class Visitors: Sendable {}

final class HelloHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart

    init(sessions: Visitors) {}
}

func embed(on group: MultiThreadedEventLoopGroup, logger: Logger) async throws {
    // snippet.show
    let configuration = try await BrokerConfiguration(config: ConfigReader(provider: EnvironmentVariablesProvider()))
    let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
    let broker = try Broker(configuration: configuration, transport: transport, logger: logger)

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

func addHello(_ channel: any Channel, _ broker: Broker, _ sessions: Visitors, logger: Logger) throws {
    // snippet.show
    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
    try channel.pipeline.syncOperations.addBroker(broker, logger: logger)
    try channel.pipeline.syncOperations.addHandler(HelloHandler(sessions: sessions))
    // snippet.hide
}

func addToStream(_ channel: any Channel, _ broker: Broker, logger: Logger) throws {
    // snippet.show
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
    try pipeline.addBroker(broker, logger: logger)
    try pipeline.addHandler(ApplicationHandler())
    // snippet.hide
}

func makeHandler(_ broker: Broker, logger: Logger) -> any ChannelHandler {
    // snippet.show
    let handler = broker.makeChannelHandler(parts: .httpTypes, logger: logger)
    // snippet.hide
    return handler
}

func behindProxies(_ channel: any Channel, _ broker: Broker, _ proxies: TrustedProxies, logger: Logger) throws {
    // snippet.show
    let addressing = ClientAddressing.forwarded(in: .xForwardedFor, by: proxies)
    try channel.pipeline.syncOperations.addBroker(broker, logger: logger, clientAddressing: addressing)
    // snippet.hide
}
