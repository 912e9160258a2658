// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import JOSE
import NIOCore
import OIDCBroker
import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDRelyingParty
import Synchronization

/// An extension that has an account for every user. It decides as it is told, and notes what it is asked.
final class StubAccounts: SignInDecider, NotificationReceiver, StubExtension {
    struct Failure: Error, CustomStringConvertible {
        let description = "the-database-password-is-hunter2"
    }

    static let uid = "uid-of-the-person"
    static let audience = "com.example.of-the-extension"

    private struct State {
        var decision: SignInDecision? = .allowed(account: StubAccounts.uid)
        var isConcerned: Bool? = false
        var asked: [SignInQuestion] = []
        var received: [ProviderNotification] = []
        var isUsable: Bool? = true
        var askedAbout: [String] = []
        var askedSince: [Int64?] = []
        var configurations: [BrokerConfiguration] = []
    }

    let decidesSignIns: Bool
    private let state = Mutex(State())

    init(decidesSignIns: Bool = true) { self.decidesSignIns = decidesSignIns }

    /// Decides about sign-ins from now on; `nil` to fail.
    func decide(_ decision: SignInDecision?) { state.withLock { $0.decision = decision } }

    /// Takes part in notifications from now on, or does not; `nil` to fail.
    func takePart(_ isConcerned: Bool?) { state.withLock { $0.isConcerned = isConcerned } }

    /// Says of every account from now on whether it may be used; `nil` to fail.
    func use(_ isUsable: Bool?) { state.withLock { $0.isUsable = isUsable } }

    /// The accounts that it was asked about, in their order.
    var askedAbout: [String] { state.withLock { $0.askedAbout } }
    /// The times since which it was asked about sessions, in their order.
    var askedSince: [Int64?] { state.withLock { $0.askedSince } }
    /// The configurations that it was given, in their order.
    var configurations: [BrokerConfiguration] { state.withLock { $0.configurations } }
    /// The sign-ins that it was asked about, in their order.
    var asked: [SignInQuestion] { state.withLock { $0.asked } }
    /// The notifications that it received, in their order.
    var received: [ProviderNotification] { state.withLock { $0.received } }

    var roles: BrokerExtensions {
        BrokerExtensions(decider: decidesSignIns ? self : nil, notifications: [self]) { [self] configuration in
            state.withLock { $0.configurations.append(configuration) }
            return roles
        }
    }

    func decide(about signIn: SignInQuestion, on eventLoop: any EventLoop) -> EventLoopFuture<SignInDecision> {
        let decision = state.withLock { state in
            state.asked.append(signIn)
            return state.decision
        }
        guard let decision else { return eventLoop.makeFailedFuture(Failure()) }
        return eventLoop.makeSucceededFuture(decision)
    }

    func isUsable(
        account: String, since issuedAt: Int64?, session: [UInt8]?, on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bool> {
        let isUsable = state.withLock { state in
            state.askedAbout.append(account)
            state.askedSince.append(issuedAt)
            return state.isUsable
        }
        guard let isUsable else { return eventLoop.makeFailedFuture(Failure()) }
        return eventLoop.makeSucceededFuture(isUsable)
    }

    func keptClaims(
        issuer: String, subject: String, account: String, on eventLoop: any EventLoop
    ) -> EventLoopFuture<JSONObject> {
        let newest = asked.last { $0.signIn.issuer == issuer && $0.signIn.subject == subject }
        return eventLoop.makeSucceededFuture(newest?.keptClaims ?? [:])
    }

    func nativeAudiences(at providerID: String, named name: String) -> [String] {
        providerID == "apple.com" && name == "apple" ? [Self.audience] : []
    }

    func receive(_ notification: ProviderNotification, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        let isConcerned = state.withLock { state in
            state.received.append(notification)
            return state.isConcerned
        }
        guard let isConcerned else { return eventLoop.makeFailedFuture(Failure()) }
        return eventLoop.makeSucceededFuture(isConcerned)
    }
}
