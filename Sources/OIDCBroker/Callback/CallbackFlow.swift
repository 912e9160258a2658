// SPDX-License-Identifier: Apache-2.0

import Admission
import HTTPTypes
import NIOCore
import OIDCBrokerHTTP
import OIDCBrokerRecords
import OIDCBrokerState
import OpenIDRelyingParty
import SingleUse

/// The callback: the redirect URI to which the provider sends the user agent back.
///
/// What ends before step 7 uses nothing up: an error, a response of another issuer, or an ID token that the provider
/// did not issue for this login costs an attacker no more than a request, so it must not leave anything behind.
struct CallbackFlow: RequestHandling {
    let context: RequestContext
    private var responses: CallbackResponses { CallbackResponses(context: context) }

    /// The steps without other parties. Beside each is what else becomes of the callback.
    func respond(to request: BrokerRequest, path: String, query: Substring) -> Eventual<BrokerResponse> {
        let begin = eventLoop.now
        let reader = CallbackReader(snapshot: snapshot, path: path, now: services.clock.now())
        let login: CallbackLogin
        let response: ReceivedAuthorizationResponse
        do throws(CallbackEnd) {
            // 1. Let nothing in but the navigation of a browser.   `.prefetch`, `.notNavigation`, `.readingFragment`
            try reader.admit(request, query: query)
            // 2. Read the response (OpenID Connect Core 3.1.2.5).  `.unreadable`, `.cancelled`, `.refused`
            let callback = try reader.read(request, query: query)
            // 3. Open the state (RFC 6749 10.12).    `.unknownState`, `.expired`, `.changed`, `.misdirected`
            let opened = try reader.open(callback)
            // 4. Read what its provider was asked for, alone.      `.unreadable`
            response = try reader.response(in: callback, to: opened)
            // 5. Compare the cookie with the login.  `.duplicateCookie`, `.otherBrowser`, `.reposting`
            login = try reader.bind(opened, callback, to: request)
        } catch {
            if let span = context.span, let start = error.start { span.link(to: start) }
            return responses.end(error, request, path: path, query: query)
        }
        if let span = context.span, let start = login.state.start { span.link(to: start) }
        return withinPlaces(login, since: begin) { complete(login, response) }
    }

    /// The steps that ask the provider and the store.
    private func complete(
        _ login: CallbackLogin, _ response: ReceivedAuthorizationResponse
    ) -> Eventual<BrokerResponse> {
        let relyingParty = login.provider.relyingParty
        let scope = RequestScope(on: eventLoop, trace: trace(of: login.provider))
        // 6. Validate `iss` (RFC 9207) and the ID token, if any.   `.cancelled`, `.providerUnavailable`, `.failed`
        return relyingParty.validate(response, expecting: login.expectation, in: scope).flatMap { validated in
            withinLimitsOfClient(login, validated) {
                // 7. Claim the login, which returns once.  `.expired`, `.alreadyFinished`, `.storeUnavailable`
                claim(login, validated).flatMap {
                    // 8. Exchange the code (RFC 6749 4.1.3), and verify the ID token (OpenID Connect Core 3.1.3.7).
                    //    `.providerUnavailable`, `.failed`
                    relyingParty.exchange(validated)
                }.flatMap { signIn in
                    // 9. Deliver the sign-in.  `.unexpectedSubject`, `.requirementNotMet`, `.accountRefused`,
                    //    `.storeUnavailable`
                    deliver(signIn, validated, to: login)
                } failure: { error in
                    // 10. Or respond with why there is none.
                    end(login, validated, error)
                }
            }
        } failure: { error in
            refuse(login, error)
        }
    }

    // MARK: 6

    /// Takes a place among the callbacks that wait for providers, which uses nothing up.
    private func withinPlaces(
        _ login: CallbackLogin, since begin: NIODeadline, _ work: () -> Eventual<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        let places = services.limiter.callbacks
        let provider = snapshot.hasSeveralWebFlows ? login.provider.number : nil
        guard places.begin(of: provider) else {
            services.limiter.count(.callbacks)
            // A place is probably free in five seconds.
            return .value(
                LimitResponses(context: context).refusal(ofCallback: .tooManyCallbacks, login, retryAfter: 5))
        }
        let response = work()
        response.whenComplete { _ in
            places.end(of: provider)
            metrics.callbackDuration.record(eventLoop.now - begin, login.provider.id)
        }
        return response
    }

