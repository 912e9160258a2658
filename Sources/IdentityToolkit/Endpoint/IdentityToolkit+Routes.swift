// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
package import OIDCBroker
import OIDCBrokerHTTP
import OpenIDConnect

// The paths of the wire, of the documents and of the handler. All are in tables, byte by byte.
extension IdentityToolkit: RouteHandler {
    package func route(at path: String) -> HandledRoute? {
        if let route = wireRoute(at: path) ?? sdkDocuments.document(at: path).map({ HandledRoute(document: $0) }) {
            return route
        }
        return switch handlerPaths.path(path) {
        case .emulatorHandler: handlerRoute(.emulatorHandler)
        case .claim: handlerRoute(.claim)
        case .handler, nil: nil
        }
    }

    package var startAtCallback: HandledRoute? { handlerRoute(.handler) }

    private func handlerRoute(_ path: HandlerPaths.Path) -> HandledRoute {
        HandledRoute(limit: .browsers, endsSignIn: path == .claim) {
            HandlerEndpoint(toolkit: self, broker: $1).respond(to: $0, at: path)
        }
    }

    /// Finds a route of the wire, or of a document about its keys; `nil` if there is none at the path.
    func wireRoute(at path: String) -> HandledRoute? {
        guard let found = ToolkitPath(path: path) else {
            return documents.document(at: path).map { HandledRoute(document: $0) }
        }
        return HandledRoute(limit: .refusals) { respond(to: $0, at: found, with: $1) }
    }

    /// Responds to a request at a path of the wire.
    private func respond(
        to request: BrokerRequest, at path: ToolkitPath, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        let origin = ToolkitCrossOrigin(request.headerFields)
        if request.method == .options {
            var response = BrokerResponse.plain(status: .noContent, "")
            origin.allowPreflight(&response.head.headerFields, for: apps)
            return broker.eventLoop.makeSucceededFuture(response)
        }
        return broker.countingFailures(
            over: { wait in
                // The SDKs treat it as a network error, and keep the user signed in.
                var response = BrokerResponse.unavailable(retryAfter: Int(clamping: wait))
                origin.allow(&response.head.headerFields, for: apps)
                return response
            }, { respond(to: request, at: path, from: origin, with: broker) })
    }

    /// Responds to a request of an operation.
    private func respond(
        to request: BrokerRequest, at path: ToolkitPath, from origin: ToolkitCrossOrigin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        guard path.allows(method: request.method.rawValue) else {
            return broker.eventLoop.makeSucceededFuture(
                .methodNotAllowed(path.methods.joined(separator: ", ")))
        }
        let app: SDKApp
        do throws(ToolkitError) {
            app = try self.app(of: broker.query, request.headerFields)
        } catch {
            var response = BrokerResponse(error, for: path.operation)
            origin.allow(&response.head.headerFields, for: apps)
            return broker.eventLoop.makeSucceededFuture(response)
        }
        let call = ToolkitCall(
            toolkit: self, operation: path.operation, app: app, broker: broker, sealer: sealer,
            isOfPage: origin.isPage(of: app))
        return call.respond(to: request).map { response in
            var response = response
            origin.allow(&response.head.headerFields, for: app)
            return response
        }
    }

    /// The app that the API key in the query names, or else the one in `X-Goog-Api-Key`.
    private func app(of query: Substring, _ fields: HTTPFields) throws(ToolkitError) -> SDKApp {
        let received: WireText?
        do throws(ParametersError) {
            received = try FormURLEncoding.parse(query).nonEmptyValue("key")
        } catch {
            throw ToolkitError(.invalidArgument, "The query cannot be read, or has key twice.")
        }
        guard let key = received ?? fields[.googleAPIKey].map({ WireText($0) }) else { throw .missingKey }
        guard let app = apps.app(forKey: key) else { throw .unknownKey }
        return app
    }
}
