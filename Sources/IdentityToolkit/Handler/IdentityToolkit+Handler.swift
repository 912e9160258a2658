// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import OIDCBroker
package import OIDCBrokerHTTP
package import OIDCBrokerRecords
package import OIDCBrokerState
package import OpenIDRelyingParty

// The logins of the handler page, which the broker brings back.
extension IdentityToolkit: LoginOwner {
    /// What its logins are found again by.
    static let purpose = "firebase"

    package var loginPurpose: String { Self.purpose }

    package func title(ofClient name: String) -> String? { apps.app(named: name)?.title }

    /// The app and where the result goes are compared again: the configuration may have changed since the start.
    package func accepts(_ login: ExtensionLogin, at provider: String) -> Bool {
        guard let begun = HandlerLogin(encoded: login.content), let app = apps.app(named: begun.app) else {
            return false
        }
        return app.mayUse(provider: provider) && begun.destination.isAllowed(for: app)
    }

    package func deliver(
        _ signIn: VerifiedSignIn, name: String?, of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<LoginDelivery> {
        if let app = HandlerLogin(encoded: login.content).flatMap({ apps.app(named: $0.app) }),
            let refusal = login.provider.refusal(of: signIn, by: app.require)
        {
            return broker.eventLoop.makeFailedFuture(RefusedDelivery(refusal))
        }
        return HandlerDelivery(login, with: broker, publicURL: publicURL).deliver(signIn, name: name)
    }

    package func handOver(
        _ content: [UInt8], of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        HandlerDelivery(login, with: broker, publicURL: publicURL).handOver(content)
    }

    package func response(to outcome: Outcome, of login: ReturnedLogin, with broker: BrokerAccess) -> BrokerResponse {
        HandlerDelivery(login, with: broker, publicURL: publicURL).response(to: outcome)
    }
}

extension HandlerDestination {
    /// Whether the configuration of an app allows it.
    func isAllowed(for app: SDKApp) -> Bool {
        switch self {
        case .popup(let origin): app.allows(origin)
        case .redirect(let origin): app.allows(origin)
        case .ios(let scheme):
            app.kind == .ios
                && [app.native.oauthClientIDScheme, app.native.googleAppIDScheme].contains {
                    $0?.utf8.elementsEqual(scheme.utf8) == true
                }
        case .android(let package):
            app.kind == .android && app.native.packageName?.utf8.elementsEqual(package.utf8) == true
        }
    }
}
