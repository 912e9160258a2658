// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
package import OpenIDConnect

/// Credentials that an app on a device obtained from the provider directly, without this server: an ID token for the
/// app's own client ID and, from some providers, a code.
extension RelyingParty {
    /// The maximum age of such an ID token, in seconds since `iat`. The app obtained it moments ago.
    package static let maximumNativeIssuedAge: Int64 = 300

    /// Verifies an ID token from an app in full: signature, issuer, audience, times, nonce, and the hashes of the code
    /// and access token beside it.
    ///
    /// The audience must be exactly one of the given ones, and never this server's own client ID, even if it is given:
    /// an ID token of the web flow is not a native credential. The caller must make sure that a token is accepted only
    /// once.
    /// - Parameters:
    ///   - audiences: The client IDs of the app. If there are none, no token is accepted.
    ///   - nonce: The nonce as it must appear in the token, which may be the hash of what the app kept. The token is
    ///     refused if it has another one or none. If it is `nil`, the claim is not validated.
    ///   - rawNonce: The nonce that the app kept, for ``VerifiedSignIn/rawNonce``.
    ///   - nonceIsRequired: Whether a credential without a nonce is refused. If it is `false`, `nonce` may be `nil`, and
    ///     the provider's own exceptions apply, such as Apple's `nonce_supported: false`.
    ///   - code: The code that came with the token, for `c_hash`. If it is `nil`, the claim is not validated.
    ///   - accessToken: The access token that came with the token, for `at_hash`. If it is `nil`, the claim is not
    ///     validated.
    ///   - maximumIssuedAge: The maximum age of the token, in seconds since `iat`, in addition to the clock skew.
    /// - Returns: The sign-in. It fails with ``RelyingPartyError``; if the nonce is wrong, its finding is that of the
    ///   check `nonce`.
    package func verifyNative(
        idToken: Secret,
        audiences: [String],
        nonce: String?,
        rawNonce: String = "",
        nonceIsRequired: Bool = true,
        code: String? = nil,
        accessToken: String? = nil,
        maximumIssuedAge: Int64 = RelyingParty.maximumNativeIssuedAge,
        in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        guard nonce != nil || !nonceIsRequired else {
            let finding = IDTokenCheck.nonce.finding(wanted: "a raw nonce beside the token", found: "none")
            return .failure(RelyingPartyError.finding(finding))
        }
        let expectation = NativeExpectation(
            audiences: audiences.filter { !$0.hasSameBytes(as: configuration.clientID) }, nonce: nonce,
            rawNonce: rawNonce, nonceIsRequired: nonceIsRequired, code: code, accessToken: accessToken,
            maximumIssuedAge: maximumIssuedAge)
        return verify(idToken, expectation, in: scope)
    }

    /// Exchanges the code that came with a verified native credential and verifies the token endpoint's ID token, which
    /// must have the same audience and subject.
    /// - Parameter signIn: The sign-in that the verification of the credential returned.
    /// - Returns: The sign-in with the token endpoint's claims and tokens. It fails with ``RelyingPartyError``.
    package func completeNative(
        _ signIn: VerifiedSignIn,
        code: String,
        in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        guard let clientID = signIn.audience else {
            return .failure(RelyingPartyError.unusable(.token, "the credential does not have exactly one audience"))
        }
        return exchangeNative(code: code, clientID: clientID, in: scope).flatMap { [self] response in
            let expectation = NativeExpectation(
                audiences: [clientID], nonce: signIn.claims.string("nonce"), rawNonce: signIn.rawNonce,
                nonceIsRequired: true, code: code, accessToken: response.accessToken,
                maximumIssuedAge: Self.maximumNativeIssuedAge, subject: signIn.subject)
            return verify(Secret(response.idToken), expectation, in: scope).flatMapThrowing { verified in
                VerifiedSignIn(
                    issuer: verified.issuer, subject: verified.subject, claims: verified.claims,
                    idToken: verified.idToken, accessToken: response.accessToken.map(Secret.init),
                    refreshToken: response.refreshToken.map(Secret.init),
                    expiresIn: response.expiresIn.map { .seconds($0) },
                    rawNonce: signIn.rawNonce)
            }
        }
    }

    /// Exchanges a code from an app, with the app's client ID and without a redirect URI or code verifier, to which
    /// such a code is not bound.
    ///
    /// The request is sent once. Nothing in the response is verified.
    /// - Returns: The response. It fails with ``RelyingPartyError``.
    package func exchangeNative(
        code: String, clientID: String, in scope: RequestScope
    ) -> Eventual<TokenResponse> {
        metadata(in: scope).flatMap { [self] metadata in
            post(
                .token, to: .token, metadata, [("grant_type", "authorization_code"), ("code", code)],
                clientID: clientID, in: scope)
        }.flatMapThrowing { response in
            do throws(TokenResponseError) {
                return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
            } catch {
                throw RelyingPartyError.tokenResponse(error, .token)
            }
        }
    }

