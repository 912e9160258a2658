// SPDX-License-Identifier: Apache-2.0

//! A whole server on Hummingbird 2. In the page Hummingbird. A snippet cannot depend on Hummingbird, so the condition is
//! never set: CI compares the text with the page, and compiles the same calls in Examples/hummingbird-server.
// snippet.hide

#if DependsOnHummingbird
    // snippet.show
    import Configuration
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import HummingbirdHTTP2
    import Logging
    import NIOPosix
    import NIOSSL
    import OIDCBroker
    import OIDCBrokerConfiguration
    import OIDCBrokerNIO
    import OpenIDRelyingParty

    @main
    struct Server {
        static func main() async throws {
            let logger = Logger(label: "server")
            let group = MultiThreadedEventLoopGroup.singleton
            let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
            let sessions = Sessions()
            let broker = try Broker(
                configuration: try await BrokerConfiguration(
                    config: ConfigReader(provider: EnvironmentVariablesProvider())),
                transport: transport,
                signInHandlers: ["site": SignInHandler { sessions.begin($0) }], logger: logger)

            let router = Router(context: BasicRequestContext.self)
            router.get("/") { request, _ -> String in
                guard let user = sessions.user(cookies: request.headers[values: .cookie]) else {
                    return "Sign in at /__/auth/login/site?to=/"
                }
                return "Hello, \(user)!"
            }

            // Hummingbird evaluates the list for each HTTP/1.1 connection and each HTTP/2 stream: each has a handler of
            // its own. Nothing is in front of this server, so the peer of a connection is the client.
            let channels = HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    broker.makeChannelHandler(parts: .httpTypes, logger: logger, clientAddressing: .peer)
                ],
                idleTimeout: .seconds(60),
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
            let tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile("certificate.pem").map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: "key.pem", format: .pem)))
            let application = Application(
                router: router,
                server: try .http2Upgrade(
                    tlsConfiguration: tls,
                    configuration: HTTP2ChannelConfiguration(
                        idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(10), streamConfiguration: channels)),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 8443)),
                eventLoopGroupProvider: .shared(group), logger: logger)

            try await application.runService()
            try await transport.shutdown()
        }
    }
// snippet.hide
#else
    @main enum WithoutHummingbird {
        static func main() { print("The example hummingbird-server is this server.") }
    }
#endif
