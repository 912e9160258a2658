// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in from the parameters of the callback, according to the configured response type.
    ///
    /// An ID token in the authorization response is validated in full before anything is sent: signature, issuer,
    /// audience, times, nonce, `c_hash` if there is a code beside it, and `s_hash` if it is present (OpenID Connect
    /// Core 1.0 sections 3.2.2.11 and 3.3.2.12). Then the code is exchanged. The token endpoint's ID token must have
    /// the same issuer and subject, and its claims become those of the sign-in (section 3.3.3.6).
    /// - Parameters:
    ///   - response: The authorization response, read for ``ProviderConfiguration/responseType``. One of another type
    ///     is refused.
    ///   - issuer: The `iss` of the callback (RFC 9207).
    ///   - state: The `state` as it was sent, for `s_hash`. If it is `nil`, `s_hash` is not validated.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``. An error that the provider
    ///   sent is reported as one too, after its `iss` was validated.
    package func complete(
        response: AuthorizationResponse.Contents,
        issuer: WireText?,
        state: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        switch response {
        case .code(let code) where configuration.responseType == .code:
            return complete(code: code, issuer: issuer, expecting: expectation, on: eventLoop)
        case .error(let error):
            return metadata(on: eventLoop).future(on: eventLoop).flatMapThrowing { [self] metadata in
                throw validate(issuer: issuer, metadata: metadata) ?? .provider(.authorization, error)
            }
        default:
            return validate(response: response, issuer: issuer, state: state, expecting: expectation, on: eventLoop)
                .flatMap { [self] in complete($0, on: eventLoop) }
        }
    }

    /// Validates `iss` and the ID token of the authorization response.
    ///
    /// Nothing from the callback is sent or used up: at most the provider's metadata and keys are fetched.
    /// - Parameters:
    ///   - response: The authorization response, read for ``ProviderConfiguration/responseType``. One of another type,
    ///     or without an ID token, is refused.
    ///   - issuer: The `iss` of the callback (RFC 9207).
    ///   - state: The `state` as it was sent, for `s_hash`. If it is `nil`, `s_hash` is not validated.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    package func validate(
        response: AuthorizationResponse.Contents,
        issuer: WireText?,
        state: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<FrontChannelSignIn> {
        switch response {
        case .codeAndIDToken(let code, let idToken) where configuration.responseType == .codeIDToken:
            return validate(
                idToken: idToken, code: code, issuer: issuer, state: state, expecting: expectation, on: eventLoop)
        case .idToken(let idToken) where configuration.responseType == .idToken:
            return validate(
                idToken: idToken, code: nil, issuer: issuer, state: state, expecting: expectation, on: eventLoop)
        default:
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(
                    .authorization, "the response is not of the response type that was asked for"))
        }
    }

    /// Completes a sign-in whose front-channel ID token was validated: exchanges the code, if there is one.
    ///
    /// The caller must make sure that this is called once for each login.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    package func complete(
        _ front: FrontChannelSignIn,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        guard let code = front.code else { return finish(eventLoop.makeSucceededFuture(front.signIn)) }
        return exchange(
            code,
            SignInContext(
                metadata: front.metadata, expectation: front.expectation, deadline: front.deadline,
                eventLoop: eventLoop))
    }

    private func validate(
        idToken: String,
        code: AuthorizationCode?,
        issuer: WireText?,
        state: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<FrontChannelSignIn> {
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return metadata(on: eventLoop, deadline: deadline).flatMap(on: eventLoop) { [self] metadata in
            let token: ReceivedIDToken
            do throws(RelyingPartyError) {
                if let error = validate(issuer: issuer, metadata: metadata) { throw error }
                token = try read(idToken: idToken, metadata)
            } catch {
                return .failure(error)
            }
            let expectation = narrowed(expectation, toTenantOf: issuer, metadata)
            return verified(token, metadata, deadline, on: eventLoop).flatMapThrowing { [self] payload in
                var expected = idTokenExpectation(
                    metadata, nonce: configuration.profile.nonce(fromRaw: expectation.rawNonce))
                expected.maximumAge = expectation.maximumAge
                expected.state = state?.makeString()
                expected.code = code?.value
                expected.requiresCodeHash = code != nil
                if let continuity = expectation.continuity {
                    expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, metadata)
                }
                try validate(payload, expected)
                // The configured response types ask for no access token here, so one that is present is ignored.
                let signIn = VerifiedSignIn(
                    issuer: self.issuer(of: payload, metadata),
                    subject: payload.claims["sub"]?.text?.ascii(atMost: 255) ?? "",
                    claims: Claims(payload.claims), idToken: Secret(token.compact), accessToken: nil, refreshToken: nil,
                    expiresIn: nil, rawNonce: expectation.rawNonce)
                var codeExpectation = expectation
                codeExpectation.continuity = IDTokenContinuity(
                    issuer: signIn.claims.string("iss") ?? "", subject: signIn.subject)
                return FrontChannelSignIn(
                    signIn: signIn, code: code, expectation: codeExpectation, metadata: metadata, deadline: deadline)
            }
        }.future(on: eventLoop)
    }

    /// The sign-in of an ID token without a code. It fails if UserInfo is required, which needs an access token.
    private func finish(_ signIn: EventLoopFuture<VerifiedSignIn>) -> EventLoopFuture<VerifiedSignIn> {
        guard configuration.fetchesUserInfo else { return signIn }
        return signIn.flatMapThrowing { _ in
            throw RelyingPartyError.unusable(.userInfo, "there is no access token")
        }
    }
}
