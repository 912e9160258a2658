// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in: the code exchange, the ID token's verification and, where configured, UserInfo.
    ///
    /// `iss` is judged before anything is sent (RFC 9207); UserInfo is fetched only after the ID token passed; nothing is
    /// sent twice.
    package func complete(
        code: String,
        issuer: String?,
        expecting expectation: SignInExpectation,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let deadline = NIODeadline.now() + Self.returnTimeout
        return metadata(on: eventLoop, deadline: deadline).flatMap { [self] metadata in
            if let error = judge(issuer: issuer, metadata: metadata) { return eventLoop.makeFailedFuture(error) }
            return exchange(code, expectation, metadata, deadline, on: eventLoop)
                .flatMap { [self] answer in verify(answer, expectation, metadata, deadline, on: eventLoop) }
        }
    }

    /// RFC 9207 section 2.4: where `iss` is announced it must be there; where it is there it must be the issuer.
    package func judge(issuer: String?, metadata: ProviderMetadata) -> RelyingPartyError? {
        guard let issuer else { return metadata.announcesIssuer ? .issuerMissing : nil }
        return issuer.hasSameBytes(as: metadata.issuer) ? nil : .issuerMismatch
    }

    private func exchange(
        _ code: String,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<TokenResponse> {
        guard
            let method = ClientAuthentication.method(
                configured: configuration.clientAuthentication, announced: metadata.clientAuthenticationMethods,
                hasSecret: configuration.clientSecret != nil)
        else {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.unusable(.token, "the provider announces no client authentication that is supported"))
        }
        let authentication = ClientAuthentication(
            method: method, clientID: configuration.clientID, clientSecret: configuration.clientSecret?.exposed)
        let form = FormURLEncoding.encode(
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", configuration.redirectURI),
                ("code_verifier", expectation.codeVerifier.value),
            ] + authentication.parameters)
        return send(
            .token, to: metadata.tokenEndpoint, authorization: authentication.authorization, form: form,
            maximumBytes: TokenResponse.maximumBytes, deadline: deadline, on: eventLoop
        ).flatMapThrowing { response in
            do throws(TokenResponseError) {
                return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
            } catch {
                if let refusal = error.providerError { throw RelyingPartyError.provider(.token, refusal) }
                if let status = error.status { throw RelyingPartyError.status(.token, status) }
                throw RelyingPartyError.unusable(.token, "\(error)")
            }
        }
    }

    private func verify(
        _ answer: TokenResponse,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        let signature: JSONWebSignature
        do {
            signature = try JSONWebSignature(compact: answer.idToken)
        } catch {
            return eventLoop.makeFailedFuture(RelyingPartyError.token("\(error)"))
        }
        guard metadata.idTokenAlgorithms.contains(signature.algorithm) else {
            return eventLoop.makeFailedFuture(
                RelyingPartyError.token(
                    "signed with \(signature.algorithm.rawValue), which the provider does not announce"))
        }
        return keySet(containing: signature.keyID, metadata: metadata, deadline: deadline, on: eventLoop)
            .flatMapThrowing { [self] keys in
                try judge(signature, keys, answer, expectation, metadata)
            }
            .flatMap { [self] signIn in
                guard configuration.fetchesUserInfo else { return eventLoop.makeSucceededFuture(signIn) }
                return addingUserInfo(to: signIn, metadata, deadline, on: eventLoop)
            }
    }

    private func judge(
        _ signature: JSONWebSignature,
        _ keys: KeySet,
        _ answer: TokenResponse,
        _ expectation: SignInExpectation,
        _ metadata: ProviderMetadata
    ) throws -> VerifiedSignIn {
        let payload: VerifiedPayload
        do {
            payload = try signature.verified(by: keys, algorithms: metadata.idTokenAlgorithms)
        } catch {
            throw RelyingPartyError.token("\(error)")
        }
        do {
            try policy.judge(
                payload,
                IDTokenExpectation(
                    issuer: metadata.issuer, clientID: configuration.clientID,
                    nonce: configuration.profile.nonce(fromRaw: expectation.rawNonce),
                    accessToken: answer.accessToken, maximumAge: expectation.maximumAge,
                    clockSkew: configuration.clockSkew, now: clock.now()))
        } catch {
            throw RelyingPartyError.finding(error)
        }
        return VerifiedSignIn(
            issuer: metadata.issuer, subject: payload.claims["sub"]?.stringValue ?? "", claims: Claims(payload.claims),
            idToken: Secret(answer.idToken), accessToken: answer.accessToken.map(Secret.init),
            refreshToken: answer.refreshToken.map(Secret.init), expiresIn: answer.expiresIn,
            rawNonce: expectation.rawNonce)
    }
}
