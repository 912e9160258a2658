// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
package import OpenIDConnect

/// Credentials that an app on somebody's device got from the provider itself, without this server: an ID token for the
/// app's own client id, and, from some providers, a code.
extension RelyingParty {
    /// The oldest such an ID token may be, seconds since `iat`: the app got it moments ago.
    package static let maximumNativeIssuedAge: Int64 = 300

    /// Verifies an ID token that an app brought, in full: signature, issuer, audience, times, nonce, and the hashes of
    /// what came along.
    ///
    /// The audience must be one of the given ones alone, and never this server's own client id, whatever is given: an
    /// ID token of the web flow is not a native credential. That a token serves once is for the caller to see to.
    /// - Parameters:
    ///   - audiences: the client ids of the app that asks; with none no token is accepted.
    ///   - nonce: as it must stand in the token, which may be the hash of what the app kept. Where the token has one
    ///     and this is nil, or the other way round, the token is refused.
    ///   - rawNonce: what the app kept, for ``VerifiedSignIn/rawNonce``.
    ///   - nonceIsRequired: whether a credential without a nonce is refused. If not, what the provider's own rule
    ///     excuses is excused, such as Apple's `nonce_supported: false`.
    ///   - code: the code that came along, for `c_hash`; with nil the claim is not validated.
    ///   - accessToken: the access token that came along, for `at_hash`; with nil the claim is not validated.
    ///   - maximumIssuedAge: the oldest the token may be, seconds since `iat`, beyond the clock skew.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``, whose finding is that of the
    ///   check `nonce` where the nonce is what is wrong.
    package func verifyNative(
        idToken: Secret,
        audiences: [String],
        nonce: String?,
        rawNonce: String = "",
        nonceIsRequired: Bool = true,
        code: String? = nil,
        accessToken: String? = nil,
        maximumIssuedAge: Int64 = RelyingParty.maximumNativeIssuedAge,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        guard nonce != nil || !nonceIsRequired else {
            let finding = IDTokenFinding(check: NonceCheck.name, wanted: "a raw nonce beside the token", found: "none")
            return eventLoop.makeFailedFuture(RelyingPartyError.finding(finding))
        }
        let expectation = NativeExpectation(
            audiences: audiences.filter { !$0.hasSameBytes(as: configuration.clientID) }, nonce: nonce,
            rawNonce: rawNonce, nonceIsRequired: nonceIsRequired, code: code, accessToken: accessToken,
            maximumIssuedAge: maximumIssuedAge)
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return verify(idToken, expectation, deadline, on: eventLoop)
    }

