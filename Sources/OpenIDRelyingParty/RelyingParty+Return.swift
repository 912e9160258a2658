// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in from the query (or form) of the return, for a relying party used without the broker.
    /// - Parameters:
    ///   - parameters: the return's query or form, still encoded.
    ///   - pending: what ``begin(parameters:maximumAge:on:)`` gave, from this browser's session; use it once.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    public func complete(
        return parameters: String,
        pending: PendingSignIn,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        do {
            let answer = try ReturnParameters(try FormURLEncoding.parse(parameters.utf8))
            guard ConstantTime.equal(answer.state, pending.state) else {
                throw RelyingPartyError.unusable(.authorization, "'state' is not the one that was sent")
            }
            guard let verifier = CodeVerifier(pending.codeVerifier.exposed) else {
                throw RelyingPartyError.unusable(.authorization, "the code verifier is not one")
            }
            switch answer.answer {
            case .error(let error):
                return metadata(on: eventLoop).flatMapThrowing { [self] metadata in
                    throw judge(issuer: answer.issuer, metadata: metadata) ?? .provider(.authorization, error)
                }
            case .code(let code):
                return complete(
                    code: code, issuer: answer.issuer,
                    expecting: SignInExpectation(
                        rawNonce: pending.nonce.exposed, codeVerifier: verifier, maximumAge: pending.maximumAge),
                    on: eventLoop)
            }
        } catch let error as RelyingPartyError {
            return eventLoop.makeFailedFuture(error)
        } catch {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.authorization, "\(error)"))
        }
    }
}
