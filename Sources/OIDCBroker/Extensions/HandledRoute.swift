// SPDX-License-Identifier: Apache-2.0

package import Admission
package import NIOCore
package import OIDCBrokerHTTP

/// A route that a ``RouteHandler`` found at a path. It keeps what was read of the path, which is read once.
package struct HandledRoute: Sendable {
    /// The limit in which its requests count. Those that browsers are sent to count before the handler is asked, in
    /// `browsers`; for `refusals` it calls ``BrokerAccess/countingFailures(over:_:)``. `nil` is for constant bytes, which
    /// cost no more than a refusal.
    package let limit: RateLimit?
    /// Whether a user or an app waits there for the end of a sign-in.
    let endsSignIn: Bool
    /// Responds to a request, on its connection's event loop. The future does not fail.
    package let respond: @Sendable (BrokerRequest, BrokerAccess) -> EventLoopFuture<BrokerResponse>

    /// Creates a route.
    package init(
        limit: RateLimit, endsSignIn: Bool = false,
        respond: @escaping @Sendable (BrokerRequest, BrokerAccess) -> EventLoopFuture<BrokerResponse>
    ) {
        self.limit = limit
        self.endsSignIn = endsSignIn
        self.respond = respond
    }

    /// Creates the route of a document of constant bytes.
    /// - Parameter document: Returns the response to a request.
    package init(document: @escaping @Sendable (BrokerRequest) -> BrokerResponse) {
        limit = nil
        endsSignIn = false
        respond = { request, broker in broker.eventLoop.makeSucceededFuture(document(request)) }
    }
}

/// Handles routes beside the broker's own.
package protocol RouteHandler: Sendable {
    /// Finds a route by its path: the bytes of the raw request target up to `?`. It is asked for every request that is not
    /// the broker's own, so it must be cheap. Each path is one of a closed list, so that the line about a request may show
    /// it.
    /// - Returns: `nil` if there is none at the path.
    func route(at path: String) -> HandledRoute?

    /// What handles the GET requests to the broker's own callback path that carry `apiKey` and no `state`, with which SDKs
    /// begin logins; `nil` if it handles none. Only the first handler that has one gets them.
    var startAtCallback: HandledRoute? { get }
}
