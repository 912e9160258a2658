// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in from whatever the browser brought, by the configured response type.
    ///
    /// An ID token that came through the browser is judged in full before anything is sent: signature, issuer, audience,
    /// times, nonce, `c_hash` where a code stands beside it, `s_hash` where it is there (OpenID Connect Core 1.0
    /// sections 3.2.2.11 and 3.3.2.12). Then the code is exchanged, and the token endpoint's ID token must be of the same
    /// issuer and person; its claims are the sign-in's (section 3.3.3.6).
    /// - Parameters:
    ///   - answer: the return's, read for ``ProviderConfiguration/responseType``; one of another type is refused.
    ///   - issuer: the return's `iss` (RFC 9207).
    ///   - state: `state` as it was sent, for `s_hash`; nil does not judge it.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``. An error of the provider is one
    ///   too, after its `iss` was judged.
    package func complete(
        answer: ReturnParameters.Answer,
        issuer: WireText?,
        state: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        switch answer {
        case .code(let code) where configuration.responseType == .code:
            return complete(code: code, issuer: issuer, expecting: expectation, on: eventLoop)
        case .codeAndIDToken(let code, let idToken) where configuration.responseType == .codeIDToken:
            return complete(
                idToken: idToken, code: code, issuer: issuer, state: state, expecting: expectation, on: eventLoop)
        case .idToken(let idToken) where configuration.responseType == .idToken:
            return complete(
                idToken: idToken, code: nil, issuer: issuer, state: state, expecting: expectation, on: eventLoop)
        case .error(let error):
            return metadata(on: eventLoop).flatMapThrowing { [self] metadata in
                throw judge(issuer: issuer, metadata: metadata) ?? .provider(.authorization, error)
            }
        default:
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.authorization, "the answer is not of the response type that was asked for"))
        }
    }

    private func complete(
        idToken: String,
        code: String?,
        issuer: WireText?,
        state: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let deadline = NIODeadline.now() + Self.returnTimeout
        return metadata(on: eventLoop, deadline: deadline).flatMap { [self] metadata in
            let token: ReceivedIDToken
            do throws(RelyingPartyError) {
                if let error = judge(issuer: issuer, metadata: metadata) { throw error }
                token = try read(idToken: idToken, metadata)
            } catch {
                return eventLoop.makeFailedFuture(error)
            }
            let expectation = narrowed(expectation, toTenantOf: issuer, metadata)
            let front = verified(token, metadata, deadline, on: eventLoop).flatMapThrowing { [self] payload in
                var expected = idTokenExpectation(
                    metadata, nonce: configuration.profile.nonce(fromRaw: expectation.rawNonce))
                expected.maximumAge = expectation.maximumAge
                expected.state = state?.makeString()
                expected.code = code
                expected.requiresCodeHash = code != nil
                if let continuity = expectation.continuity {
                    expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, metadata)
                }
                try judge(payload, expected)
                // It has no access token: none was asked for, and one that came is not looked at.
                return VerifiedSignIn(
                    issuer: self.issuer(of: payload, metadata),
                    subject: payload.claims["sub"]?.text?.ascii(atMost: 255) ?? "",
                    claims: Claims(payload.claims), idToken: Secret(token.compact), accessToken: nil, refreshToken: nil,
                    expiresIn: nil, rawNonce: expectation.rawNonce)
            }
            guard let code else { return finish(front) }
            return front.flatMap { [self] front in
                var expectation = expectation
                expectation.continuity = IDTokenContinuity(
                    issuer: front.claims.string("iss") ?? "", subject: front.subject)
                return exchange(code, expectation, metadata, deadline, on: eventLoop)
                    .flatMap { [self, expectation] answer in
                        verify(answer, code: code, expectation, metadata, deadline, on: eventLoop)
                    }
            }
        }
    }

    /// Nothing is sent for an ID token alone: UserInfo needs an access token, and there is none.
    private func finish(_ signIn: EventLoopFuture<VerifiedSignIn>) -> EventLoopFuture<VerifiedSignIn> {
        guard configuration.fetchesUserInfo else { return signIn }
        return signIn.flatMapThrowing { _ in
            throw RelyingPartyError.unusable(.userInfo, "there is no access token")
        }
    }
}
