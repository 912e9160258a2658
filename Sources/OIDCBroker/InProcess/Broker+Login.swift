// SPDX-License-Identifier: Apache-2.0

public import NIOCore
public import OIDCBrokerHTTP
import OpenIDRelyingParty
import Tracing

extension Broker {
    /// Begins a login of an app of kind `in-process`.
    /// - Returns: A future of the given event loop with the response to send: a redirect to the provider with the cookie
    ///   of the login, or a page on which the user chooses a provider. It fails with ``LoginRequestError``.
    public func login(_ request: LoginRequest, on eventLoop: any EventLoop) -> EventLoopFuture<BrokerResponse> {
        let snapshot = current
        let span = services.tracing?.begin(.login, in: snapshot, under: request.serviceContext ?? .topLevel)
        let context = RequestContext(
            snapshot: snapshot, services: services, eventLoop: eventLoop, logger: services.logger,
            headerFields: request.headerFields, client: request.client, span: span)
        let response: Eventual<BrokerResponse>
        do throws(LoginRequestError) {
            response = try InProcessStart(context: context).begin(request)
        } catch {
            response = .failure(error)
        }
        return (span?.ending(with: response) ?? response).future(on: eventLoop)
    }
}
