// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in: exchanges the code, verifies the ID token and, if configured, fetches UserInfo.
    ///
    /// `iss` is validated before anything is sent (RFC 9207); UserInfo is fetched only after the ID token passed; nothing
    /// is sent twice.
    package func complete(
        code: AuthorizationCode,
        issuer: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return metadata(on: eventLoop, deadline: deadline).flatMap(on: eventLoop) { [self] metadata in
            if let error = validate(issuer: issuer, metadata: metadata) { return .failure(error) }
            let context = SignInContext(
                metadata: metadata, expectation: narrowed(expectation, toTenantOf: issuer, metadata),
                deadline: deadline, eventLoop: eventLoop)
            return .future(exchange(code, context))
        }.future(on: eventLoop)
    }

    /// Validates the `iss` of a callback (RFC 9207 section 2.4): it is required if the provider announces it, and must
    /// be the issuer whenever it is present.
    package func validate(issuer: WireText?, metadata: ProviderMetadata) -> RelyingPartyError? {
        guard let issuer else { return metadata.announcesIssuer ? .issuerMissing : nil }
        let isAccepted =
            hasIssuerRule
            ? isAcceptable(issuer: issuer, metadata) : issuer.hasSameBytes(as: metadata.issuer)
        return isAccepted ? nil : .issuerMismatch
    }

    /// Exchanges the code and verifies what came for it.
    func exchange(_ code: AuthorizationCode, _ context: SignInContext) -> EventLoopFuture<VerifiedSignIn> {
        // With fresh keys everything behind the response happens at once: one promise for all of it.
        let promise = context.eventLoop.makePromise(of: VerifiedSignIn.self)
        redeem(code, context).whenComplete { [self] result in
            do {
                verify(try tokenResponse(try result.get()), code: code, context).cascade(to: promise)
            } catch {
                promise.fail(error)
            }
        }
        return promise.futureResult
    }

    private func redeem(_ code: AuthorizationCode, _ context: SignInContext) -> EventLoopFuture<ProviderResponse> {
        let form = [
            ("grant_type", "authorization_code"), ("code", code.value), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", context.expectation.codeVerifier.value),
        ]
        return post(
            form, to: .token, .token, context.metadata, maximumBytes: TokenResponse.maximumBytes,
            deadline: context.deadline, on: context.eventLoop)
    }

    private func tokenResponse(_ response: ProviderResponse) throws(RelyingPartyError) -> TokenResponse {
        do throws(TokenResponseError) {
            return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
        } catch {
            throw .answer(error, .token)
        }
    }

    private func verify(
        _ response: TokenResponse, code: AuthorizationCode, _ context: SignInContext
    ) -> Eventual<VerifiedSignIn> {
        let token: ReceivedIDToken
        do {
            token = try read(idToken: response.idToken, context.metadata)
        } catch {
            return .failure(error)
        }
        let signIn = verified(token, context.metadata, context.deadline, on: context.eventLoop)
            .flatMapThrowing { [self] payload in try validate(payload, token, response, code, context) }
        guard configuration.fetchesUserInfo else { return signIn }
        return signIn.flatMap(on: context.eventLoop) { [self] signIn in
            .future(addingUserInfo(to: signIn, context.metadata, context.deadline, on: context.eventLoop))
        }
    }

    private func validate(
        _ payload: VerifiedPayload,
        _ token: ReceivedIDToken,
        _ response: TokenResponse,
        _ code: AuthorizationCode,
        _ context: SignInContext
    ) throws(RelyingPartyError) -> VerifiedSignIn {
        let expectation = context.expectation
        var expected = idTokenExpectation(
            context.metadata, nonce: configuration.profile.nonce(fromRaw: expectation.rawNonce))
        expected.accessToken = response.accessToken
        expected.code = code.value
        expected.maximumAge = expectation.maximumAge
        if let continuity = expectation.continuity {
            expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, context.metadata)
            expected.subject = continuity.subject
        }
        try validate(payload, expected)
        return VerifiedSignIn(
            issuer: issuer(of: payload, context.metadata),
            subject: payload.claims["sub"]?.text?.ascii(atMost: 255) ?? "",
            claims: Claims(payload.claims), idToken: Secret(token.compact),
            accessToken: response.accessToken.map(Secret.init), refreshToken: response.refreshToken.map(Secret.init),
            expiresIn: response.expiresIn, rawNonce: expectation.rawNonce)
    }
}
