// SPDX-License-Identifier: Apache-2.0

//! What a server that embeds the broker gives it to be observed by. In the pages Observing and OIDCBrokerNIO.
// snippet.hide

import Logging
import Metrics
import OIDCBroker
import OIDCBrokerConfiguration
import OpenIDRelyingParty
import Tracing

func observed(
    configuration: BrokerConfiguration, transport: any ProviderTransport, logger: Logger, metrics: any MetricsFactory
) throws -> Broker {
    // snippet.show
    let broker = try Broker(
        configuration: configuration, transport: transport, logger: logger,
        auditLogger: Logger(label: "auth.audit"), metricsFactory: metrics)
    // snippet.hide
    return broker
}

func handedIn(
    configuration: BrokerConfiguration, transport: any ProviderTransport, logger: Logger, auditLogger: Logger,
    metrics: any MetricsFactory, tracer: any Tracer
) throws -> Broker {
    // snippet.show
    let broker = try Broker(
        configuration: configuration, transport: transport, requestLimits: RequestLimits(), logger: logger,
        auditLogger: auditLogger, metricsFactory: metrics, tracer: tracer)
    // snippet.hide
    return broker
}
