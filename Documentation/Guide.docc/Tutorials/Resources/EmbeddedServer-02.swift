// SPDX-License-Identifier: Apache-2.0

import ExampleSite
import Configuration
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import OIDCBroker
import OIDCBrokerConfiguration

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// An ordinary HTTP/1.1 server on SwiftNIO without a framework. One line of its pipeline adds the broker.
@main
struct EmbeddedServer {
    static func main() async throws {
        let logger = Logger(label: "embedded-server")
        let group = MultiThreadedEventLoopGroup.singleton

        // The broker reads its configuration from the environment, and its connections to providers use the server's
        // event loops.
        let config = ConfigReader(provider: EnvironmentVariablesProvider())
        let configuration: BrokerConfiguration
        do {
            configuration = try await BrokerConfiguration(config: config)
        } catch {
            logger.critical("The configuration is not usable:\n\(error)")
            exit(78)
        }
        let sessions = Sessions()

        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(HelloHandler(sessions: sessions))
                }
            }
            .bind(
                host: config.string(forKey: "server.host", default: "127.0.0.1"),
                port: config.int(forKey: "server.port", default: 8080)
            )
            .get()

        logger.info("Listening", metadata: ["address": "\(String(describing: server.localAddress))"])
        try await server.closeFuture.get()
    }
}
