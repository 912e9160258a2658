// SPDX-License-Identifier: Apache-2.0

//! Metrics and health beside a broker. In the page OIDCBrokerOperations.
// snippet.hide

import Logging
import Metrics
import NIOCore
import NIOPosix
import OIDCBroker
import OIDCBrokerOperations

func operations(of broker: Broker, on group: MultiThreadedEventLoopGroup, logger: Logger) -> OperationsListener {
    // snippet.show
    let metrics = PrometheusMetrics(logger: logger)
    MetricsSystem.bootstrap(metrics)

    let readiness = ReadinessState()
    let loops = EventLoopWatch(group)
    let expiries = ExpiryDates()
    let endpoints = OperationsEndpoints(
        readiness: readiness, loops: loops,
        report: {
            HealthReport(of: broker, version: "1.0", uptimeSeconds: 0, configuration: nil, expiries: expiries)
        },
        metrics: metrics, sources: [.process, .broker(broker)])
    let operations = OperationsListener(host: "127.0.0.1", port: 9090, endpoints: endpoints, logger: logger)
    // snippet.hide
    return operations
}
