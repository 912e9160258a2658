// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
package import NIOCore
package import OIDCBrokerHTTP
package import OpenIDRelyingParty

// The extensions of a broker for a server that has a further listener for one of them.
extension Broker {
    /// The handler of routes of a type under the configuration that is in use now; `nil` if there is none.
    package func part<Part: RouteHandler>(_ type: Part.Type) -> Part? {
        current.part(type)
    }

    /// Hands a request that came over a listener of its own to an extension, whatever paths that has on the public one.
    /// It reaches no endpoint of the broker. The authority is not compared with the public URL: the listener knows
    /// which ones are its own. There is no span.
    /// - Parameters:
    ///   - request: The request.
    ///   - type: The type of the extension. Without one of it the response is 404.
    ///   - eventLoop: The event loop of the request's connection.
    ///   - respond: Responds to it. The future does not fail.
    package func respond<Part: RouteHandler>(
        to request: BrokerRequest, by type: Part.Type, on eventLoop: any EventLoop,
        _ respond: (Part, BrokerAccess) -> EventLoopFuture<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        let snapshot = current
        let target = RoutedTarget(request.path, snapshot.paths)
        guard let path = target.path, let part = snapshot.part(type) else {
            return .value(.plain(status: .notFound, "There is nothing here.\n"))
        }
        let context = RequestContext(
            snapshot: snapshot, services: services, eventLoop: eventLoop, logger: request.logger ?? services.logger,
            headerFields: request.headerFields, client: request.client, span: nil)
        return .future(respond(part, BrokerAccess(context: context, path: path, query: target.query)))
    }
}

extension BrokerSnapshot {
    fileprivate func part<Part: RouteHandler>(_ type: Part.Type) -> Part? {
        extensions.routes.lazy.compactMap { $0 as? Part }.first
    }
}
