// SPDX-License-Identifier: Apache-2.0

import JOSE
package import NIOCore
package import OIDCBrokerConfiguration
import OIDCBrokerHTTP
import OpenIDConnect
package import OpenIDRelyingParty

/// The address of a webhook and the key that signs its requests.
package struct PreparedWebhook: Sendable {
    let endpoint: AbsoluteURL
    let key: SigningKey

    /// Prepares a webhook; `nil` if none is configured. Validation reports one that cannot be used.
    package init?(_ webhook: BrokerConfiguration.Webhook?) {
        guard let endpoint = webhook?.endpoint, let key = webhook?.key else { return nil }
        self.endpoint = endpoint
        self.key = key
    }

    /// Returns a request with `Content-Digest` (RFC 9530) and the signature (RFC 9421) of it, the method, the address and
    /// the type.
    /// - Parameters:
    ///   - body: The JSON text.
    ///   - created: The current time, in seconds since 1970.
    ///   - maximumResponseBytes: The maximum size of the response, in bytes.
    ///   - time: The time limit of the request.
    package func request(
        _ body: [UInt8], created: Int64, maximumResponseBytes: Int, within time: TimeAmount
    ) throws -> ProviderRequest {
        let contentType = "application/json"
        let digest = try ContentDigest.sha256(of: body)
        let signature = try MessageSignature(
            MessageSignature.Request(
                method: "POST", targetURI: endpoint.text, contentType: contentType, contentDigest: digest),
            key: key, created: created)
        let fields = [
            (name: "content-type", value: contentType), (name: "content-digest", value: digest),
            (name: "signature-input", value: signature.input), (name: "signature", value: signature.signature),
        ]
        // The operator configured the address, which may be private.
        return ProviderRequest(
            url: endpoint, content: .bytes(body, fields: fields), maximumResponseBytes: maximumResponseBytes,
            deadline: .now() + time, trust: ProviderTrust(certificateAuthorities: nil, addresses: .any))
    }
}
