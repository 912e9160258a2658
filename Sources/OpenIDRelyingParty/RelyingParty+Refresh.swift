// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Exchanges a refresh token (RFC 6749 section 6). The request is sent once.
    ///
    /// An ID token in the response is validated as at a sign-in and must have the same issuer, subject and audience. If
    /// it does not, the whole response is discarded (OpenID Connect Core 1.0 section 12.2).
    /// - Parameters:
    ///   - refreshToken: The refresh token of the sign-in or of the previous refresh.
    ///   - issuer: ``VerifiedSignIn/issuer``.
    ///   - subject: ``VerifiedSignIn/subject``.
    ///   - nonce: The `nonce` claim of the sign-in's ID token. If the new token has one, it must be equal. If this is
    ///     `nil`, the claim is not validated.
    ///   - authenticationTime: The `auth_time` claim of the sign-in's ID token. If the new token has one, it must be
    ///     equal. If this is `nil`, the claim is not validated.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    public func refresh(
        _ refreshToken: Secret,
        issuer: String,
        subject: String,
        nonce: String? = nil,
        authenticationTime: Int64? = nil,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<RefreshedTokens> {
        let scope = RequestScope(on: eventLoop)
        return requestRefresh(refreshToken, issuer: issuer, in: scope).flatMap { [self] response in
            verify(
                response, continuity: IDTokenContinuity(issuer: issuer, subject: subject), nonce: nonce,
                authenticationTime: authenticationTime, in: scope)
        }.future(on: eventLoop)
    }

    /// Exchanges a refresh token without a look at the ID token, which ``verify(_:of:in:)`` takes.
    ///
    /// The new refresh token is known even if the ID token is then refused, so that it can be revoked.
    package func requestRefresh(
        _ refreshToken: Secret, issuer: String, in scope: RequestScope
    ) -> Eventual<RefreshResponse> {
        metadata(in: scope).flatMap { [self] metadata in
            // A refresh token of another issuer must not be sent to this provider.
            guard isOwn(issuer, metadata) else {
                return .failure(
                    RelyingPartyError.unusable(.refresh, "the issuer of the sign-in is not this provider's"))
            }
            let form = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.exposed)]
            let dpop: DPoPLogin?
            do {
                // The refresh token of a client that authenticates is not bound to a key (RFC 9449 section 5).
                dpop = try standaloneDPoP()
            } catch {
                return .failure(error)
            }
            return post(
                form, to: .token, .refresh, metadata, dpop: dpop, maximumBytes: TokenResponse.maximumBytes, in: scope
            ).flatMapThrowing { [self] received in
                do throws(TokenResponseError) {
                    return try RefreshResponse(
                        status: received.status, json: Array(received.body.readableBytesView),
                        tokenType: dpop == nil ? .bearer : .dpop)
                } catch {
                    throw advised(explained(.tokenResponse(error, .refresh), by: received, sent: form), metadata)
                }
            }
        }
    }

    /// Verifies the ID token of a refresh, if there is one, as that of a sign-in's user.
    package func verify(
        _ response: RefreshResponse, of signIn: (issuer: String, subject: String), in scope: RequestScope
    ) -> Eventual<RefreshedTokens> {
        verify(
            response, continuity: IDTokenContinuity(issuer: signIn.issuer, subject: signIn.subject), nonce: nil,
            authenticationTime: nil, in: scope)
    }

    private func verify(
        _ response: RefreshResponse, continuity: IDTokenContinuity, nonce: String?, authenticationTime: Int64?,
        in scope: RequestScope
    ) -> Eventual<RefreshedTokens> {
        guard let idToken = response.idToken else {
            return .value(RefreshedTokens(response, idToken: nil, claims: nil))
        }
        return metadata(in: scope).flatMap { [self] metadata in
            verify(
                idToken, of: response, continuity: continuity, nonce: nonce, authenticationTime: authenticationTime,
                metadata, in: scope)
        }
    }

    private func isOwn(_ issuer: String, _ metadata: ProviderMetadata) -> Bool {
        hasIssuerRule ? isAcceptable(issuer: WireText(issuer), metadata) : issuer.hasSameBytes(as: metadata.issuer)
    }

    private func verify(
        _ idToken: String,
        of response: RefreshResponse,
        continuity: IDTokenContinuity,
        nonce: String?,
        authenticationTime: Int64?,
        _ metadata: ProviderMetadata,
        in scope: RequestScope
    ) -> Eventual<RefreshedTokens> {
        let token: ReceivedIDToken
        do {
            token = try read(idToken: idToken, metadata)
        } catch {
            return .failure(error)
        }
        return verified(token, metadata, in: scope).flatMapThrowing { [self] payload in
            var expected = idTokenExpectation(metadata, nonce: nonce)
            expected.accessToken = response.accessToken
            expected.subject = continuity.subject
            // `acr` was validated at the sign-in, and a refreshed token need not repeat it.
            if payload.claims["acr"] == nil { expected.acceptedACRs = [] }
            // Google's two spellings are one issuer. For a template, the tenant must be the one of the sign-in.
            if !continuity.issuer.hasSameBytes(as: metadata.issuer) {
                expected.issuerRule = issuerRule(narrowedTo: continuity.issuer, metadata)
            }
            // OpenID Connect Core 1.0 section 12.2: the nonce may be omitted, but one that is present must be the
            // sign-in's.
            let repeatsNonce = nonce != nil && payload.claims["nonce"] != nil
            do throws(IDTokenFinding) {
                try (repeatsNonce ? policy : policy.forRefresh).validate(payload, expected)
            } catch {
                throw RelyingPartyError.finding(error)
            }
            if let authenticationTime, let time = payload.claims["auth_time"]?.secondsValue,
                time != authenticationTime
            {
                throw RelyingPartyError.finding(
                    IDTokenCheck.authenticationTime.finding(
                        wanted: "\(authenticationTime), that of the sign-in", found: "\(time)"))
            }
            return RefreshedTokens(response, idToken: Secret(token.compact), claims: Claims(payload.claims))
        }
    }
}

extension RefreshedTokens {
    init(_ response: RefreshResponse, idToken: Secret?, claims: Claims?) {
        self.init(
            accessToken: Secret(response.accessToken), refreshToken: response.refreshToken.map(Secret.init),
            expiresIn: response.expiresIn.map { .seconds($0) }, scopes: response.scopes, idToken: idToken,
            claims: claims)
    }
}
