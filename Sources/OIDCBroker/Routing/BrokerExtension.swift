// SPDX-License-Identifier: Apache-2.0

import JOSE
package import Logging
package import NIOCore
package import OpenIDRelyingParty

/// A part of a server that responds at paths of its own beside the broker's. The broker knows nothing of what it does.
package protocol BrokerExtension: Sendable {
    /// Whether a path is the extension's: the bytes of the raw request target up to `?`. It is asked for every request
    /// that is not the broker's own, so it must be cheap.
    func handles(path: String) -> Bool

    /// Responds to a request, on its connection's event loop. The future does not fail.
    func respond(to request: BrokerRequest, with broker: BrokerAccess) -> EventLoopFuture<BrokerResponse>
}

/// What an extension may use of the broker while it responds to one request.
package struct BrokerAccess: Sendable {
    /// The path of the request, visible ASCII.
    package let path: String
    /// The query of the request without `?`, undecoded.
    package let query: Substring
    private let context: RequestContext

    init(context: RequestContext, path: String, query: Substring) {
        self.context = context
        self.path = path
        self.query = query
    }

    /// The event loop of the request's connection.
    package var eventLoop: any EventLoop { context.eventLoop }
    /// The request's logger, or else the broker's.
    package var logger: Logger { context.logger }
    /// The current time, in seconds since 1970.
    package var now: Int64 { context.services.clock.now() }

    /// Returns a provider by the ID that clients know; `nil` if there is none.
    package func provider(id: String) -> Provider? {
        context.snapshot.providers.first { $0.id.hasSameBytes(as: id) }.map(Provider.init)
    }

    /// A provider of the configuration.
    package struct Provider: Sendable {
        /// The ID that clients know.
        package let id: String
        /// The name in the configuration.
        package let name: String
        /// What verifies its ID tokens.
        package let relyingParty: RelyingParty
        /// Whether it sends the name of a person beside the ID token, as Apple does.
        package let sendsUser: Bool

        init(_ entry: ProviderEntry) {
            id = entry.id
            name = entry.name
            relyingParty = entry.relyingParty
            sendsUser = entry.behavior.sendsUser
        }
    }
}