    /// Exchanges the code that came along with a verified native credential, and verifies the ID token that the token
    /// endpoint gives: it must be for the same app and of the same person, or the code is somebody else's.
    /// - Parameter signIn: what the verification gave.
    /// - Returns: the sign-in with the token endpoint's claims and tokens. A future of the given event loop; it fails
    ///   with ``RelyingPartyError``.
    package func completeNative(
        _ signIn: VerifiedSignIn,
        code: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        guard let clientID = signIn.audience else {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.token, "the credential has no one audience"))
        }
        let deadline = NIODeadline.now() + Self.callbackTimeout
        return exchangeNative(code: code, clientID: clientID, deadline: deadline, on: eventLoop).flatMap {
            [self] response in
            let expectation = NativeExpectation(
                audiences: [clientID], nonce: signIn.claims.string("nonce"), rawNonce: signIn.rawNonce,
                nonceIsRequired: true, code: code, accessToken: response.accessToken,
                maximumIssuedAge: Self.maximumNativeIssuedAge, subject: signIn.subject)
            return verify(Secret(response.idToken), expectation, deadline, on: eventLoop).map { verified in
                VerifiedSignIn(
                    issuer: verified.issuer, subject: verified.subject, claims: verified.claims,
                    idToken: verified.idToken, accessToken: response.accessToken.map(Secret.init),
                    refreshToken: response.refreshToken.map(Secret.init), expiresIn: response.expiresIn,
                    rawNonce: signIn.rawNonce)
            }
        }
    }

    /// Exchanges a code that an app brought: with the app's client id, without redirect URI and code verifier, which no
    /// such code was bound to. Sent once. Nothing of the response is verified.
    /// - Returns: a future of the given event loop; it fails with ``RelyingPartyError``.
    package func exchangeNative(
        code: String,
        clientID: String,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<TokenResponse> {
        exchangeNative(code: code, clientID: clientID, deadline: .now() + Self.callbackTimeout, on: eventLoop)
    }

    private func exchangeNative(
        code: String,
        clientID: String,
        deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<TokenResponse> {
        metadata(on: eventLoop, deadline: deadline).future(on: eventLoop).flatMap { [self] metadata in
            post(
                .token, to: metadata.tokenEndpoint, [("grant_type", "authorization_code"), ("code", code)],
                clientID: clientID, deadline: deadline, on: eventLoop)
        }.flatMapThrowing { response in
            do throws(TokenResponseError) {
                return try TokenResponse(status: response.status, json: Array(response.body.readableBytesView))
            } catch {
                throw RelyingPartyError.answer(error, .token)
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
        /// Who it must be, where somebody is known already: then the token is the token endpoint's.
        var subject: String?
    }

    private func verify(
        _ idToken: Secret,
        _ expectation: NativeExpectation,
        _ deadline: NIODeadline,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        // It was made for the app, which has no key of this server's: decrypting it would be work for nothing.
        guard expectation.subject != nil || !JSONWebSignature.isFiveSegments(idToken.exposed) else {
            return eventLoop.makeFailedFuture(RelyingPartyError.token("encrypted, which no app's token is"))
        }
        return metadata(on: eventLoop, deadline: deadline).flatMap(on: eventLoop) { [self] metadata in
            let token: ReceivedIDToken
            do throws(RelyingPartyError) {
                token = try read(idToken: idToken.exposed, metadata)
                // The secret that an HMAC would prove is this server's, and so not the app's.
                guard !token.signature.algorithm.isSymmetric else {
                    throw .token("signed with \(token.signature.algorithm.rawValue), which is no app's")
                }
            } catch {
                return .failure(error)
            }
            return verified(token, metadata, deadline, on: eventLoop).flatMapThrowing { [self] payload in
                try validate(payload, token, expectation, metadata)
            }
        }.future(on: eventLoop)
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
                IDTokenFinding(
                    check: AudienceCheck.name, wanted: "one of the app's own client ids alone",
                    found: IDTokenFinding.describe(payload.claims["aud"])))
        }
        var expected = idTokenExpectation(metadata, nonce: expectation.nonce)
        expected.clientID = audience
        expected.trustedAudiences = []
        expected.accessToken = expectation.accessToken
        expected.code = expectation.code
        expected.subject = expectation.subject
        expected.maximumIssuedAge = expectation.maximumIssuedAge
        expected.mayExcuseMissingNonce = !expectation.nonceIsRequired
        // The token endpoint's token may leave the nonce out that the first one had; where it is there it is validated.
        if expectation.subject != nil, payload.claims["nonce"] == nil { expected.nonce = nil }
        // A hash of what the app did not bring along cannot be validated, and binds nothing.
        var policy = policy
        if expectation.code == nil { policy = policy.without(CodeHashCheck.name) }
        if expectation.accessToken == nil { policy = policy.without(AccessTokenHashCheck.name) }
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
    /// The one audience of the ID token: for a native credential the client id of the app it was made for.
    package var audience: String? { claims.singleAudience }
}

extension Claims {
    /// `aud` where it is one text, or a list of one.
    fileprivate var singleAudience: String? {
        if let one = string("aud") { return one }
        guard let several = strings("aud"), several.count == 1 else { return nil }
        return several.first
    }
}
