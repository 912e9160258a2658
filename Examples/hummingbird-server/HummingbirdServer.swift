// SPDX-License-Identifier: Apache-2.0

#if Examples
    import ExampleServing
    import ExampleSite
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import HummingbirdHTTP2
    import Logging
    import NIOCore
    import NIOSSL
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerNIO
    import ServiceLifecycle

    /// A server on Hummingbird 2 over TLS, with HTTP/2 and HTTP/1.1. The broker's handler stands behind Hummingbird's codecs,
    /// and what it does not handle goes on to the router.
    struct HummingbirdServer: ExampleServer {
        let broker: Broker
        private let application: any Service

        init(configuration: BrokerConfiguration, parts: ExampleParts) throws {
            let sessions = Sessions()
            let broker = try parts.makeBroker(configuration, sessions: sessions)
            let router = Router(context: BasicRequestContext.self)
            router.get("/") { request, _ in
                sessions.greeting(cookies: request.headers[values: .cookie])
            }
            // Hummingbird evaluates the list for each HTTP/1.1 connection and each HTTP/2 stream: each has a handler of its
            // own. Nothing is in front of this server: the peer is the client.
            let channels = HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    broker.makeChannelHandler(parts: .httpTypes, logger: parts.logger, clientAddressing: .peer)
                ],
                idleTimeout: .seconds(60),
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
            application = Application(
                router: router,
                server: try .http2Upgrade(
                    tlsConfiguration: parts.tls,
                    configuration: HTTP2ChannelConfiguration(
                        idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(10), streamConfiguration: channels)),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: parts.port)),
                onServerRunning: { parts.onListening($0.localAddress) },
                eventLoopGroupProvider: .shared(parts.eventLoopGroup),
                logger: parts.logger)
            self.broker = broker
        }

        /// Serves until graceful shutdown.
        func run() async throws { try await application.run() }
    }
#endif
