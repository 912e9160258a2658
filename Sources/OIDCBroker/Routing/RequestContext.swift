// SPDX-License-Identifier: Apache-2.0

import Logging
import NIOCore

/// The values that every step of one request needs. It is a class because closures of each step capture it.
final class RequestContext: Sendable {
    /// The configuration, as it was when the request came.
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    /// The event loop of the request's connection.
    let eventLoop: any EventLoop
    /// The request's logger, or else the broker's.
    let logger: Logger

    init(snapshot: BrokerSnapshot, services: BrokerServices, eventLoop: any EventLoop, logger: Logger) {
        self.snapshot = snapshot
        self.services = services
        self.eventLoop = eventLoop
        self.logger = logger
    }
}

/// A part of the broker that serves one request.
protocol RequestHandling: Sendable {
    var context: RequestContext { get }
}

extension RequestHandling {
    var snapshot: BrokerSnapshot { context.snapshot }
    var services: BrokerServices { context.services }
    var eventLoop: any EventLoop { context.eventLoop }
    var logger: Logger { context.logger }
}
