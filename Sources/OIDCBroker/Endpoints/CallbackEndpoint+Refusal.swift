// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect
import OpenIDRelyingParty

/// What ends before the mark, and leaves none: everybody who began a login can cause it without the provider.
extension CallbackEndpoint {
    /// What `iss` alone says, without the provider's metadata; `nil` if it says nothing.
    func refusal(of parameters: AuthorizationResponse, _ login: Login) -> Outcome? {
        // Of an issuer with several spellings only the relying party can tell.
        if let issuer = parameters.issuer, !login.provider.relyingParty.hasIssuerRule,
            !issuer.hasSameBytes(as: login.provider.configuration.issuer)
        {
            return .failed(.issuerMismatch)
        }
        // On a shared callback path only `iss` tells whose code this is; that the provider announced it at the start does
        // not say that its metadata still does (RFC 9207, mix-up).
        return login.provider.mustAnnounceIssuer && parameters.issuer == nil ? .failed(.issuerMissing) : nil
    }

    /// An error of the authorization endpoint. The app is told each time it comes with the login's cookie, which the
    /// answer deletes; of a login that returned with a code the person is told that it is over.
    func refuse(
        _ login: Login, _ parameters: AuthorizationResponse, _ error: ProviderError
    ) -> EventLoopFuture<BrokerResponse> {
        // RFC 9207 section 2.4 holds for error responses too: one without the announced `iss` may be another's.
        let relyingParty = login.provider.relyingParty
        let validated = relyingParty.metadata(on: eventLoop).future(on: eventLoop).map { metadata in
            relyingParty.validate(issuer: parameters.issuer, metadata: metadata).map { Outcome.failed($0) }
                ?? Self.outcome(of: error)
        }.recover { _ in Self.outcome(of: error) }
        return validated.and(isMarked(login.state)).map { outcome, isFinished in
            guard !isFinished else {
                return response(.alreadyFinished, provider: login.provider, redirectURI: login.redirectURI)
            }
            return answer(outcome, login)
        }
    }

    /// Whether the login returned with a code; words a page only, so that a store out of reach says no.
    func isMarked(_ state: LoginState) -> EventLoopFuture<Bool> {
        let key = SingleUseKey(.login, state.loginID)
        return services.store.contains(key, now: services.clock.now(), on: eventLoop).recover { _ in false }
    }
}
