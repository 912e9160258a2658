// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import JOSE
package import NIOCore
package import OIDCBroker
package import OIDCBrokerHTTP
import OpenIDConnect

// The wire for SDKs that speak plain HTTP only, and the admin operations, on a listener that only this machine reaches.
extension IdentityToolkit {
    /// Responds to a request that came over the loopback listener, whose name for itself was in it.
    /// - Parameters:
    ///   - request: The request.
    ///   - broker: What may be used of the broker.
    ///   - credentials: What a request must have for an admin operation.
    /// - Returns: A future of the request's event loop, which does not fail.
    package func respondOnLoopback(
        to request: BrokerRequest, with broker: BrokerAccess, admin credentials: AdminCredentials
    ) -> EventLoopFuture<BrokerResponse> {
        let path = broker.path
        let (isStart, admin) = (isHandlerPath(path), AdminPath(path: path))
        if !isStart, isOfStranger(request, isAdmin: admin != nil, with: broker) {
            return broker.eventLoop.makeSucceededFuture(
                .plain(status: .forbidden, "This is for programs, and for web pages of authorized domains.\n")
                    .endingConnection())
        }
        if path.hasSameBytes(asASCII: "/") { return broker.eventLoop.makeSucceededFuture(Self.ready(request.method)) }
        if isStart, let url = AbsoluteURL(handlerURL) {
            let target = broker.query.isEmpty ? path : path + "?" + String(broker.query)
            return broker.eventLoop.makeSucceededFuture(Self.seeOther(url.origin + target, request.method))
        }
        if let admin {
            return respond(toAdmin: request, at: admin, with: broker, credentials: credentials)
        }
        guard let route = onLoopback.wireRoute(at: path) else {
            return broker.eventLoop.makeSucceededFuture(.plain(status: .notFound, "There is nothing here.\n"))
        }
        return route.respond(request, broker).map { response in
            var response = response
            Self.allowPrivateNetwork(&response.head.headerFields, as: request)
            return response
        }
    }

    /// Returns the path for the line about a request on the loopback listener, without a token in front of it; `nil` if
    /// it is not in the closed list.
    package func loopbackAccessPath(of path: String) -> String? {
        if path.hasSameBytes(asASCII: "/") || isHandlerPath(path) || wireRoute(at: path) != nil { return path }
        guard let admin = AdminPath(path: path), admin.projectID.hasSameBytes(as: service.tokens.projectID) else {
            return nil
        }
        return AdminPath.path(of: admin.operation, projectID: service.tokens.projectID)
    }

    /// The maximum size of the body of a request on the loopback listener, in bytes, where it is more than that of every other
    /// request; `nil` if it is not, or an operator did not send it.
    package func longestBody(of request: BrokerRequest, admin credentials: AdminCredentials) -> Int? {
        let target = request.path ?? ""
        let path = String(target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)])
        guard let admin = AdminPath(path: path), admin.operation == .batchCreate, request.method == .post,
            !ToolkitCrossOrigin(request.headerFields).isSent,
            (try? credentials.admit(request.headerFields, pathToken: admin.token)) != nil
        else { return nil }
        return AdminBatchCreateRequest.maximumBytes
    }

    /// Whether an SDK begins a sign-in at a path, in either of its modes.
    func isHandlerPath(_ path: String) -> Bool {
        switch handlerPaths.path(path) {
        case .handler, .emulatorHandler: true
        case .claim, nil: false
        }
    }

    /// What some tools ask an emulator for.
    private static func ready(_ method: HTTPRequest.Method) -> BrokerResponse {
        guard method == .get || method == .head else { return .methodNotAllowed("GET, HEAD") }
        return BrokerResponse(["authEmulator": .object(["ready": true])])
    }

    /// Sends the browser to the public URL, where the cookie of the login is: this listener has no https and no cookies.
    private static func seeOther(_ location: String, _ method: HTTPRequest.Method) -> BrokerResponse {
        guard method == .get || method == .head else { return .methodNotAllowed("GET, HEAD") }
        var response = BrokerResponse.plain(status: .seeOther, "")
        response.head.headerFields[.location] = location
        return response
    }

    /// Lets a page of the internet send a request to this machine, where it may read the response anyway (Private Network
    /// Access, section 3.1).
    private static func allowPrivateNetwork(_ fields: inout HTTPFields, as request: BrokerRequest) {
        guard request.method == .options, fields[.accessControlAllowOrigin] != nil,
            request.headerFields[.accessControlRequestPrivateNetwork]?.hasSameBytes(asASCII: "true") == true
        else { return }
        fields[.accessControlAllowPrivateNetwork] = "true"
    }

    // MARK: Admin operations

    private func respond(
        toAdmin request: BrokerRequest, at path: AdminPath, with broker: BrokerAccess, credentials: AdminCredentials
    ) -> EventLoopFuture<BrokerResponse> {
        do throws(ToolkitError) {
            try credentials.admit(request.headerFields, pathToken: path.token)
        } catch {
            return refuse(error, at: path, with: broker)
        }
        guard path.projectID.hasSameBytes(as: service.tokens.projectID) else {
            broker.count(path.operation.label, .refused)
            let error = ToolkitError(.insufficientPermission, "This server has another project.")
            return broker.eventLoop.makeSucceededFuture(.refusal(error))
        }
        if let method = path.operation.method, !request.method.rawValue.hasSameBytes(as: method) {
            return broker.eventLoop.makeSucceededFuture(.methodNotAllowed(method))
        }
        return AdminCall(service: service, operation: path.operation, broker: broker, cookies: cookies)
            .respond(to: request)
    }

    /// Refuses a request without the token, which counts as one that was refused.
    private func refuse(
        _ error: ToolkitError, at path: AdminPath, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        broker.countingFailures(
            over: { wait in
                broker.count(path.operation.label, .limited)
                var response = BrokerResponse.refusal(ToolkitError(.tooManyAttempts))
                response.head.headerFields[.retryAfter] = String(wait)
                return response
            },
            {
                broker.count(path.operation.label, .refused)
                broker.auditUnauthenticatedAdmin()
                var response = BrokerResponse.refusal(error)
                response.head.headerFields[.wwwAuthenticate] = "Bearer realm=\"accounts\""
                return broker.eventLoop.makeSucceededFuture(response)
            })
    }
}
