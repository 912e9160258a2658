// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// Finds the endpoint of one request.
struct Router {
    let snapshot: BrokerSnapshot
    let services: BrokerServices
    let eventLoop: any EventLoop

    func respond(to request: BrokerRequest) -> Eventual<BrokerResponse> {
        if request.validatesAuthority, !isOwn(authority: request.head.authority) {
            return .value(.plain(status: .misdirectedRequest, "This server does not answer for that name.\n"))
        }
        let target = request.head.path ?? "/"
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { target[target.utf8.index(after: $0)...] } ?? ""
        // HTTP/2 carries any byte in a path; ours are visible ASCII, which alone is cheap to compare.
        guard let path = WireText(target[..<(mark ?? target.endIndex)]).visibleASCII(atMost: BrokerPaths.longest) else {
            return .value(.plain(status: .notFound, "There is nothing here.\n"))
        }
        let method = request.head.method
        // Not `snapshot.paths` as a constant of its own: that copies a dozen texts to read a few.
        if path == snapshot.paths.handler || snapshot.paths.callbacks.contains(path) {
            switch method {
            case .get, .post:
                return CallbackEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                    .respond(to: request, path: path, query: query)
            // No side effect: whoever looks only must not use a login up.
            case .head: return .value(.plain(status: .ok, ""))
            default: return .value(methodNotAllowed("GET, HEAD, POST"))
            }
        }
        switch path {
        case snapshot.paths.authorize:
            guard method == .get else { return .value(methodNotAllowed("GET")) }
            return AuthorizationEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                .respond(to: request, query: query)
        case snapshot.paths.choose:
            guard method == .post else { return .value(methodNotAllowed("POST")) }
            return AuthorizationEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop)
                .respondToChoice(request)
        case snapshot.paths.proceed:
            guard method == .post else { return .value(methodNotAllowed("POST")) }
            return ContinueEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop).respond(to: request)
        case snapshot.paths.token:
            return TokenEndpoint(snapshot: snapshot, services: services, eventLoop: eventLoop).respond(to: request)
        case snapshot.paths.discovery:
            return .value(document(snapshot.discoveryDocument, method))
        case snapshot.paths.keySet:
            return .value(document(snapshot.keySetDocument, method))
        default:
            return respondBeyond(to: request, path: path)
        }
    }

    /// Whether an authority is the public URL's; the scheme's own port may be written or not.
    private func isOwn(authority: String?) -> Bool {
        guard let authority = authority.flatMap({ WireText($0).ascii(atMost: Self.longestAuthority) }) else {
            return false
        }
        let publicURL = snapshot.configuration.publicURL
        // Nearly always spelled as it was configured.
        if authority == publicURL.authority { return true }
        return isOwn(otherwiseSpelled: authority.lowercased(), publicURL)
    }

    /// A host of 253 bytes in brackets, and a port.
    private static let longestAuthority = 262

    private func isOwn(otherwiseSpelled authority: String, _ publicURL: PublicURL) -> Bool {
        var authority = authority
        let port = publicURL.isSecure ? ":443" : ":80"
        if publicURL.port == nil, authority.hasSuffix(port) { authority.removeLast(port.count) }
        return authority == publicURL.authority
    }

    /// A public document: readable by any page, without credentials, and by caches for five minutes.
    private func document(_ bytes: [UInt8], _ method: HTTPRequest.Method) -> BrokerResponse {
        switch method {
        case .get, .head:
            var response = BrokerResponse.json(bytes)
            response.head.headerFields[.cacheControl] = "public, max-age=300"
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            return response
        case .options:
            var response = BrokerResponse.plain(status: .noContent, "")
            response.head.headerFields[.accessControlAllowOrigin] = "*"
            response.head.headerFields[.accessControlAllowMethods] = "GET, HEAD"
            return response
        default:
            return methodNotAllowed("GET, HEAD, OPTIONS")
        }
    }

    private func methodNotAllowed(_ allowed: String) -> BrokerResponse {
        var response = BrokerResponse.plain(status: .methodNotAllowed, "That method is not allowed here.\n")
        response.head.headerFields[.allow] = allowed
        return response
    }
}
