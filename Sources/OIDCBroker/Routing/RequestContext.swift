// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// The values that every step of one request needs.
struct RequestContext: Sendable {
    /// The configuration, as it was when the request came.
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    /// The event loop of the request's connection.
    let eventLoop: any EventLoop
}

/// A part of the broker that serves one request.
protocol RequestHandling: Sendable {
    var context: RequestContext { get }
}

extension RequestHandling {
    var snapshot: BrokerSnapshot { context.snapshot }
    var services: BrokerServices { context.services }
    var eventLoop: any EventLoop { context.eventLoop }
}
