// SPDX-License-Identifier: Apache-2.0

//! What a server hands to the broker, and the broker's background work in its service group. In the page OIDCBrokerNIO.
// snippet.hide

import Logging
import Metrics
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerOperations
import OpenIDRelyingParty
import ServiceLifecycle
import UnixSignals

func makeBroker(
    _ configuration: BrokerConfiguration, _ transport: any ProviderTransport, _ metrics: any MetricsFactory,
    logger: Logger, auditLogger: Logger
) throws -> Broker {
    // snippet.show
    let broker = try Broker(
        configuration: configuration, transport: transport, requestLimits: RequestLimits(), logger: logger,
        auditLogger: auditLogger, metricsFactory: metrics)
    // snippet.hide
    return broker
}

func run(
    _ broker: Broker, beside server: any Service, _ configurations: AsyncStream<BrokerConfiguration>,
    _ metrics: any MetricsFactory, logger: Logger
) async throws {
    // snippet.show
    let background = BrokerService(broker, configurations: configurations, logger: logger, metricsFactory: metrics)
    let services = ServiceGroup(services: [background, server], gracefulShutdownSignals: [.sigterm], logger: logger)
    try await services.run()
    // snippet.hide
}
