// SPDX-License-Identifier: Apache-2.0

import JOSE
public import NIOCore
package import OpenIDConnect

extension RelyingParty {
    /// Completes a sign-in from the query, form or fragment of the callback, for a relying party used without the
    /// broker.
    ///
    /// Take the parameters only from where the configured response mode puts them: the query of a GET for `query`, the
    /// body of a POST for `form_post`, and, for `fragment`, what a page of the app's own sent to the server; in the same way
    /// for the modes whose response is a JWT.
    /// - Parameters:
    ///   - parameters: The query, form or fragment of the callback, still encoded.
    ///   - pending: The value that ``begin(parameters:maximumAge:on:)`` returned, from this browser's session. Use it
    ///     once.
    ///   - eventLoop: The event loop of the future.
    /// - Returns: A future on the given event loop that fails with ``RelyingPartyError``.
    public func complete(
        authorizationResponse parameters: String,
        pending: PendingSignIn,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<VerifiedSignIn> {
        do {
            let response = try AuthorizationResponse(
                try FormURLEncoding.parse(parameters.utf8, shown: AuthorizationResponse.shownName))
            guard ConstantTime.equal(response.state.utf8, pending.state.utf8) else {
                throw RelyingPartyError.unusable(.authorization, "'state' is not the one that was sent")
            }
            guard let verifier = CodeVerifier(pending.codeVerifier.exposed) else {
                throw RelyingPartyError.unusable(.authorization, "the code verifier is not one")
            }
            let expectation = SignInExpectation(
                rawNonce: pending.nonce.exposed, codeVerifier: verifier,
                maximumAge: pending.maximumAge?.components.seconds,
                dpop: try pending.dpopSeed.flatMap { Base64URL.decode($0.exposed) }
                    .map { DPoPLogin(key: try Self.dpopKey(seed: $0)) })
            return validate(try read(response), expecting: expectation, in: RequestScope(on: eventLoop))
                .flatMap { [self] in complete($0) }
                .future(on: eventLoop)
        } catch let error as RelyingPartyError {
            return eventLoop.makeFailedFuture(error)
        } catch {
            return eventLoop.makeFailedFuture(RelyingPartyError.unusable(.authorization, "\(error)"))
        }
    }

    /// Reads an authorization response for the configured response type: everything that was requested, and nothing
    /// else; as a JWT if that was requested, and only then.
    package func read(
        _ response: AuthorizationResponse
    ) throws(AuthorizationResponseError) -> ReceivedAuthorizationResponse {
        let isSigned = configuration.responseMode.isSigned
        guard isSigned == (response.jwt != nil) else { throw isSigned ? .missingResponse : .unrequestedResponse }
        return ReceivedAuthorizationResponse(
            contents: try response.contents(for: configuration.responseType), issuer: response.issuer,
            state: response.state)
    }

    /// Validates `iss` (RFC 9207 section 2.4) and the ID token of an authorization response, if it has one. A response in a
    /// JWT is verified first, and then validated as any other.
    ///
    /// Nothing of the response is sent or used up: at most the provider's metadata and keys are fetched.
    /// - Returns: The validated response. It fails with ``RelyingPartyError``; an error that the provider sent is one
    ///   too, and is reported even if the metadata cannot be fetched.
    package func validate(
        _ response: ReceivedAuthorizationResponse,
        expecting expectation: SignInExpectation,
        in scope: RequestScope
    ) -> Eventual<ValidatedAuthorizationResponse> {
        if case .signed(let jwt) = response.contents {
            return verified(response: jwt, in: scope).flatMap { [self] in
                validate($0, expecting: expectation, in: scope)
            }
        }
        if let error = validateBeforeMetadata(response.issuer, expectation) { return .failure(error) }
        let metadata = metadata(in: scope)
        if case .error(let error) = response.contents {
            return metadata.flatMapThrowing { Optional($0) }.recover { _ in nil }.flatMapThrowing { [self] metadata in
                throw metadata.flatMap { validate(issuer: response.issuer, of: response.contents, metadata: $0) }
                    ?? explained(
                        .provider(.authorization, error), by: error.errorDescription,
                        secrets: [
                            response.state.makeString(), expectation.rawNonce,
                            configuration.profile.nonce(fromRaw: expectation.rawNonce),
                            expectation.codeVerifier.challenge,
                        ])
            }
        }
        return metadata.flatMap { [self] metadata in
            if let error = validate(issuer: response.issuer, of: response.contents, metadata: metadata) {
                return .failure(error)
            }
            let context = SignInContext(
                metadata: metadata, expectation: narrowed(expectation, toTenantOf: response.issuer, metadata),
                scope: scope)
            switch response.contents {
            case .code(let code):
                return .value(ValidatedAuthorizationResponse(signIn: nil, code: code, context: context))
            case .codeAndIDToken(let code, let idToken):
                return validate(idToken: idToken, code: code, state: response.state, context)
            case .idToken(let idToken):
                return validate(idToken: idToken, code: nil, state: response.state, context)
            case .error(let error):
                return .failure(RelyingPartyError.provider(.authorization, error))
            case .signed:
                return .failure(RelyingPartyError.unusable(.authorization, "a signed response is in another"))
            }
        }
    }

    /// Checks what `iss` alone says, so that no metadata are fetched for a response of another issuer.
    private func validateBeforeMetadata(
        _ issuer: WireText?, _ expectation: SignInExpectation
    ) -> RelyingPartyError? {
        guard let issuer else { return expectation.requiresIssuer ? .issuerMissing : nil }
        // An issuer with several spellings is known only with its metadata.
        return hasIssuerRule || issuer.hasSameBytes(as: configuration.issuer) ? nil : .issuerMismatch
    }

    /// Whether the provider sends `iss` (RFC 9207): by its metadata, by the configuration, or by the profile.
    package func sendsIssuer(_ metadata: ProviderMetadata) -> Bool {
        configuration.sendsIssuer || configuration.isFAPI || metadata.announcesIssuer
    }

    /// Validates the `iss` of a callback (RFC 9207 section 2.4): it is required if the provider sends it, and must be
    /// the issuer whenever it is present.
    ///
    /// The `iss` of an ID token in the response takes its place (section 4). That token is verified in full, with its
    /// nonce and `c_hash`, before anything is sent.
    private func validate(
        issuer: WireText?, of contents: AuthorizationResponse.Contents, metadata: ProviderMetadata
    ) -> RelyingPartyError? {
        guard let issuer else {
            switch contents {
            case .codeAndIDToken, .idToken: return nil
            case .code, .error, .signed: return sendsIssuer(metadata) ? .issuerMissing : nil
            }
        }
        let isAccepted =
            hasIssuerRule ? isAcceptable(issuer: issuer, metadata) : issuer.hasSameBytes(as: metadata.issuer)
        return isAccepted ? nil : .issuerMismatch
    }
}
