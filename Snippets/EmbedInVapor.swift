// SPDX-License-Identifier: Apache-2.0

//! The broker as a middleware of Vapor 4. In the page OIDCBrokerNIO. Vapor is not a dependency of this package: CI
//! compares the text with the page, and does not compile it.
// snippet.hide

#if canImport(Vapor)
    // snippet.show
    import Admission
    import HTTPTypes
    import NIOHTTP1
    import NIOHTTPTypesHTTP1
    import OIDCBroker
    import OIDCBrokerHTTP
    import OIDCBrokerNIO
    import Vapor

    /// Responds to the broker's requests, and passes on all others: `app.middleware.use(..., at: .beginning)`.
    struct BrokerMiddleware: AsyncMiddleware {
        let broker: Broker

        func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
            guard broker.handles(path: request.url.string) else { return try await next.respond(to: request) }
            let head = HTTPRequestHead(
                version: request.version, method: request.method, uri: request.url.string, headers: request.headers)
            // Throws 413 for a body that is longer.
            let body = try await request.body.collect(max: broker.limits.maximumBodyBytes).get()
            // The peer is the client only if nothing is in front: behind a proxy, leave `client` out.
            let response = await broker.respond(
                to: BrokerRequest(
                    head: try HTTPRequest(head, secure: true, splitCookie: false), body: body ?? ByteBuffer(),
                    client: IPAddress(request.remoteAddress)),
                using: request.eventLoop)
            return Response(
                status: HTTPResponseStatus(statusCode: response.head.status.code),
                headers: HTTPHeaders(response.head.headerFields), body: .init(buffer: response.body))
        }
    }
// snippet.hide
#endif
