// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

extension RelyingParty {
    /// The checks of an ID token that also apply to a signed authorization response (JARM section 2.4).
    private static let responsePolicy = IDTokenPolicy(checks: [
        .tokenKind, .issuer, .audience, .authorizedParty, .expiry, .notBefore,
    ])

    /// Verifies a JWT with an authorization response (JARM section 2.4) by the keys of this provider, as an ID token is, and
    /// reads the response in it.
    func verified(
        response jwt: String, in scope: RequestScope
    ) -> Eventual<ReceivedAuthorizationResponse> {
        metadata(in: scope).flatMap { [self] metadata in
            let signature: JSONWebSignature
            do {
                signature = try JSONWebSignature(compact: jwt)
                try metadata.checkResponseAlgorithms()
            } catch {
                return .failure(Self.refusal(ofResponse: "\(error)"))
            }
            let announced = metadata.responseAlgorithms
            let algorithms =
                announced.isEmpty ? idTokenAlgorithms(metadata) : ofProfile(Set(announced.flatMap(\.names)))
            return verified(signature, algorithms: algorithms, metadata, in: scope) {
                Self.refusal(ofResponse: "\($0)")
            }.flatMapThrowing { [self] payload in
                do {
                    try Self.responsePolicy.validate(payload, idTokenExpectation(metadata, nonce: nil))
                    let response = try AuthorizationResponse(claims: payload.claims)
                    return ReceivedAuthorizationResponse(
                        contents: try response.contents(for: configuration.responseType), issuer: response.issuer,
                        state: response.state)
                } catch {
                    throw Self.refusal(ofResponse: "\(error)")
                }
            }
        }
    }

    private static func refusal(ofResponse reason: String) -> RelyingPartyError {
        .unusable(.authorization, "the signed response: \(reason)")
    }
}
