// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// An ID token that came through the browser: validated before the mark, since anybody can make one up for a login of his
/// own.
extension CallbackEndpoint {
    /// What a callback brought, validated as far as the callback alone allows.
    enum Validated: Sendable {
        /// A code, of which nothing can be said before it is exchanged.
        case code(AuthorizationCode)
        /// An ID token of the provider's for this login, with a code or without.
        case idToken(FrontChannelSignIn)

        /// Whether the provider is asked for tokens.
        var hasCode: Bool {
            switch self {
            case .code: true
            case .idToken(let front): front.hasCode
            }
        }
    }

    /// Validates what the callback brought, and goes on to the mark. At most the provider's keys are fetched before it.
    func validate(
        _ login: Login, _ parameters: AuthorizationResponse, _ asked: AuthorizationResponse.Contents
    ) -> EventLoopFuture<BrokerResponse> {
        if case .code(let code) = asked { return mark(login, parameters, .code(code)) }
        let promise = eventLoop.makePromise(of: BrokerResponse.self)
        login.provider.relyingParty.validate(
            response: asked, issuer: parameters.issuer, state: parameters.state, expecting: expectation(of: login),
            on: eventLoop
        ).whenComplete { result in
            switch result {
            case .success(let front):
                mark(login, parameters, .idToken(front)).cascade(to: promise)
            case .failure(let error):
                refuse(login, error as? RelyingPartyError ?? .unusable(.idToken, "failed")).cascade(to: promise)
            }
        }
        return promise.futureResult
    }

    /// The app is told; of a login that returned already the person is told that it is over.
    private func refuse(_ login: Login, _ error: RelyingPartyError) -> EventLoopFuture<BrokerResponse> {
        isMarked(login.state).map { isFinished in
            guard !isFinished else {
                return response(.alreadyFinished, provider: login.provider, redirectURI: login.redirectURI)
            }
            return answer(
                error.isTemporary ? .providerUnavailable(error) : .failed(error), login, as: .refusedIDToken)
        }
    }
}