    /// Ends the login, and leaves no claim: the app receives the error each time it comes with the login's cookie. Of a
    /// login that had a callback with a code before, the user is told that it is over.
    private func refuse(_ login: CallbackLogin, _ error: any Error) -> Eventual<BrokerResponse> {
        let error = error as? RelyingPartyError ?? .unusable(.authorization, "failed")
        let refusal = error.step == .authorization ? error.providerError : nil
        return isClaimed(login.state).flatMap { isClaimed in
            guard !isClaimed else { return ReplayedCallback(context: context, state: login.state).respond(to: login) }
            // A client can make up an ID token for a login of its own.
            let line: RepeatableEvent? = error.step == .idToken ? .refusedIDToken : nil
            return .value(responses.end(refusal.map { Outcome(of: $0, error) } ?? Outcome(of: error), login, as: line))
        }
    }

    // MARK: 7

    /// Stays within the limits of the client address, which use nothing up.
    private func withinLimitsOfClient(
        _ login: CallbackLogin, _ validated: ValidatedAuthorizationResponse, _ work: () -> Eventual<BrokerResponse>
    ) -> Eventual<BrokerResponse> {
        services.clients.run(
            validated.hasCode ? .codeCallback : .idTokenCallback, for: context.client, at: login.provider, work
        ) {
            LimitResponses(context: context).refusal(
                ofCallback: .tooManyFromAddress($0), login, retryAfter: $0.retryAfter)
        }
    }

    private func claim(_ login: CallbackLogin, _ validated: ValidatedAuthorizationResponse) -> Eventual<Void> {
        let now = services.clock.now()
        // Metadata or keys may have been fetched meanwhile.
        guard !login.state.isStale(at: now) else { return .failure(LoginEnd.ended(.expired)) }
        if validated.hasCode, let wait = login.provider.relyingParty.wait(before: .token) {
            // The code would not be sent. Nothing is used up, and the same URL can be used for another attempt.
            let outcome = Outcome.providerUnavailable(.transport(.token, .circuitOpen))
            return .failure(LoginEnd.later(outcome, retryAfter: wait))
        }
        return store.claim(
            SingleUseKey(.login, login.state.loginID),
            seconds: login.state.issuedAt + login.state.maximumDuration - now,
            // A code is used once by the provider as well.
            standsAlone: !validated.hasCode, on: eventLoop
        ).flatMap { claim in
            switch claim {
            case .won:
                services.clients.claimed(context.client, at: login.provider)
                return .value(())
            case .lost: return .failure(LoginEnd.replayed)
            default: return .failure(LoginEnd.ended(.storeUnavailable))
            }
        } failure: { _ in
            .failure(LoginEnd.ended(.storeUnavailable))
        }
    }

    // MARK: 9 and 10

    private func deliver(
        _ signIn: VerifiedSignIn, _ validated: ValidatedAuthorizationResponse, to login: CallbackLogin
    ) -> Eventual<BrokerResponse> {
        if validated.hasCode { services.clients.succeeded(.exchange, for: context.client, at: login.provider) }
        switch login.recipient {
        case .app(let app, let redirectURI):
            guard let handler = app.handler else {
                return CallbackDelivery(context: context, login: login, app: app, redirectURI: redirectURI)
                    .deliver(signIn)
            }
            return InProcessDelivery(context: context, login: login, app: app, handler: handler).deliver(signIn)
        case .ofExtension(let owner, let content):
            return ExtensionDelivery(context: context, login: login, owner: owner, content: content).deliver(signIn)
        }
    }

    private func end(
        _ login: CallbackLogin, _ validated: ValidatedAuthorizationResponse, _ error: any Error
    ) -> Eventual<BrokerResponse> {
        if let end = error as? LoginEnd {
            switch end {
            case .ended(let outcome): return .value(responses.end(outcome, login))
            case .later(let outcome, let wait): return .value(responses.page(outcome, login, retryAfter: wait))
            case .replayed: return ReplayedCallback(context: context, state: login.state).respond(to: login)
            }
        }
        let failure = error as? RelyingPartyError ?? .unusable(.token, "failed")
        services.clients.failed(failure, for: context.client, at: login.provider)
        let response = { @Sendable in responses.end(Outcome(of: failure), login) }
        // A name is sent with the first consent only. The ID token that came with the code says whose it is. The
        // response waits, because another replica may get the next sign-in.
        guard error is RelyingPartyError, failure.step == .token, let user = login.user, let person = validated.signIn
        else { return .value(response()) }
        return unverifiedName(with: user, issuer: person.issuer, subject: person.subject, at: login.provider)
            .flatMapThrowing { _ in response() }
    }
}
