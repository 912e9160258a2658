// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension RelyingParty {
    /// An ID token that has been parsed and, if it was encrypted, decrypted, but not yet verified.
    struct ReceivedIDToken: Sendable {
        /// The signed token in compact serialization.
        let compact: String
        let signature: JSONWebSignature
    }

    /// Parses an ID token and checks that its algorithm is allowed. Nothing else is validated here.
    func read(idToken: String, _ metadata: ProviderMetadata) throws(RelyingPartyError) -> ReceivedIDToken {
        let compact = try decrypted(idToken) { .token($0) }
        let signature: JSONWebSignature
        do {
            signature = try JSONWebSignature(compact: compact)
        } catch {
            throw .token("\(error)")
        }
        guard idTokenAlgorithms(metadata).contains(signature.algorithm) else {
            let reason =
                clientKeys.registeredAlgorithms == nil
                ? "the provider does not announce" : "is not registered for this client"
            throw .token("signed with \(signature.algorithm.rawValue), which \(reason)")
        }
        return ReceivedIDToken(compact: compact, signature: signature)
    }

    /// Verifies the signature: with the provider's keys, fetched where they must be, or, where the algorithm is an HMAC,
    /// with the client's secret.
    func verified(
        _ token: ReceivedIDToken,
        _ metadata: ProviderMetadata,
        in scope: RequestScope
    ) -> Eventual<VerifiedPayload> {
        if token.signature.algorithm.isSymmetric {
            return Eventual(catching: { try verifiedBySecret(token, metadata) })
        }
        return verified(token.signature, algorithms: idTokenAlgorithms(metadata), metadata, in: scope) {
            RelyingPartyError.token("\($0)")
        }
    }

    func verifiedBySecret(
        _ token: ReceivedIDToken, _ metadata: ProviderMetadata
    ) throws(RelyingPartyError) -> VerifiedPayload {
        // The shared secret is present only if such an algorithm is registered: that the provider announces it is not
        // enough.
        guard let secret = clientKeys.sharedSecret else {
            throw .token("signed with \(token.signature.algorithm.rawValue), which is not registered for this client")
        }
        do {
            return try token.signature.verified(by: secret, algorithms: idTokenAlgorithms(metadata))
        } catch {
            throw .token("\(error)")
        }
    }

    /// The algorithms of ID tokens, each by all its names (RFC 9864): those that are registered, or else announced.
    func idTokenAlgorithms(_ metadata: ProviderMetadata) -> Set<JSONWebAlgorithm> {
        ofProfile(Set((clientKeys.registeredAlgorithms ?? metadata.idTokenAlgorithms).flatMap(\.names)))
    }

    /// Those of algorithms that the profile allows for what the provider signs.
    func ofProfile(_ algorithms: Set<JSONWebAlgorithm>) -> Set<JSONWebAlgorithm> {
        configuration.isFAPI ? algorithms.intersection(SecurityProfile.algorithms) : algorithms
    }

    /// The expectation that every ID token of this provider is validated against. Callers add what applies to a single
    /// token.
    func idTokenExpectation(_ metadata: ProviderMetadata, nonce: String?) -> IDTokenExpectation {
        var expectation = IDTokenExpectation(
            issuer: metadata.issuer, clientID: configuration.clientID, nonce: nonce,
            clockSkew: clockSkew, now: clock.now())
        if hasIssuerRule { expectation.issuerRule = issuerRule(metadata) }
        expectation.trustedAudiences = configuration.trustedAudiences
        expectation.acceptedACRs = configuration.requiredACRValues
        return expectation
    }

    /// Runs every check of the policy.
    func validate(_ payload: VerifiedPayload, _ expectation: IDTokenExpectation) throws(RelyingPartyError) {
        do {
            try policy.validate(payload, expectation)
        } catch {
            throw .finding(error)
        }
    }

    /// Decrypts a token that is encrypted, and returns one that is only signed as it is.
    func decrypted(
        _ token: String, _ failure: (String) -> RelyingPartyError
    ) throws(RelyingPartyError) -> String {
        guard JSONWebSignature.isFiveSegments(token) else { return token }
        // Without decryption keys no token can have been encrypted to this client.
        guard !configuration.decryptionKeys.isEmpty else {
            throw failure("encrypted, and there are no decryption-keys")
        }
        if clientKeys.decryptionKeys.isEmpty, let error = clientKeys.error(in: \.decryptionKeys) {
            throw .unusable(.idToken, error)
        }
        do {
            return try JSONWebEncryption(compact: token).decrypted(
                with: clientKeys.decryptionKeys, algorithm: clientKeys.decryptionAlgorithm)
        } catch {
            throw failure("\(error)")
        }
    }
}
