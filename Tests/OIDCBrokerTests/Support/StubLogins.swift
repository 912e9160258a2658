// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerHTTP
import OIDCBrokerPages
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import Synchronization

/// An extension that begins logins at `/stub/start` and delivers them as it is told.
final class StubLogins: RouteHandler, LoginOwner, StubExtension {
    /// How it delivers a sign-in.
    enum Delivery: Sendable {
        case handedOver
        case waitingForPerson
        case waitingForClaim
        case refused(Outcome)
        case failed
    }

    struct Delivered: Sendable {
        let signIn: VerifiedSignIn
        let name: String?
        let login: ReturnedLogin
    }

    struct Failure: Error {}

    static let purpose = "stub"
    static let client = "web"
    static let content: [UInt8] = [1, 2, 3]
    static let secret = "what-waits-is-hunter2"

    private struct State {
        var delivery = Delivery.handedOver
        var isAccepting = true
        var parameters: [(name: String, value: String)] = []
        var scopes: [String] = []
        var content = StubLogins.content
        var delivered: [Delivered] = []
        var handedOver: [[UInt8]] = []
        var outcomes: [Outcome] = []
        var starts: [String] = []
    }

    let takesHandlerStarts: Bool
    private let state = Mutex(State())

    init(takesHandlerStarts: Bool = true) { self.takesHandlerStarts = takesHandlerStarts }

    func deliver(_ delivery: Delivery) { state.withLock { $0.delivery = delivery } }
    func accept(_ isAccepting: Bool) { state.withLock { $0.isAccepting = isAccepting } }
    func ask(_ parameters: [(name: String, value: String)], scopes: [String] = []) {
        state.withLock { ($0.parameters, $0.scopes) = (parameters, scopes) }
    }
    func keep(_ content: [UInt8]) { state.withLock { $0.content = content } }

    /// What was delivered to it, handed over by it, and ended at it, in their order.
    var delivered: [Delivered] { state.withLock { $0.delivered } }
    var handedOver: [[UInt8]] { state.withLock { $0.handedOver } }
    var outcomes: [Outcome] { state.withLock { $0.outcomes } }
    /// The paths of the starts of SDKs.
    var starts: [String] { state.withLock { $0.starts } }

    var roles: BrokerExtensions { BrokerExtensions(routes: [self], logins: [self]) }

    var loginPurpose: String { Self.purpose }

    func title(ofClient name: String) -> String? { nil }

    func route(at path: String) -> HandledRoute? {
        path == "/stub/start" || path == "/stub/claim" ? HandledRoute(limit: .browsers, respond: respond) : nil
    }

    var startAtCallback: HandledRoute? {
        takesHandlerStarts ? HandledRoute(limit: .browsers, respond: respond) : nil
    }

    @Sendable private func respond(
        to request: BrokerRequest, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        switch broker.path {
        case "/stub/start":
            guard let provider = broker.provider(id: "oidc.acme") else {
                return broker.eventLoop.makeSucceededFuture(broker.refuseStart("There is no provider."))
            }
            let (parameters, scopes, content) = state.withLock { ($0.parameters, $0.scopes, $0.content) }
            return broker.begin(
                ExtensionLogin(purpose: Self.purpose, client: Self.client, content: content), of: self, at: provider,
                parameters: parameters, scopes: scopes, language: .german, for: request)
        case "/stub/claim":
            return broker.claim(WireText(broker.query), of: Self.purpose, for: request) { [self] content, login in
                handOver(content, of: login, with: broker)
            }
        default:
            state.withLock { $0.starts.append(broker.path) }
            return broker.eventLoop.makeSucceededFuture(broker.seeOther("https://stub.example/started"))
        }
    }

    func accepts(_ login: ExtensionLogin, at provider: String) -> Bool {
        state.withLock { $0.isAccepting } && login.client == Self.client && provider == "acme"
    }

    func deliver(
        _ signIn: VerifiedSignIn, name: String?, of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<LoginDelivery> {
        let delivery = state.withLock { state in
            state.delivered.append(Delivered(signIn: signIn, name: name, login: login))
            return state.delivery
        }
        let waiting = Array(Self.secret.utf8)
        switch delivery {
        case .handedOver:
            return broker.eventLoop.makeSucceededFuture(.handedOver(broker.seeOther("https://stub.example/done")))
        case .waitingForPerson:
            return broker.eventLoop.makeSucceededFuture(
                .waitingForPerson(
                    WaitingSignIn(content: waiting, account: "ada@people.example", destination: "com.example.stub")))
        case .waitingForClaim:
            return broker.eventLoop.makeSucceededFuture(
                .waitingForClaim(waiting, broker.seeOther("https://stub.example/waiting")))
        case .refused(let outcome): return broker.eventLoop.makeFailedFuture(RefusedDelivery(outcome))
        case .failed: return broker.eventLoop.makeFailedFuture(Failure())
        }
    }

    func handOver(
        _ content: [UInt8], of login: ReturnedLogin, with broker: BrokerAccess
    ) -> EventLoopFuture<BrokerResponse> {
        state.withLock { $0.handedOver.append(content) }
        return broker.eventLoop.makeSucceededFuture(broker.seeOther("https://stub.example/handed-over"))
    }

    func response(to outcome: Outcome, of login: ReturnedLogin, with broker: BrokerAccess) -> BrokerResponse {
        state.withLock { $0.outcomes.append(outcome) }
        return broker.seeOther("https://stub.example/ended")
    }
}
