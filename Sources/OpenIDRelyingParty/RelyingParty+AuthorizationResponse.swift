// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in from the query, form or fragment of the callback, for a relying party used without the
    /// broker.
    ///
    /// Take the parameters only from where the configured response mode puts them: the query of a GET for `query`, the
    /// body of a POST for `form_post`, and, for `fragment`, what a page of the app's own sent to the server.
    /// - Parameters:
    ///   - parameters: The query, form or fragment of the callback, still encoded.
    ///   - pending: The value that ``begin(parameters:maximumAge:on:)`` returned, from this browser's session. Use it
    ///     once.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    public func complete(
        authorizationResponse parameters: String,
        pending: PendingSignIn,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        do {
            let response = try AuthorizationResponse(try FormURLEncoding.parse(parameters.utf8))
            guard ConstantTime.equal(response.state.utf8, pending.state.utf8) else {
                throw RelyingPartyError.unusable(.authorization, "'state' is not the one that was sent")
            }
            guard let verifier = CodeVerifier(pending.codeVerifier.exposed) else {
                throw RelyingPartyError.unusable(.authorization, "the code verifier is not one")
            }
            return complete(
                response: try response.contents(for: configuration.responseType), issuer: response.issuer,
                state: response.state,
                expecting: SignInExpectation(
                    rawNonce: pending.nonce.exposed, codeVerifier: verifier, maximumAge: pending.maximumAge),
                on: eventLoop)
        } catch let error as RelyingPartyError {
            return eventLoop.makeFailedFuture(error)
        } catch {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.authorization, "\(error)"))
        }
    }
}
