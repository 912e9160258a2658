// SPDX-License-Identifier: Apache-2.0

//! The standalone server in a process of one's own. In the page OIDCBrokerServer.
// snippet.hide

import Logging
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerServer
import OpenIDRelyingParty
import ServiceLifecycle
import UnixSignals

func run(logger: Logger) async throws {
    // snippet.show
    let sources = try await ConfigurationSources(configurationFile: "broker.yaml")
    let loaded = try await sources.load()
    let group = MultiThreadedEventLoopGroup.singleton
    try await loaded.server.providerTransport.withTransport(on: group) { transport in
        // Without this an `auth.store` that replicas share would be a store in memory.
        let store = try loaded.store.open(logger: logger)
        let broker = try Broker(
            configuration: loaded.broker, transport: transport, stores: store?.stores,
            requestLimits: loaded.server.limits.requestLimits, logger: logger)
        let server = try BrokerServer(
            configuration: loaded.server, broker: broker, eventLoopGroup: group, logger: logger)
        try await ServiceGroup(
            services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        ).run()
        await store?.shutdown()
    }
    // snippet.hide
}
