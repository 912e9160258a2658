// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OpenIDConnect

extension RelyingParty {
    /// The metadata of a provider that is not asked, to explain a token without a network: the configured issuer, and every
    /// algorithm with a public key. Its endpoints are not the provider's and must not be requested.
    /// - Throws: ``ProviderMetadataError`` if the configured issuer is not a URL.
    package func assumedMetadata() throws(ProviderMetadataError) -> ProviderMetadata {
        let issuer = configuration.issuer
        let endpoint = JSONValue.string((AbsoluteURL(issuer)?.origin ?? "") + "/not-asked")
        let algorithms = JSONWebAlgorithm.asymmetric.map(\.rawValue).sorted().map { JSONValue.string($0) }
        let document: JSONObject = [
            "issuer": .string(issuer), "authorization_endpoint": endpoint, "token_endpoint": endpoint,
            "jwks_uri": endpoint, "id_token_signing_alg_values_supported": .array(algorithms),
        ]
        return try ProviderMetadata(
            json: document.serialized(), issuer: issuer, allowsLoopbackHTTP: configuration.insecureLoopbackIssuer)
    }
}
