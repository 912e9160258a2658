// SPDX-License-Identifier: Apache-2.0

public import OpenIDRelyingParty

extension BrokerConfiguration {
    /// One app that may ask the broker to sign somebody in: the keys under `auth.app.<name>.`.
    public struct App: Sendable, Hashable {
        /// The name in the configuration; `[a-z][a-z0-9]{0,31}`.
        public var name: String
        /// `client-id`: what the app calls itself; the audience of its ID tokens.
        public var clientID: String
        /// `client-secret`; nil for a public app.
        public var clientSecret: Secret?
        /// `redirect-uris`: exact strings; the port of a loopback one is not compared (RFC 8252 section 7.3). Empty for
        /// an app that brings native credentials only.
        public var redirectURIs: [String]
        /// `providers`: names of the providers the app may use; nil: all.
        public var providers: [String]?
        /// `upstream-tokens`: whether the app is handed the provider's own tokens.
        public var upstreamTokens: Bool
        /// `native-audiences`: the client ids that the app itself has at providers, such as Apple's bundle ids. ID
        /// tokens for them are taken at the credential endpoint, each of its own provider and from this app only.
        public var nativeAudiences: [NativeAudience]
        /// `native-nonce`: whether its native credentials, of whatever provider, must be bound to a nonce.
        public var nativeNonce: NativeNonce

        /// An app; what is left out has the key's default.
        public init(
            name: String,
            clientID: String? = nil,
            clientSecret: Secret? = nil,
            redirectURIs: [String],
            providers: [String]? = nil,
            upstreamTokens: Bool = false,
            nativeAudiences: [NativeAudience] = [],
            nativeNonce: NativeNonce = .required
        ) {
            self.name = name
            self.clientID = clientID ?? name
            self.clientSecret = clientSecret
            self.redirectURIs = redirectURIs
            self.providers = providers
            self.upstreamTokens = upstreamTokens
            self.nativeAudiences = nativeAudiences
            self.nativeNonce = nativeNonce
        }
    }
}
