// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in: the code exchange, the ID token's verification and, where configured, UserInfo.
    ///
    /// `iss` is validated before anything is sent (RFC 9207); UserInfo is fetched only after the ID token passed; nothing is
    /// sent twice.
    package func complete(
        code: String,
        issuer: WireText?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let deadline = NIODeadline.now() + Self.callbackTimeout
        if let metadata = freshMetadata() {
            return complete(code, issuer, expectation, metadata, deadline, on: eventLoop)
        }
        return metadata(on: eventLoop, deadline: deadline).flatMap { [self] metadata in
            complete(code, issuer, expectation, metadata, deadline, on: eventLoop)
        }
    }

    /// With one promise where one will do: with fresh keys everything behind the response happens at once.
    private func complete(
        _ code: String,
        _ issuer: WireText?,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        if let error = validate(issuer: issuer, metadata: metadata) { return eventLoop.makeFailedFuture(error) }
        let expectation = narrowed(expectation, toTenantOf: issuer, metadata)
        let promise = eventLoop.makePromise(of: VerifiedSignIn.self)
        redeem(code, expectation, metadata, deadline, on: eventLoop) { [self] result in
            do throws(RelyingPartyError) {
                let response = try tokenResponse(try result.get())
                if let signIn = try verifyNow(response, code, expectation, metadata) {
                    promise.succeed(signIn)
                } else {
                    verify(response, code: code, expectation, metadata, deadline, on: eventLoop).cascade(to: promise)
                }
            } catch {
                promise.fail(error)
            }
        }
        return promise.futureResult
    }

    /// The verdict, where nothing must be fetched for it; `nil` if something must.
    private func verifyNow(
        _ response: TokenResponse,
        _ code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata
    ) throws(RelyingPartyError) -> VerifiedSignIn? {
        guard !configuration.fetchesUserInfo else { return nil }
        let token = try read(idToken: response.idToken, metadata)
        guard !token.signature.algorithm.isSymmetric, let keyID = token.signature.keyID,
            let keys = freshKeySet(containing: keyID), let payload = try verified(token, by: keys, metadata)
        else { return nil }
        return try validate(payload, token, response, code, expectation, metadata)
    }

    /// RFC 9207 section 2.4: where `iss` is announced it must be there; where it is there it must be the issuer.
    package func validate(issuer: WireText?, metadata: ProviderMetadata) -> RelyingPartyError? {
        guard let issuer else { return metadata.announcesIssuer ? .issuerMissing : nil }
        let isAccepted =
            hasIssuerRule
            ? isAcceptable(issuer: issuer, metadata) : issuer.hasSameBytes(as: metadata.issuer)
        return isAccepted ? nil : .issuerMismatch
    }

    func exchange(
        _ code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<TokenResponse> {
        let promise = eventLoop.makePromise(of: TokenResponse.self)
        redeem(code, expectation, metadata, deadline, on: eventLoop) { [self] result in
            do throws(RelyingPartyError) {
                promise.succeed(try tokenResponse(try result.get()))
            } catch {
                promise.fail(error)
            }
        }
        return promise.futureResult
    }

    private func redeem(
        _ code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop,
        _ answered: @escaping @Sendable (Result<ProviderResponse, RelyingPartyError>) -> Void
    ) {
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", expectation.codeVerifier.value),
        ]
        post(
            form, to: .token, .token, metadata, maximumBytes: TokenResponse.maximumBytes, deadline: deadline,
            on: eventLoop, answered)
    }

    private func tokenResponse(_ response: ProviderResponse) throws(RelyingPartyError) -> TokenResponse {
        do throws(TokenResponseError) {
            return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
        } catch {
            throw .answer(error, .token)
        }
    }

    func verify(
        _ response: TokenResponse,
        code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let token: ReceivedIDToken
        do {
            token = try read(idToken: response.idToken, metadata)
        } catch {
            return eventLoop.makeFailedFuture(error)
        }
        let signIn = verified(token, metadata, deadline, on: eventLoop).flatMapThrowing { [self] payload in
            try validate(payload, token, response, code, expectation, metadata)
        }
        guard configuration.fetchesUserInfo else { return signIn }
        return signIn.flatMap { [self] signIn in addingUserInfo(to: signIn, metadata, deadline, on: eventLoop) }
    }

    private func validate(
        _ payload: VerifiedPayload,
        _ token: ReceivedIDToken,
        _ response: TokenResponse,
        _ code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata
    ) throws(RelyingPartyError) -> VerifiedSignIn {
        var expected = idTokenExpectation(
            metadata, nonce: configuration.profile.nonce(fromRaw: expectation.rawNonce))
        expected.accessToken = response.accessToken
        expected.code = code
        expected.maximumAge = expectation.maximumAge
        if let continuity = expectation.continuity {
            expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, metadata)
            expected.subject = continuity.subject
        }
        try validate(payload, expected)
        return VerifiedSignIn(
            issuer: issuer(of: payload, metadata), subject: payload.claims["sub"]?.text?.ascii(atMost: 255) ?? "",
            claims: Claims(payload.claims), idToken: Secret(token.compact),
            accessToken: response.accessToken.map(Secret.init), refreshToken: response.refreshToken.map(Secret.init),
            expiresIn: response.expiresIn, rawNonce: expectation.rawNonce)
    }
}
