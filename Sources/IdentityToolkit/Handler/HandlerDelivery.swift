// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// The end of a login at the handler page: how its result gets to the app.
struct HandlerDelivery: Sendable {
    /// The longest credential that is held with what its claims say of the user, in bytes. A store takes 64 KB, and
    /// the login and the encryption are added.
    private static let longestHeld = 60 * 1024

    private let login: ReturnedLogin
    private let broker: BrokerAccess
    private let publicURL: String
    /// What the start left; `nil` if another version of the server wrote it.
    private let begun: HandlerLogin?

    /// - Parameters:
    ///   - login: The login.
    ///   - broker: What may be used of the broker.
    ///   - publicURL: The URL of the broker: its origin and the prefix of its paths.
    init(_ login: ReturnedLogin, with broker: BrokerAccess, publicURL: String) {
        self.login = login
        self.broker = broker
        self.publicURL = publicURL
        begun = HandlerLogin(encoded: login.content)
    }

    // MARK: A sign-in

    /// Delivers a verified sign-in.
    /// - Parameter name: The name that came beside the ID token; `nil` if there is none.
    func deliver(_ signIn: VerifiedSignIn, name: String?) -> EventLoopFuture<LoginDelivery> {
        guard let begun else { return refused(.changed) }
        let credential = PendingCredential(
            signIn, providerID: login.provider.id, isApple: login.provider.sendsUser, name: name, now: broker.now)
        switch begun.destination {
        case .popup(let origin):
            // The page that gets the event may redeem the ticket, and no other page gets it.
            let sessionID = Base64URL.encode(SecureRandom.bytes(SessionBinding.byteCount))
            let binding = SessionBinding(sessionID: WireText(sessionID))
            return issue(credential, begun, boundTo: binding).map { ticket in
                .handedOver(page(event(begun, .ticket(ticket, sessionID: sessionID)), to: origin))
            }
        case .redirect(let origin):
            return broker.eventLoop.makeSucceededFuture(
                .waitingForClaim(Self.held(credential), page(done, of: origin)))
        case .ios(let name), .android(let name):
            let waiting = WaitingSignIn(
                content: Self.held(credential),
                account: credential.identity.email?.text ?? credential.identity.displayName, destination: name)
            return broker.eventLoop.makeSucceededFuture(.waitingForPerson(waiting))
        }
    }

    /// Hands over to an app on the device what waited for the user.
    func handOver(_ content: [UInt8]) -> EventLoopFuture<BrokerResponse> {
        guard let begun, let binding = begun.binding, let credential = PendingCredential(encoded: content) else {
            return refused(.changed)
        }
        return issue(credential, begun, boundTo: binding).flatMapThrowing { ticket in
            let event = event(begun, .ticket(ticket, sessionID: nil))
            guard let url = event.appURL(to: begun.destination, publicURL: publicURL) else {
                throw RefusedDelivery(.changed)
            }
            return broker.seeOther(url)
        }
    }

    /// Hands over what a page claimed.
    /// - Parameters:
    ///   - binding: The challenge of the page.
    ///   - page: The origin of the page; `nil` if it is not known, which is refused.
    func claimed(
        _ content: [UInt8], by binding: SessionBinding, from page: WebOrigin?
    ) -> EventLoopFuture<BrokerResponse> {
        guard let begun, case .redirect(let origin) = begun.destination, page == origin,
            let credential = PendingCredential(encoded: content)
        else { return refused(.changed) }
        return issue(credential, begun, boundTo: binding).map { ticket in
            self.page(event(begun, .ticket(ticket, sessionID: nil)).fragment(pageFragment: nil), of: origin)
        }
    }

    // MARK: No sign-in

    /// Tells the app why there is no sign-in.
    func response(to outcome: Outcome) -> BrokerResponse {
        guard let begun else { return broker.page(of: outcome, login) }
        let event = event(begun, .failure(HandlerFailure(outcome)))
        switch begun.destination {
        case .popup(let origin): return page(event, to: origin)
        // Nothing is held for it: any client can cause refusals, at any number.
        case .redirect(let origin): return page(event.fragment(pageFragment: nil), of: origin)
        case .ios, .android:
            return event.appURL(to: begun.destination, publicURL: publicURL).map { broker.seeOther($0) }
                ?? broker.page(of: outcome, login)
        }
    }

    // MARK: Parts

    private func event(_ begun: HandlerLogin, _ result: HandlerEvent.Result) -> HandlerEvent {
        HandlerEvent(begun.authType, eventID: begun.eventID, result)
    }

    /// Issues a ticket. The future fails with ``RefusedDelivery`` if the store does not take it.
    private func issue(
        _ credential: PendingCredential, _ begun: HandlerLogin, boundTo binding: SessionBinding
    ) -> EventLoopFuture<SignInTicket> {
        let ticket = SignInTicket()
        let record = SignInTicketRecord(
            app: begun.app, authType: begun.authType, binding: binding, credential: credential)
        guard let sealed = ticket.seal(record) else { return refused(.storeUnavailable) }
        // No client ID has a space.
        let owner = login.provider.owner(
            subject: credential.identity.key.subject, app: "\(IdentityToolkit.purpose) \(begun.app)")
        return broker.put(ticket.key, value: sealed, owner: owner, seconds: SignInTicket.lifetime)
            .flatMapThrowing { put in
                try put.requireStored()
                return ticket
            }
    }

    /// The page of a popup, which posts the event to exactly the origin at which the login began.
    private func page(_ event: HandlerEvent, to origin: WebOrigin) -> BrokerResponse {
        broker.page(posting: event, to: origin, handlerURL: publicURL + "/handler", language: login.language)
    }

    /// The page that goes back to the page at which the login began, with a result in the fragment.
    private func page(_ result: String, of origin: WebOrigin) -> BrokerResponse {
        broker.page(returning: result, to: origin, language: login.language)
    }

    /// The fragment that tells a page that a result waits, and the login to claim it with.
    private var done: String {
        FormURLEncoding.encode([("oidc-broker", "done"), ("login", Base64URL.encode(login.loginID))])
    }

    private static func held(_ credential: PendingCredential) -> [UInt8] {
        let bytes = credential.encoded
        return bytes.count <= longestHeld ? bytes : credential.withoutProfile.encoded
    }

    private func refused<Value>(_ outcome: Outcome) -> EventLoopFuture<Value> {
        broker.eventLoop.makeFailedFuture(RefusedDelivery(outcome))
    }
}
