// SPDX-License-Identifier: Apache-2.0

import Admission
import JOSE
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDConnect
import OpenIDRelyingParty

/// Completes one login: validation at the relying party, the claim, and the exchange of the code.
struct CallbackCompletion: RequestHandling {
    let context: RequestContext
    let login: CallbackLogin
    private var responses: CallbackResponses { CallbackResponses(context: context) }
    private var relyingParty: RelyingParty { login.provider.relyingParty }

    /// Completes the login within the limit on callbacks that wait for providers, which uses nothing up.
    /// - Parameter begin: When the request came.
    func complete(
        _ response: ReceivedAuthorizationResponse, since begin: NIODeadline
    ) -> Eventual<BrokerResponse> {
        let places = services.limiter.callbacks
        let provider = snapshot.hasSeveralWebFlows ? login.provider.number : nil
        guard places.begin(of: provider) else {
            services.limiter.count(.callbacks)
            return .value(responses.page(.tooManyCallbacks, login, retryAfter: Self.retryAfterPlaces))
        }
        let completed = validateAndClaim(response)
        completed.whenComplete { _ in
            places.end(of: provider)
            metrics.callbackDuration.record(eventLoop.now - begin, login.provider.id)
        }
        return completed
    }

    /// The time after which a place is probably free, in seconds.
    private static let retryAfterPlaces: Int64 = 5

    private func validateAndClaim(_ response: ReceivedAuthorizationResponse) -> Eventual<BrokerResponse> {
        relyingParty.validate(
            response, expecting: login.expectation, on: eventLoop, trace: trace(of: login.provider)
        ).flatMap(on: eventLoop) {
            .future(claim($0))
        } failure: {
            .future(refuse($0))
        }
    }

    // MARK: Before the claim

    /// Ends the login with an error, and leaves no claim. The app receives the error each time it comes with the cookie of
    /// the login, which the response deletes. If the login had a callback with a code before, the user is told that it is
    /// over.
    private func refuse(_ error: any Error) -> EventLoopFuture<BrokerResponse> {
        let error = error as? RelyingPartyError ?? .unusable(.authorization, "failed")
        let outcome =
            if error.step == .authorization, let refusal = error.providerError {
                Outcome(of: refusal)
            } else {
                Outcome(of: error)
            }
        return isClaimed(login.state).flatMap { isFinished in
            guard !isFinished else { return alreadyFinished }
            // A client can make up an ID token for a login of its own.
            return eventLoop.makeSucceededFuture(
                responses.end(outcome, login, as: error.step == .idToken ? .refusedIDToken : nil))
        }
    }

    private var alreadyFinished: EventLoopFuture<BrokerResponse> {
        FinishedLogin(context: context, state: login.state).respond(to: login)
    }

    /// Claims the callback of the login within the limits of its client address, which use nothing up.
    private func claim(_ validated: ValidatedAuthorizationResponse) -> EventLoopFuture<BrokerResponse> {
        services.clients.run(
            validated.hasCode ? .codeCallback : .idTokenCallback, for: login.clientAddress, at: login.provider,
            on: eventLoop
        ) {
            claimUnbounded(validated)
        } refusal: {
            responses.page(.tooManyFromAddress($0), login, retryAfter: $0.retryAfter)
        }
    }

    private func claimUnbounded(_ validated: ValidatedAuthorizationResponse) -> EventLoopFuture<BrokerResponse> {
        let now = services.clock.now()
        // Metadata or keys may have been fetched meanwhile.
        guard !login.state.isStale(at: now) else {
            return eventLoop.makeSucceededFuture(responses.end(.expired, login))
        }
        if validated.hasCode, let wait = relyingParty.wait(before: .token) {
            // The code would not be sent. Nothing is used up, and the same URL can be used for another attempt.
            return eventLoop.makeSucceededFuture(
                responses.page(.providerUnavailable(.transport(.token, .circuitOpen)), login, retryAfter: wait))
        }
        return store.claim(
            SingleUseKey(.login, login.state.loginID), seconds: login.state.issuedAt + LoginState.lifetime - now,
            // A code is used once by the provider as well.
            standsAlone: !validated.hasCode, on: eventLoop
        ).recover { _ in .full }.flatMap(on: eventLoop) { claim in
            switch claim {
            case .won:
                services.clients.claimed(login.clientAddress, at: login.provider)
                return .future(exchange(validated))
            case .lost:
                return .future(alreadyFinished)
            default:
                return .value(responses.end(.storeUnavailable, login))
            }
        }.future(on: eventLoop)
    }

    // MARK: After the claim

    private func exchange(_ validated: ValidatedAuthorizationResponse) -> EventLoopFuture<BrokerResponse> {
        // A single promise instead of a chain of futures.
        let promise = eventLoop.makePromise(of: BrokerResponse.self)
        relyingParty.complete(validated) { result in
            switch result {
            case .success(let signIn):
                if validated.hasCode {
                    services.clients.succeeded(.exchange, for: login.clientAddress, at: login.provider)
                }
                deliver(signIn).cascade(to: promise)
            case .failure(let error):
                let known = error as? RelyingPartyError
                let error = known ?? .unusable(.token, "failed")
                services.clients.failed(error, for: login.clientAddress, at: login.provider)
                // Only an error that names its step tells how far the ID token was verified.
                let kept = known.map { keepName(validated, after: $0) } ?? .value(())
                kept.whenComplete { _ in promise.succeed(responses.end(Outcome(of: error), login)) }
            }
        }
        return promise.futureResult
    }

    /// Delivers a verified sign-in to whom it belongs.
    private func deliver(_ signIn: VerifiedSignIn) -> Eventual<BrokerResponse> {
        switch login.recipient {
        case .app(let app, let redirectURI):
            CallbackDelivery(context: context, login: login, app: app, redirectURI: redirectURI).deliver(signIn)
        case .ofExtension(let owner, let content):
            ExtensionDelivery(context: context, login: login, owner: owner, content: content).deliver(signIn)
        }
    }

    /// Keeps the name of a user whose code could not be exchanged, because it is sent only with the first consent. The
    /// ID token that came with the code identifies the user. The response waits for it: another replica may get the next
    /// sign-in.
    private func keepName(
        _ validated: ValidatedAuthorizationResponse, after error: RelyingPartyError
    ) -> Eventual<Void> {
        guard let user = login.user, error.step == .token, let person = validated.signIn else { return .value(()) }
        return unverifiedName(with: user, issuer: person.issuer, subject: person.subject, at: login.provider)
            .flatMapThrowing { _ in }
    }
}

extension Outcome {
    /// The outcome of an error of the relying party.
    init(of error: RelyingPartyError) {
        self = error.isTemporary ? .providerUnavailable(error) : .failed(error)
    }

    /// The outcome of an error from the authorization endpoint. `user_cancelled_authorize` is Apple's own code.
    init(of error: ProviderError) {
        let isCancelled = error.code == "access_denied" || error.code == "user_cancelled_authorize"
        self = isCancelled ? .cancelled : .refused(error)
    }
}

extension RequestHandling {
    /// Whether a login returned already. This only determines the words of a page, so an unavailable store counts as
    /// no.
    func isClaimed(_ state: LoginState) -> EventLoopFuture<Bool> {
        briefStore.isClaimed(SingleUseKey(.login, state.loginID), on: eventLoop).recover { _ in false }.future(
            on: eventLoop)
    }
}
