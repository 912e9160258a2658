// SPDX-License-Identifier: Apache-2.0

package import JOSE
package import OpenIDConnect
public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// The webhook that receives the notifications of providers, and the events of accounts, in a server without handlers
    /// of its own, configured by the keys under `auth.webhook.`.
    public struct Webhook: Sendable, Hashable {
        /// The URL of the receiver, which is https or, on a loopback host, http: `url`.
        public var url: String
        /// The PEM text of a P-256 private key that signs webhooks and nothing else: `signing-key`.
        public var signingKey: Secret

        /// Creates a webhook.
        public init(url: String, signingKey: Secret) {
            self.url = url
            self.signingKey = signingKey
        }
    }
}

extension BrokerConfiguration.Webhook {
    /// The URL as it is sent: the signed `@target-uri` must be what the receiver derives from its request (RFC 9421
    /// section 2.2.2). It is `nil` if the URL cannot be used.
    package var endpoint: AbsoluteURL? {
        guard let given = AbsoluteURL(url), given.isHTTPS || given.isLoopback else { return nil }
        let path = given.path.isEmpty ? "/" : given.path
        return AbsoluteURL(given.origin + path + (given.query.map { "?" + $0 } ?? ""))
    }

    /// The signing key; `nil` if it cannot be used.
    package var key: SigningKey? { try? SigningKey(pem: signingKey.exposed) }
}