    // MARK: Verification

    private struct NativeExpectation: Sendable {
        let audiences: [String]
        let nonce: String?
        let rawNonce: String
        let nonceIsRequired: Bool
        let code: String?
        let accessToken: String?
        let maximumIssuedAge: Int64
        /// The required `sub`, if it is already known: the token is then the token endpoint's.
        var subject: String?
    }

    private func verify(
        _ idToken: Secret, _ expectation: NativeExpectation, in scope: RequestScope
    ) -> Eventual<VerifiedSignIn> {
        // It was made for the app, which has no key of this server's: decrypting it would be work for nothing.
        guard expectation.subject != nil || !JSONWebSignature.isFiveSegments(idToken.exposed) else {
            return .failure(RelyingPartyError.token("encrypted, which is not supported for tokens of apps"))
        }
        return metadata(in: scope).flatMap { [self] metadata in
            let token: ReceivedIDToken
            do throws(RelyingPartyError) {
                token = try read(idToken: idToken.exposed, metadata)
                // An HMAC is keyed with this server's secret, which says nothing about the app.
                guard !token.signature.algorithm.isSymmetric else {
                    throw .token(
                        "signed with \(token.signature.algorithm.rawValue), which is not supported for tokens of apps")
                }
            } catch {
                return .failure(error)
            }
            return verified(token, metadata, in: scope).flatMapThrowing { [self] payload in
                try validate(payload, token, expectation, metadata)
            }
        }
    }

    private func validate(
        _ payload: VerifiedPayload,
        _ token: ReceivedIDToken,
        _ expectation: NativeExpectation,
        _ metadata: ProviderMetadata
    ) throws(RelyingPartyError) -> VerifiedSignIn {
        let claims = Claims(payload.claims)
        guard let audience = claims.singleAudience,
            expectation.audiences.contains(where: { $0.hasSameBytes(as: audience) })
        else {
            throw .finding(
                IDTokenCheck.audience.finding(
                    wanted: "one of the app's own client ids alone", found: payload.claims["aud"]))
        }
        var expected = idTokenExpectation(metadata, nonce: expectation.nonce)
        expected.clientID = audience
        expected.trustedAudiences = []
        expected.accessToken = expectation.accessToken
        expected.code = expectation.code
        expected.subject = expectation.subject
        expected.maximumIssuedAge = expectation.maximumIssuedAge
        expected.mayExcuseMissingNonce = !expectation.nonceIsRequired
        // The token endpoint's ID token may omit the nonce of the first one. If it has one, the nonce is validated.
        if expectation.subject != nil, payload.claims["nonce"] == nil { expected.nonce = nil }
        // With one audience, which is the app's, `azp` is the client that asked for the token, such as Google's Android
        // client of the app (OpenID Connect Core 1.0 with errata set 2, section 3.1.3.7).
        var policy = policy.without(IDTokenCheck.authorizedParty.name)
        // SDKs of Google send a nonce that the app does not know. Without one beside it nothing can be compared.
        if expectation.nonce == nil, !expectation.nonceIsRequired {
            policy = policy.without(IDTokenCheck.nonce.name)
        }
        // The hash of a value that the app did not send cannot be validated either.
        if expectation.code == nil { policy = policy.without(IDTokenCheck.codeHash.name) }
        if expectation.accessToken == nil { policy = policy.without(IDTokenCheck.accessTokenHash.name) }
        do {
            try policy.validate(payload, expected)
        } catch {
            throw .finding(error)
        }
        return VerifiedSignIn(
            issuer: issuer(of: payload, metadata), subject: claims.string("sub") ?? "", claims: claims,
            idToken: Secret(token.compact), accessToken: expectation.accessToken.map(Secret.init), refreshToken: nil,
            expiresIn: nil, rawNonce: expectation.rawNonce)
    }
}

extension VerifiedSignIn {
    /// The only audience of the ID token: for a native credential, the client ID of the app.
    package var audience: String? { claims.singleAudience }
}

extension Claims {
    /// The value of `aud` if it is a string, or an array of one string.
    fileprivate var singleAudience: String? {
        if let one = string("aud") { return one }
        guard let several = strings("aud"), several.count == 1 else { return nil }
        return several.first
    }
}
