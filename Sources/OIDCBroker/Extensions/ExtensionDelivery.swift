// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// Delivers a verified sign-in to the extension that began the login, and holds what it lets wait.
struct ExtensionDelivery: RequestHandling {
    let context: RequestContext
    let login: CallbackLogin
    let owner: any LoginOwner
    /// What the state of the login had.
    let content: ExtensionLogin
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    func deliver(_ signIn: VerifiedSignIn) -> Eventual<BrokerResponse> {
        unverifiedName(
            with: login.user, issuer: signIn.issuer, subject: signIn.subject, at: login.provider
        ).flatMap { name in
            Eventual.future(
                owner.deliver(
                    signIn, name: name?.fullName, of: login.returned(content, in: context), with: BrokerAccess(context))
            ).flatMap {
                finish($0, signIn)
            }.recover { error in
                responses.end((error as? RefusedDelivery)?.outcome ?? .storeUnavailable, login)
            }
        }
    }

    private func finish(_ delivery: LoginDelivery, _ signIn: VerifiedSignIn) -> Eventual<BrokerResponse> {
        let subject = SubjectIdentifier.derive(issuer: signIn.issuer, subject: signIn.subject)
        switch delivery {
        case .handedOver(let response):
            responses.log(.signedIn, login.description, subject: subject)
            return .value(
                responses.deletingCookie(of: login, response.noting(Outcome.signedIn.label, login.reference)))
        case .waitingForPerson(let waiting):
            let held = held(waiting, subject)
            return hold(held, until: .person, signIn) { .page(held.page(login.state.loginID, in: context)) }
        case .waitingForClaim(let bytes, let response):
            let waiting = WaitingSignIn(content: bytes, account: nil, destination: "")
            return hold(held(waiting, subject), until: .claim, signIn) { response }
        }
    }

    private func held(_ waiting: WaitingSignIn, _ subject: String) -> PendingExtensionSignIn {
        PendingExtensionSignIn(
            login: content, provider: login.provider.name, language: login.state.requirements.language,
            subject: subject, waiting: waiting)
    }

    /// Keeps a sign-in, sealed with the value of the login's cookie, which stays.
    /// - Parameter respond: Returns the response if it is kept.
    private func hold(
        _ signIn: PendingExtensionSignIn, until event: PendingHandOff.Event, _ verified: VerifiedSignIn,
        _ respond: @escaping @Sendable () -> BrokerResponse
    ) -> Eventual<BrokerResponse> {
        let held = PendingHandOff(loginID: login.state.loginID, binding: login.binding, until: event)
        guard let sealed = held.seal(.ofExtension(signIn)) else {
            return .value(responses.end(.storeUnavailable, login))
        }
        let owner = SingleUseOwner.owner(
            issuer: verified.issuer, subject: verified.subject, app: content.share, provider: login.provider.share)
        return store.put(
            held.key, value: sealed, owner: owner.waiting(for: event, in: login.browser),
            seconds: login.secondsToWait(at: services.clock.now()), on: eventLoop
        ).flatMapThrowing { put in
            if let refusal = HandOffDelivery.Refusal(put) { return responses.end(refusal.outcome, login) }
            responses.log(.continuing, login.description, subject: signIn.subject)
            return respond().noting(Outcome.continuing.label, login.reference)
        }.recover { _ in responses.end(.storeUnavailable, login) }
    }
}

extension CallbackLogin {
    /// For how long a credential may wait for the user or a page, in seconds: for the rest of the login, at most ten minutes,
    /// and longer than a hand-off code lives, so that it never takes the room of codes.
    func secondsToWait(at now: Int64) -> Int64 {
        max(HandOff.lifetime + 1, min(LoginState.lifetime, state.issuedAt + state.maximumDuration - now))
    }

    /// The login as its extension sees it.
    func returned(_ content: ExtensionLogin, in context: RequestContext) -> ReturnedLogin {
        ReturnedLogin(
            login: content, provider: BrokerAccess.Provider(provider, context), loginID: state.loginID,
            language: state.requirements.language)
    }
}

extension ExtensionLogin {
    /// The key by which stores count the records of the client. No client ID of an app has a space.
    var share: SingleUseKey { .app(clientID: "\(purpose) \(client)") }
}
