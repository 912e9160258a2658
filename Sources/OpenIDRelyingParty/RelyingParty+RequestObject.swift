// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect

extension RelyingParty {
    /// Whether the user agent carries the parameters of an authorization request as they are: the request is neither pushed
    /// nor signed.
    package func sendsPlainRequest(_ metadata: ProviderMetadata) -> Bool {
        !pushes(metadata) && !signsRequest(metadata)
    }

    /// Whether the authorization request is a request object (RFC 9101), because the provider requires it or the
    /// configuration asks for it.
    func signsRequest(_ metadata: ProviderMetadata) -> Bool {
        switch configuration.requestObject {
        case .sign: true
        case .off: false
        case nil: metadata.requiresSignedRequestObject
        }
    }

    /// Returns a request as a request object.
    func requestObject(
        of request: AuthorizationRequest, _ metadata: ProviderMetadata, _ step: RelyingPartyError.Step
    ) throws(RelyingPartyError) -> String {
        try checkRequestSigning()
        do {
            return try clientKeys.credentials.requestObject(
                of: request, issuer: configuration.issuer,
                announcedSigningAlgorithms: metadata.requestObjectAlgorithms, now: clock.now())
        } catch {
            throw .unusable(step, "\(error)")
        }
    }

    /// Throws the reason why requests cannot be signed, if there is one.
    func checkRequestSigning() throws(RelyingPartyError) {
        guard clientKeys.credentials.signingKey == nil else { return }
        throw .unusable(
            .discovery,
            clientKeys.error(in: \.clientSigningKey, \.clientSigningAlgorithm)
                ?? "requests must be signed: set client-signing-key")
    }
}
