// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerPages
import OpenIDConnect
import OpenIDRelyingParty

/// The router of requests to endpoints.
struct Router: RequestHandling {
    let context: RequestContext
    let target: RoutedTarget

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        if request.validatesAuthority, !isOwn(authority: request.authority) {
            return .value(
                CrossOrigin(request).allowing(
                    .plain(status: .misdirectedRequest, "This server does not respond for that name.\n"),
                    before: target.endpoint, for: snapshot))
        }
        let path = target.path ?? ""
        let route: Route =
            // A server that serves other names on the same listener has a root of its own.
            if path.hasSameBytes(asASCII: "/"), request.validatesAuthority {
                .root
            } else if target.path == nil {
                .nothing
            } else {
                Route(target.endpoint, at: path, in: snapshot)
            }
        let response = admit(request, on: route, path: path)
        guard case .value(let value) = response,
            value.head.status == .notFound || value.head.status == .methodNotAllowed
        else { return response }
        return .value(readable(value, by: request, isPage: route.limit != nil))
    }

    /// Responds to a request within the limits of its route.
    private func admit(_ request: BrokerRequest, on route: Route, path: String) -> Eventual<BrokerResponse> {
        guard let limit = route.limit else { return respond(to: request, on: route, path: path) }
        let limits = LimitResponses(context: context)
        if limit == .browsers, let refusal = limits.refusal(ofBrowser: request) { return .value(refusal) }
        return limits.holding(request, on: route) { respond(to: request, on: route, path: path) }
    }

    /// Returns a response without an endpoint of its own as a page for a user, and as JSON for an app.
    /// - Parameter isPage: Whether it may be a page, which costs more than the bytes of a document.
    private func readable(_ response: BrokerResponse, by request: BrokerRequest, isPage: Bool) -> BrokerResponse {
        let isMissing = response.head.status == .notFound
        let isNavigation =
            isPage && request.headerFields[.secFetchMode] != nil && FetchMetadata.isDocumentNavigation(request)
        var readable: BrokerResponse
        if isNavigation {
            let pages = pages
            readable = .page(
                pages.failure(
                    isMissing ? pages.texts.notFound : pages.texts.notLoadable, status: response.head.status))
        } else {
            readable =
                TokenError(
                    "invalid_request",
                    isMissing ? "There is nothing at this path." : "The method is not allowed at this path.",
                    status: response.head.status
                ).response
        }
        // What a page of an app may read stays the same.
        let kept: [HTTPField.Name] = [.allow, .vary, .accessControlAllowOrigin, .accessControlExposeHeaders]
        for name in kept { readable.head.headerFields[name] = response.head.headerFields[name] }
        return readable
    }

    private func respond(to request: BrokerRequest, on route: Route, path: String) -> Eventual<BrokerResponse> {
        let query = target.query
        switch route {
        case .endpoint(let endpoint): return respond(to: request, at: endpoint, path: path, query: query)
        case .notification(let provider):
            return NotificationEndpoint(context: context).respond(to: request, from: provider)
        case .login(let app):
            guard request.method == .get else { return .value(.methodNotAllowed("GET")) }
            return InProcessStart(context: context).respond(to: request, app: app, query: query)
        case .clientKeySet(let keys): return .value(document(keys, request))
        case .domainAssociation(let file): return .value(domainAssociation(file, request.method))
        case .ofExtension(let route):
            return .future(route.respond(request, BrokerAccess(context: context, path: path, query: query)))
        case .root:
            guard request.method == .get || request.method == .head else {
                return .value(.methodNotAllowed("GET, HEAD"))
            }
            return .value(.page(pages.aboutServer()))
        case .nothing: return .value(.plain(status: .notFound, "There is nothing here.\n"))
        }
    }

    private func respond(
        to request: BrokerRequest, at endpoint: EndpointPath, path: String, query: Substring
    ) -> Eventual<BrokerResponse> {
        let method = request.method
        switch endpoint {
        case .callback:
            switch method {
            case .get, .post:
                return CallbackFlow(context: context).respond(to: request, path: path, query: query)
            // HEAD has no side effects, so a login is not used up.
            case .head: return .value(.plain(status: .ok, ""))
            default: return .value(.methodNotAllowed("GET, HEAD, POST"))
            }
        case .authorize:
            guard method == .get || method == .post else { return .value(.methodNotAllowed("GET, POST")) }
            return StartFlow(context: context).respond(to: request, query: query)
        case .choose:
            guard method == .post else { return .value(.methodNotAllowed("POST")) }
            return StartFlow(context: context).respondToChoice(request)
        case .continue:
            guard method == .post else { return .value(.methodNotAllowed("POST")) }
            return ContinueEndpoint(context: context).respond(to: request)
        case .logout:
            guard method == .get || method == .post else { return .value(.methodNotAllowed("GET, POST")) }
            return LogoutFlow(context: context).respond(to: request, query: query)
        case .confirmLogout:
            guard method == .post else { return .value(.methodNotAllowed("POST")) }
            return LogoutFlow(context: context).respondToConfirmation(request)
        case .loggedOut:
            guard method == .get else { return .value(.methodNotAllowed("GET")) }
            return .value(LogoutFlow(context: context).respondToReturn(request, query: query))
        case .userInfo: return UserInfoEndpoint(context: context).respond(to: request)
        case .token: return RedemptionFlow(context: context).respond(to: request)
        case .discovery: return .value(document(snapshot.discoveryDocument, request))
        case .keySet: return .value(document(snapshot.keySetDocument, request))
        case .credential: return NativeCredentialFlow(context: context).respond(to: request)
        case .revoke: return RevocationEndpoint(context: context).respond(to: request)
        case .introspect: return IntrospectionEndpoint(context: context).respond(to: request)
        }
    }

    /// Returns Apple's domain association file, byte for byte.
    private func domainAssociation(_ file: [UInt8], _ method: HTTPRequest.Method) -> BrokerResponse {
        guard method == .get || method == .head else { return .methodNotAllowed("GET, HEAD") }
        var response = BrokerResponse.plain(status: .ok, "")
        response.head.headerFields[.contentType] = "text/plain"
        response.body = ByteBuffer(bytes: file)
        return response
    }

    /// Whether an authority is that of the public URL, with or without the default port.
    private func isOwn(authority: String?) -> Bool {
        guard let authority = authority.flatMap({ WireText($0).ascii(atMost: Self.longestAuthority) }) else {
            return false
        }
        let publicURL = snapshot.configuration.publicURL
        // Nearly all clients use the configured spelling.
        if authority == publicURL.authority { return true }
        return isOwn(otherwiseSpelled: authority.lowercased(), publicURL)
    }

    /// The maximum length in bytes: a host of 253 bytes in brackets, and a port.
    private static let longestAuthority = 262

    private func isOwn(otherwiseSpelled authority: String, _ publicURL: PublicURL) -> Bool {
        var authority = authority
        let port = publicURL.isSecure ? ":443" : ":80"
        if publicURL.port == nil, authority.hasSuffix(port) { authority.removeLast(port.count) }
        return authority == publicURL.authority
    }

    /// Returns a public document, which caches may keep for five minutes.
    private func document(_ document: PublicDocument, _ request: BrokerRequest) -> BrokerResponse {
        .publicDocument(document, maximumAge: 300, to: request)
    }
}
