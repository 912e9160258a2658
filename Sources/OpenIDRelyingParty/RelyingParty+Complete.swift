// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in whose authorization response was validated: exchanges the code, if there is one, verifies the
    /// ID token and, if configured, fetches UserInfo.
    ///
    /// UserInfo is fetched only after the ID token was verified, and nothing is sent twice. The caller must make sure that
    /// this is called once for each login.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    package func complete(
        _ response: ValidatedAuthorizationResponse,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let promise = eventLoop.makePromise(of: VerifiedSignIn.self)
        complete(response) { promise.completeWith($0) }
        return promise.futureResult
    }

    /// Completes a sign-in like its overload, but calls back on the event loop of the response, for a caller that has a
    /// promise of its own. With fresh keys everything after the provider's response happens at once.
    package func complete(
        _ response: ValidatedAuthorizationResponse,
        completion: @escaping @Sendable (Result<VerifiedSignIn, any Error>) -> Void
    ) {
        if let code = response.code { return exchange(code, response.context, completion) }
        guard let signIn = response.signIn, !configuration.userInfo else {
            return completion(.failure(RelyingPartyError.unusable(.userInfo, "there is no access token")))
        }
        completion(.success(signIn))
    }

    /// Exchanges the code and verifies what came for it.
    private func exchange(
        _ code: AuthorizationCode, _ context: SignInContext,
        _ completion: @escaping @Sendable (Result<VerifiedSignIn, any Error>) -> Void
    ) {
        redeem(code, context).whenComplete { [self] result in
            do {
                verify(try tokenResponse(try result.get()), code: code, context).whenComplete(completion)
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func redeem(_ code: AuthorizationCode, _ context: SignInContext) -> EventLoopFuture<ProviderResponse> {
        let form = [
            ("grant_type", "authorization_code"), ("code", code.value), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", context.expectation.codeVerifier.value),
        ]
        return post(
            form, to: .token, .token, context.metadata, maximumBytes: TokenResponse.maximumBytes,
            deadline: context.deadline, on: context.eventLoop, trace: context.trace)
    }

    private func tokenResponse(_ response: ProviderResponse) throws(RelyingPartyError) -> TokenResponse {
        do throws(TokenResponseError) {
            return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
        } catch {
            throw .tokenResponse(error, .token)
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
        let signIn = verified(
            token, context.metadata, context.deadline, on: context.eventLoop, trace: context.trace
        ).flatMapThrowing { [self] payload in try validate(payload, of: token, in: response, code: code, context) }
        guard configuration.userInfo else { return signIn }
        return signIn.flatMap(on: context.eventLoop) { [self] signIn in
            .future(
                addingUserInfo(
                    to: signIn, context.metadata, context.deadline, on: context.eventLoop, trace: context.trace))
        }
    }

    private func validate(
        _ payload: VerifiedPayload,
        of token: ReceivedIDToken,
        in response: TokenResponse,
        code: AuthorizationCode,
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
            expiresIn: response.expiresIn.map { .seconds($0) }, rawNonce: expectation.rawNonce)
    }
}
