// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OpenIDConnect

extension RelyingParty {
    /// Ends a sign-in whose authorization response was validated, for apps: as ``complete(_:)``, but without an access token
    /// that is bound, which they could not use.
    package func exchange(_ response: ValidatedAuthorizationResponse) -> Eventual<VerifiedSignIn> {
        let signIn = complete(response)
        return configuration.bindsTokensToCertificate ? signIn.flatMapThrowing { $0.withoutAccessToken } : signIn
    }

    /// Ends a sign-in whose authorization response was validated: exchanges the code, if there is one, verifies the ID
    /// token and, if configured, fetches UserInfo. With fresh keys everything after the provider's response happens at
    /// once.
    ///
    /// UserInfo is fetched only after the ID token was verified, and nothing is processed twice (see
    /// ``proving(_:_:method:url:accessToken:_:)``). The caller must make sure that this is called once for each login.
    /// - Returns: The sign-in, without an access token that is bound to the key of the login, which ends with it. It fails
    ///   with ``RelyingPartyError``.
    func complete(_ response: ValidatedAuthorizationResponse) -> Eventual<VerifiedSignIn> {
        let context = response.context
        guard let code = response.code else {
            guard let signIn = response.signIn, !configuration.userInfo else {
                return .failure(RelyingPartyError.unusable(.userInfo, "there is no access token"))
            }
            return .value(signIn)
        }
        guard !configuration.usesDPoP || context.expectation.dpop != nil else {
            return .failure(RelyingPartyError.unusable(.token, "the login has no DPoP key"))
        }
        return redeem(code, context).flatMap { [self] response in
            do throws(RelyingPartyError) {
                return verify(try tokenResponse(response, context), code: code, context)
            } catch {
                let explained = explained(error, by: response, sent: form(code, context))
                return .failure(advised(explained, context.metadata))
            }
        }
    }

    private func redeem(_ code: AuthorizationCode, _ context: SignInContext) -> Eventual<ProviderResponse> {
        post(
            form(code, context), to: .token, .token, context.metadata, dpop: context.expectation.dpop,
            maximumBytes: TokenResponse.maximumBytes, in: context.scope)
    }

    private func form(_ code: AuthorizationCode, _ context: SignInContext) -> [(String, String)] {
        [
            ("grant_type", "authorization_code"), ("code", code.value), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", context.expectation.codeVerifier.value),
        ]
    }

    private func tokenResponse(
        _ response: ProviderResponse, _ context: SignInContext
    ) throws(RelyingPartyError) -> TokenResponse {
        do throws(TokenResponseError) {
            return try TokenResponse(
                status: response.status, json: Array(response.body.readableBytesView),
                tokenType: context.expectation.dpop == nil ? .bearer : .dpop)
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
        let signIn = verified(token, context.metadata, in: context.scope).flatMapThrowing { [self] payload in
            try validate(payload, of: token, in: response, code: code, context)
        }
        let complete =
            configuration.userInfo
            ? signIn.flatMap { [self] in
                addingUserInfo(to: $0, context.metadata, dpop: context.expectation.dpop, in: context.scope)
            } : signIn
        return context.expectation.dpop != nil
            ? complete.flatMapThrowing { $0.withoutAccessToken } : complete
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
