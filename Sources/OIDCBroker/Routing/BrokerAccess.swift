// SPDX-License-Identifier: Apache-2.0

import JOSE
package import Logging
package import NIOCore
package import OpenIDRelyingParty

/// What an extension may use of the broker while it responds to one request.
package struct BrokerAccess: Sendable {
    /// The path of the request, visible ASCII.
    package let path: String
    /// The query of the request without `?`, undecoded.
    package let query: Substring
    let context: RequestContext

    init(context: RequestContext, path: String, query: Substring) {
        self.context = context
        self.path = path
        self.query = query
    }

    /// Creates it for a request to an endpoint of the broker's own, whose path and query are no concern of an extension.
    init(_ context: RequestContext) {
        self.init(context: context, path: "", query: "")
    }

    /// The event loop of the request's connection.
    package var eventLoop: any EventLoop { context.eventLoop }
    /// The request's logger, or else the broker's.
    package var logger: Logger { context.logger }
    /// The current time, in seconds since 1970.
    package var now: Int64 { context.services.clock.now() }

    /// Returns a provider by the ID that clients know; `nil` if there is none.
    package func provider(id: String) -> Provider? {
        context.snapshot.providers.first { $0.id.hasSameBytes(as: id) }.map { Provider($0, context) }
    }

    /// A provider of the configuration.
    package struct Provider: Sendable {
        /// The ID that clients know.
        package let id: String
        /// The name in the configuration.
        package let name: String
        /// What verifies its ID tokens.
        package let relyingParty: RelyingParty
        /// Whether it sends the name of a user beside the ID token, as Apple does.
        package let sendsUser: Bool
        let entry: ProviderEntry
        let context: RequestContext

        init(_ entry: ProviderEntry, _ context: RequestContext) {
            self.entry = entry
            self.context = context
            id = entry.id
            name = entry.name
            relyingParty = entry.relyingParty
            sendsUser = entry.behavior.sendsUser
        }
    }
}
