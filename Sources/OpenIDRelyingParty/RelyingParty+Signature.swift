// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension RelyingParty {
    /// Verifies a signature with the provider's keys, which are fetched if necessary, and again after a mismatch.
    /// - Parameters:
    ///   - algorithms: The algorithms allowed for the token.
    ///   - refusal: Maps a signature error to the error with which the future fails.
    func verified(
        _ signature: JSONWebSignature,
        algorithms: Set<JSONWebAlgorithm>,
        _ metadata: ProviderMetadata,
        in scope: RequestScope,
        refusal: @escaping @Sendable (JSONWebSignatureError) -> any Error
    ) -> Eventual<VerifiedPayload> {
        signature.verified(
            by: keySet(containing: signature.keyID, metadata: metadata, in: scope),
            or: { [self] in keySetAfterMismatch(namesKey: signature.keyID != nil, metadata: metadata, in: scope) },
            algorithms: algorithms, refusal: refusal)
    }
}
