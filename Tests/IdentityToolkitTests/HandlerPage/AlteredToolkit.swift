// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBroker
import OpenIDRelyingParty

@testable import IdentityToolkit
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState

/// The toolkit with something else in the place of what a login left, of what was verified, or of what waited, as
/// another version of the server or a provider could cause it.
struct AlteredToolkit: RouteHandler, LoginOwner {
    let base: IdentityToolkit
    /// What a start leaves; `nil` for what it does leave.
    var content: [UInt8]?
    var signIn: @Sendable (VerifiedSignIn) -> VerifiedSignIn = { $0 }
    var waiting: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    var loginPurpose: String { IdentityToolkit.purpose }

    func route(at path: String) -> HandledRoute? { altered(base.route(at: path)) }

    var startAtCallback: HandledRoute? { altered(base.startAtCallback) }

    private func altered(_ route: HandledRoute?) -> HandledRoute? {
        guard let route, let content else { return route }
        return HandledRoute(limit: .browsers) { request, broker in
            guard let provider = broker.provider(id: "oidc.acme") else { return route.respond(request, broker) }
            return broker.begin(
                ExtensionLogin(purpose: IdentityToolkit.purpose, client: "web", content: content), of: self,
                at: provider, parameters: [], scopes: [], language: nil, for: request)
        }
    }

    func title(ofClient name: String) -> String? { nil }

    /// It goes on, so that what takes part later is asked.
    func accepts(_ login: ExtensionLogin, at provider: String) -> Bool { true }

    func deliver(
        _ signIn: VerifiedSignIn, name: String?, of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<LoginDelivery> {
        base.deliver(self.signIn(signIn), name: name, of: login, with: broker)
    }

    func handOver(
        _ content: [UInt8], of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        base.handOver(waiting(content), of: login, with: broker)
    }

    func response(to outcome: Outcome, of login: ReturnedLogin, with broker: BrokerAccess) -> BrokerResponse {
        base.response(to: outcome, of: login, with: broker)
    }
}
