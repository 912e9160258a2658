// SPDX-License-Identifier: Apache-2.0

import Configuration
import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OIDCBrokerTesting
import OpenIDRelyingParty
import ServiceLifecycle

/// This broker, as it is shipped, beside a provider that answers at once; both on loopback, over plain HTTP.
struct MeasuredBroker: Sendable {
    static let redirectURI = "https://app.example.com/callback"
    static let clientID = "bench"

    /// `scheme://host:port` of the broker.
    let origin: String

    private let provider: OpenIDProvider
    private let transport: AsyncHTTPClientTransport
    private let services: ServiceGroup
    private let serving: Task<Void, any Error>

    static func start(algorithm: String, on group: MultiThreadedEventLoopGroup) async throws -> MeasuredBroker {
        var logger = Logger(label: "callback-latency")
        logger.logLevel = .error
        let port = try await freePort(on: group)
        let origin = "http://127.0.0.1:\(port)"
        let provider = try await OpenIDProvider.start(
            OpenIDProvider.Configuration(
                clients: [
                    .init(id: "broker", secret: "bench-secret", redirectURIs: [origin + "/__/auth/handler"])
                ],
                signingAlgorithm: algorithm == "rs256" ? .rs256 : .es256,
                interaction: .automatic(0)),
            on: group)
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "auth.public-url": .init(stringLiteral: origin),
            "auth.providers": .init(.stringArray(["bench"]), isSecret: false),
            "auth.provider.bench.issuer": .init(stringLiteral: provider.issuer),
            "auth.provider.bench.client-id": "broker",
            "auth.provider.bench.client-secret": "bench-secret",
            "auth.provider.bench.insecure-loopback-issuer": true,
            "auth.apps": .init(.stringArray([clientID]), isSecret: false),
            "auth.app.bench.redirect-uris": .init(.stringArray([redirectURI]), isSecret: false),
        ]
        let transport = AsyncHTTPClientTransport(eventLoopGroup: group)
        let broker = try Broker(
            configuration: try await BrokerConfiguration(
                config: ConfigReader(provider: InMemoryProvider(values: values))),
            transport: transport, logger: logger)
        let server = try BrokerServer(
            configuration: ServerConfiguration(host: "127.0.0.1", port: port), broker: broker, eventLoopGroup: group,
            logger: logger)
        let services = ServiceGroup(configuration: .init(services: [server], logger: logger))
        let serving = Task { try await services.run() }
        _ = try await server.boundAddress()
        return MeasuredBroker(
            origin: origin, provider: provider, transport: transport, services: services, serving: serving)
    }

    func stop() async throws {
        await services.triggerGracefulShutdown()
        try await serving.value
        try await transport.shutdown()
        try await provider.shutdown()
    }

    /// The public URL must be known before the listener is: a port is taken and let go.
    private static func freePort(on group: any EventLoopGroup) async throws -> Int {
        let channel = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }
}
