// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerConfiguration

/// The parts of a server that extend the broker, by their roles. The broker knows nothing of what they do.
package struct BrokerExtensions: Sendable {
    /// What handles routes.
    package var routes: [any RouteHandler]
    /// What decides about sign-ins of apps with accounts; `nil` if nothing does, and then there may be no such app.
    package var decider: (any SignInDecider)?
    /// What keeps the sessions of apps with refresh tokens; `nil` if nothing does, and then no app gets any.
    package var sessions: (any AppSessionKeeper)?
    /// What owns logins.
    package var logins: [any LoginOwner]
    /// What receives notifications, one after another.
    package var notifications: [any NotificationReceiver]
    private let configure: (@Sendable (BrokerConfiguration) -> BrokerExtensions)?

    /// Creates the extensions of a broker.
    /// - Parameter configure: Returns the extensions of the requests that begin under a configuration; `nil` if they take
    ///   nothing of it. It is called for each configuration that was found valid, when the broker is created and at each
    ///   reload, never twice at the same time. It must not call the broker.
    package init(
        routes: [any RouteHandler] = [], decider: (any SignInDecider)? = nil,
        sessions: (any AppSessionKeeper)? = nil, logins: [any LoginOwner] = [],
        notifications: [any NotificationReceiver] = [],
        configure: (@Sendable (BrokerConfiguration) -> BrokerExtensions)? = nil
    ) {
        self.routes = routes
        self.decider = decider
        self.sessions = sessions
        self.logins = logins
        self.notifications = notifications
        self.configure = configure
    }

    /// The extensions under a configuration. The broker takes them into use together with it, so that a request sees both
    /// of the same reload.
    package func configured(by configuration: BrokerConfiguration) -> BrokerExtensions {
        configure?(configuration) ?? self
    }

    /// Finds a route by its path.
    func route(at path: String) -> HandledRoute? {
        for handler in routes {
            if let route = handler.route(at: path) { return route }
        }
        return nil
    }
}
