// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension RelyingParty {
    /// Validates the ID token of an authorization response in full: signature, issuer, audience, times, nonce, `c_hash`
    /// if there is a code beside it, and `s_hash` if it is present (OpenID Connect Core 1.0 sections 3.2.2.11 and
    /// 3.3.2.12).
    ///
    /// The token endpoint's ID token must have the same issuer and subject, and its claims become those of the sign-in
    /// (section 3.3.3.6).
    func validate(
        idToken: String,
        code: AuthorizationCode?,
        state: WireText,
        _ context: SignInContext
    ) -> Eventual<ValidatedAuthorizationResponse> {
        let token: ReceivedIDToken
        do throws(RelyingPartyError) {
            token = try read(idToken: idToken, context.metadata)
        } catch {
            return .failure(error)
        }
        return verified(token, context.metadata, in: context.scope)
            .flatMapThrowing { [self] payload in
                let metadata = context.metadata
                var expected = idTokenExpectation(
                    metadata, nonce: configuration.profile.nonce(fromRaw: context.expectation.rawNonce))
                expected.maximumAge = context.expectation.maximumAge
                expected.state = state.makeString()
                expected.code = code?.value
                expected.requiresCodeHash = code != nil
                // No access token is asked for here, so there is nothing to compare with its hash.
                expected.ignoresAccessTokenHash = true
                if let continuity = context.expectation.continuity {
                    expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, metadata)
                }
                try validate(payload, expected)
                // The configured response types ask for no access token here, so one that is present is ignored.
                let signIn = VerifiedSignIn(
                    issuer: issuer(of: payload, metadata),
                    subject: payload.claims["sub"]?.text?.ascii(atMost: 255) ?? "",
                    claims: Claims(payload.claims), idToken: Secret(token.compact), accessToken: nil,
                    refreshToken: nil, expiresIn: nil, rawNonce: context.expectation.rawNonce)
                var expectation = context.expectation
                expectation.continuity = IDTokenContinuity(
                    issuer: signIn.claims.string("iss") ?? "", subject: signIn.subject)
                return ValidatedAuthorizationResponse(
                    signIn: signIn, code: code, context: context.replacing(expectation))
            }
    }
}
