// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// Where notifications of providers go in a server that has no handler of its own: the keys under `auth.webhook.`.
    public struct Webhook: Sendable, Hashable {
        /// `url`: https, or http on a loopback host.
        public var url: String
        /// `signing-key`: the PEM text of a P-256 private key; signs webhooks and nothing else.
        public var signingKey: Secret

        /// A webhook.
        public init(url: String, signingKey: Secret) {
            self.url = url
            self.signingKey = signingKey
        }
    }
}

extension BrokerConfiguration.Webhook {
    /// The address, spelled as it goes over the wire: what is signed as `@target-uri` must be what the receiver builds
    /// from its request (RFC 9421 section 2.2.2). `nil` if it is none that may be used.
    var endpoint: AbsoluteURL? {
        guard let given = AbsoluteURL(url), given.isHTTPS || given.isLoopback else { return nil }
        let path = given.path.isEmpty ? "/" : given.path
        return AbsoluteURL(given.origin + path + (given.query.map { "?" + $0 } ?? ""))
    }

    /// The key; `nil` if it cannot be used.
    var key: SigningKey? { try? SigningKey(pem: signingKey.exposed) }
}
